libpredicated_a_SOURCES += \
	%D%/allowed_nodes.h \
	%D%/args.h \
	%D%/candidate.h \
	%D%/counterpart.h \
	%D%/cycle_devices.c %D%/cycle_devices.h \
	%D%/cycle.c %D%/cycle.h \
	%D%/domain_codes.c %D%/domain_codes.h \
	%D%/extension.c %D%/extension.h \
	%D%/extension_point.c %D%/extension_point.h \
	%D%/gates.c %D%/gates.h \
	%D%/known_gates.h \
	%D%/needs.h \
	%D%/plugin.c %D%/plugin.h %D%/rule_table.h \
	%D%/pod_selectors.c %D%/pod_selectors.h \
	%D%/policy_names.h \
	%D%/predicate.h \
	%D%/priority.c %D%/priority.h \
	%D%/profile.c %D%/profile.h \
	%D%/profiles.c %D%/profiles.h \
	%D%/stopwatch.c %D%/stopwatch.h \
	%D%/terms.h \
	%D%/tolerating.h \
	%D%/verdict.c %D%/verdict.h
