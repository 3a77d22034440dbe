libpredicated_a_SOURCES += \
	%D%/absent.c %D%/absent.h \
	%D%/audit.c \
	%D%/capacity.c \
	%D%/check.c \
	%D%/convert.c \
	%D%/ctl.c %D%/ctl.h \
	%D%/defrag.c \
	%D%/diff.c \
	%D%/drain.c \
	%D%/explain.c %D%/explain.h \
	%D%/explain_table.c \
	%D%/lint.c %D%/lint.h %D%/lint_internal.h \
	%D%/lint_fields.c \
	%D%/lint_kosmos.c \
	%D%/lint_labels.c \
	%D%/lint_matters.c \
	%D%/lint_plugins.c \
	%D%/lint_priorities.c \
	%D%/lint_rules.c \
	%D%/live.c %D%/live.h \
	%D%/load.c %D%/load.h \
	%D%/long_work.c %D%/long_work.h \
	%D%/names.c %D%/names.h \
	%D%/node_groups.c %D%/node_groups.h \
	%D%/openshift.c %D%/openshift.h \
	%D%/options.c %D%/options.h \
	%D%/pod_fields.c %D%/pod_fields.h \
	%D%/pod_file.c %D%/pod_file.h \
	%D%/progress.c %D%/progress.h \
	%D%/replay.c \
	%D%/serving.c %D%/serving.h \
	%D%/simulate.c %D%/simulate.h \
	%D%/simulate_table.c \
	%D%/table.c %D%/table.h \
	%D%/tune.c \
	%D%/web.c \
	%D%/web_daemon.c \
	%D%/whatif.c %D%/whatif.h \
	%D%/why_not.c \
	%D%/yaml_out.c %D%/yaml_out.h

bin_PROGRAMS += predicatectl
predicatectl_SOURCES = %D%/main.c
predicatectl_LDADD = libpredicated.a

# kubectl finds its plugins by name: `kubectl predicate explain …`.
install-exec-hook:
	cd '$(DESTDIR)$(bindir)' && ln -sf predicatectl kubectl-predicate

uninstall-hook:
	rm -f '$(DESTDIR)$(bindir)/kubectl-predicate'
