libpredicated_a_SOURCES += \
	%D%/auth.c %D%/auth.h \
	%D%/auth_internal.h \
	%D%/auth_trust.c \
	%D%/auth_user.c \
	%D%/head.c \
	%D%/self_signed.c %D%/self_signed.h \
	%D%/server.c %D%/server.h \
	%D%/server_child.c %D%/server_child.h \
	%D%/server_connections.c \
	%D%/server_health.c \
	%D%/server_internal.h \
	%D%/server_query.c \
	%D%/server_tls.c
