/*
 * From one vocabulary to the other: policy.cfg to KubeSchedulerConfiguration, and
 * back (doc/semantics/08-kubeschedulerconfiguration.md, Policy names to plugins).
 *
 * The result is YAML.  A comment on every line says where the line comes from; a
 * comment "not possible" stands for each rule that the other vocabulary does not
 * have, with the reason, which is also a warning in *notes.
 */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "decide/framework/priority.h"
#include "policy/policy.h"

struct problems;
struct profile;
struct text;

/* A version of the KubeSchedulerConfiguration, and the release to write it for. */
struct convert_target {
	const char *version;
	int first,
	    last;  /* the releases whose kube-scheduler reads the version */
	int minor; /* of first to last */
};

/* version NULL: the newest that the release reads; minor 0: for v1 1.36, for
 * earlier versions the first release, as all others read it, too.  -1 if there is no
 * such version, or the release does not read it: err. */
int convert_target(const char *version, int minor,
    struct convert_target *target, struct err *err);

/* The profile is a policy's, which has no name: scheduler_name becomes the
 * result's, never NULL.  Returns how many rules are not possible. */
size_t convert_policy(const struct profile *profile, const char *scheduler_name,
    const struct convert_target *target, struct text *out,
    struct problems *notes);

/* What a predicate says of its plugin, with that of the one that covers it. */
struct counterpart counterpart_of_predicate(const struct predicate *unit);
struct counterpart counterpart_of_priority(const struct priority *unit);
/* The plugin in v1beta1 (release 20), or in v1 (36), or if that has none in v1beta1;
 * NULL: none has the rule. */
const char *counterpart_plugin(const struct counterpart *c, int release);

/* The policy.cfg of a configuration's profile. */
size_t convert_profile(const struct profile *profile, struct text *out,
    struct problems *notes);

/* The policy's name for what a plugin filters, or scores; NULL: there is none. */
const char *counterpart_name(enum rule_kind kind, const char *plugin);

#endif
