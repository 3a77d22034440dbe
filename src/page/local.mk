page_embed = $(srcdir)/%D%/embed.sh
page_shared_files = \
	$(srcdir)/%D%/shared/app.css \
	$(srcdir)/%D%/shared/dom.js \
	$(srcdir)/%D%/shared/frame.js \
	$(srcdir)/%D%/shared/icon.svg \
	$(srcdir)/%D%/shared/map.js \
	$(srcdir)/%D%/shared/node-table.js \
	$(srcdir)/%D%/shared/request.js \
	$(srcdir)/%D%/shared/unplaced.js
page_live_files = \
	$(srcdir)/%D%/live/index.html \
	$(srcdir)/%D%/live/live.js \
	$(srcdir)/%D%/live/live-decisions.js \
	$(srcdir)/%D%/live/live-nodes.js \
	$(srcdir)/%D%/live/live-pod.js \
	$(srcdir)/%D%/live/live-queue.js \
	$(srcdir)/%D%/live/polling.js
libpredicated_a_SOURCES += \
	%D%/files.c %D%/files.h \
	%D%/live.c \
	%D%/node_json.c %D%/node_json.h \
	%D%/shared.c

# The pages are part of the programs.
%D%/shared.$(OBJEXT): %D%/shared_data.h
%D%/shared_data.h: $(page_shared_files) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) page_shared $(page_shared_files) >$@.new && \
	    mv $@.new $@
%D%/live.$(OBJEXT): %D%/live_data.h
%D%/live_data.h: $(page_live_files) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) page_live $(page_live_files) >$@.new && \
	    mv $@.new $@
CLEANFILES += %D%/shared_data.h %D%/live_data.h
EXTRA_DIST += %D%/embed.sh $(page_shared_files) $(page_live_files)
