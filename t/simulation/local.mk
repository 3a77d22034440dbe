# Whole daemons on virtual time; `make simulate`.
noinst_PROGRAMS += %D%/simulate
%C%_simulate_SOURCES = \
	%D%/afresh.c %D%/afresh.h \
	%D%/inside.c \
	%D%/extender.c %D%/extender.h \
	%D%/growth.c %D%/growth.h \
	%D%/kosmos.c %D%/kosmos.h \
	%D%/loop.c %D%/loop.h \
	%D%/network.c %D%/network.h \
	%D%/promises.c %D%/promises.h \
	%D%/records.c %D%/records.h \
	%D%/apiserver.c %D%/apiserver.h \
	%D%/policies.c %D%/policies.h \
	%D%/shrink.c %D%/shrink.h \
	%D%/simulate.c \
	%D%/size.c %D%/size.h \
	%D%/steps.c %D%/steps.h \
	%D%/still.c %D%/still.h \
	%D%/budgets.c %D%/budgets.h \
	%D%/devices.c %D%/devices.h \
	%D%/caches.c %D%/caches.h \
	%D%/volumes.c %D%/volumes.h \
	%D%/world.c %D%/world.h
%C%_simulate_LDFLAGS = -Wl,--wrap=clock_gettime,--wrap=time \
	-Wl,--wrap=scheduler_new \
	-Wl,--wrap=arc4random_uniform,--wrap=arc4random_buf,--wrap=getrandom \
	-Wl,--wrap=attempt_begin,--wrap=queue_sweep,--wrap=queue_object_changed \
	-Wl,--wrap=consistency_check_new \
	-Wl,--wrap=decide,--wrap=post_filter,--wrap=journal_init,--wrap=queue_new \
	-Wl,--wrap=writer_check_folder,--wrap=writer_new,--wrap=writer_free \
	-Wl,--wrap=writer_add,--wrap=writer_flush,--wrap=writer_look \
	-Wl,--wrap=recorder_new
dist_check_SCRIPTS += %D%/model.t %D%/simulate.t
EXTRA_DIST += %D%/model.pml %D%/seeds %D%/steps.awk %D%/plant %D%/bugs

# A minute of seeds, from SEED on.
SEED = 1
SEEDS = 60
MINUTES = 60
simulate: %D%/simulate
	%D%/simulate --first $(SEED) --seeds $(SEEDS) --minutes $(MINUTES) \
	    2>/dev/null

# The daemon beside the simulated server, at four sizes, which takes some minutes.
bench-size: %D%/simulate
	@for nodes in 1000 5000 15000 50000; do \
	    %D%/simulate --nodes $$nodes --pods $$((nodes * 20)) 2>/dev/null; \
	done

# All runs of the model, some minutes.
model:
	SRCDIR='$(abs_top_srcdir)' BUILDDIR='$(abs_top_builddir)' \
	    $(srcdir)/%D%/model.t whole
.PHONY: simulate bench-size model
