check_PROGRAMS += %D%/claims.t %D%/decisions.t %D%/dry_run.t %D%/flight.t %D%/left_out.t \
	%D%/plugins.t %D%/report.t %D%/reservations.t %D%/serving.t \
	%D%/sticky_jobs.t %D%/time_limit.t %D%/waits.t
%C%_dry_run_t_SOURCES = %D%/dry_run.c \
	t/lib/cluster_gen.c t/lib/cluster_gen.h
%C%_flight_t_SOURCES = %D%/flight.c \
	t/lib/patch_server.c t/lib/patch_server.h
%C%_flight_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)
%C%_reservations_t_SOURCES = %D%/reservations.c \
	t/lib/patch_server.c t/lib/patch_server.h
%C%_reservations_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)
%C%_sticky_jobs_t_SOURCES = %D%/sticky_jobs.c \
	t/lib/patch_server.c t/lib/patch_server.h
%C%_sticky_jobs_t_LDADD = $(LDADD) $(EVENT_EXTRA_LIBS)
