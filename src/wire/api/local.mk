libpredicated_a_SOURCES += \
	%D%/client.c %D%/client.h %D%/client_internal.h \
	%D%/consistency.c %D%/consistency.h \
	%D%/credentials.c %D%/credentials.h \
	%D%/discovery.c %D%/discovery.h \
	%D%/event_correlator.c %D%/event_correlator.h \
	%D%/events.c %D%/events.h \
	%D%/exec_plugin.c %D%/exec_plugin.h \
	%D%/known.c %D%/known.h \
	%D%/kubeconfig.c %D%/kubeconfig.h \
	%D%/listing.c %D%/listing.h \
	%D%/list_page.c %D%/list_page.h \
	%D%/lock.c %D%/lock.h \
	%D%/lru.c %D%/lru.h \
	%D%/paths.c %D%/paths.h \
	%D%/pipe.c \
	%D%/protobuf.c %D%/protobuf.h \
	%D%/protobuf_tree.c %D%/protobuf_tree.h %D%/protobuf_table.h \
	%D%/watch.c %D%/watch.h \
	%D%/watch_lines.c %D%/watch_lines.h \
	%D%/wire.c %D%/wire.h \
	%D%/writes.c %D%/writes.h
