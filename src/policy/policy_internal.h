/* Shared by the files of policy/: the policy as written, and the state of
 * reading one. */
#ifndef POLICY_POLICY_INTERNAL_H
#define POLICY_POLICY_INTERNAL_H

#include "base/arena.h"
#include "base/doc.h"
#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "policy/policy.h"

/* A text that may be absent. */
static inline const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* Weights of policy.cfg are multiplied by scores of 0 to this. */
#define POLICY_SCORE_MAX 10

/* No user's predicate, and no plugin, can be called so. */
#define PROJECT_SELECTOR "project node selector"

/* As profile->release, of policy.cfg. */
#define POLICY_RELEASE 15

/*
 * The policy as it was written.  Every object begins with a struct item, so
 * that messages can have its position.  An absent member is zero, empty or
 * NULL.
 */
struct item {
	const struct doc_node *at; /* NULL: not from a text */
	bool broken;               /* a value in it could not be decoded */
};

/* A slice: not given (null or absent) and empty are different things. */
struct list {
	bool given;
	size_t n;
	void *items; /* n structs of the list's kind */
};

struct string_value {
	struct item item;
	const char *text;
};

struct bytes_value {
	const char *data;
	size_t len;
};

/* serviceAffinity, labelsPresence, serviceAntiAffinity, labelPreference: two have
 * labels and two a label, which people confuse.  The other member is only read when
 * not strict. */
struct labels_argument {
	struct item item;
	struct list labels; /* struct string_value */
	const char *label;
	bool presence;
};

struct shape_entry {
	struct item item;
	int64_t utilization, score;
};

struct ratio_argument {
	struct item item;
	struct list shape; /* struct shape_entry */
};

/* The argument of a predicate or a priority. */
struct rule_argument {
	struct item item;
	/* of predicates */
	struct labels_argument *service_affinity, *labels_presence;
	/* of priorities */
	struct labels_argument *service_anti_affinity;
	struct ratio_argument *requested_to_capacity_ratio;
	/* of priorities; of a predicate meant as labelsPresence, and only read when
	 * not strict */
	struct labels_argument *label_preference;
};

/* A predicate or a priority of the policy. */
struct rule_entry {
	struct item item;
	const char *name;
	int64_t weight; /* of a priority */
	struct rule_argument *argument;
};

struct resource_entry {
	struct item item;
	const char *name;
	bool ignored_by_scheduler;
};

struct tls_entry {
	struct item item;
	bool insecure;
	const char *server_name, *cert_file, *key_file, *ca_file;
	struct bytes_value cert_data, key_data, ca_data;
};

struct extender_entry {
	struct item item;
	const char *url_prefix;
	const char *filter_verb, *preempt_verb, *prioritize_verb, *bind_verb;
	int64_t weight;
	bool enable_https;
	struct tls_entry *tls;
	int64_t http_timeout; /* ns */
	bool node_cache_capable;
	struct list managed; /* struct resource_entry */
	bool ignorable;
};

struct policy {
	struct item item;
	struct list rules[RULE_KINDS]; /* struct rule_entry */
	struct list extenders;         /* struct extender_entry */
	int64_t hard_pod_affinity_symmetric_weight;
	bool always_check_all_predicates;
};

/*
 * The naming scheme of fields.  kube-scheduler 1.15 decodes a policy without
 * apiVersion straight into its internal type, where fields have their Go names.
 */
enum field_names {
	NAMES_V1,     /* "predicates" */
	NAMES_GO,     /* "Predicates" */
	NAMES_EITHER, /* no apiVersion, and we are not strict */
};

/* What a text is: a policy, or a version of the KubeSchedulerConfiguration. */
enum text_version { POLICY, V1ALPHA1, V1ALPHA2, V1BETA1, V1BETA2, V1BETA3, V1 };

struct reading {
	const struct policy_options *options;
	struct problems *problems;
	struct arena arena; /* for as long as the reading lasts */

	/* Where messages say it is. */
	const char *file;
	/* In how many ConfigMaps it is; then positions are not the document's:
	 * add these. */
	unsigned embedded;
	unsigned more_lines, more_columns;

	enum text_version version;
	bool yaml; /* numbers are converted from YAML to JSON */
	/* A KubeSchedulerConfiguration: unknown fields are errors. */
	bool strict_fields;
	/* From 1.22 on: numbers that do not fit are noticed always, not as
	 * json-iterator does, and YAML has the octal numbers of its version 1.2. */
	bool exact_numbers;
	enum field_names names;

	/* The ConfigMap that a Scheduler object in the text names, the only one
	 * that counts then; NULL: none does. */
	const char *config_map;
	unsigned config_map_line, config_map_column; /* where it does */

	/* A value has the wrong type: its meaning is not known. */
	bool mistyped;
};

/* problems.c */

/* A problem of the node; NULL: of the file. */
void reading_report(struct reading *reading, enum severity severity,
    const struct doc_node *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* The remedy of the problem that was reported last, as struct mend has it; value and
 * other_key may be NULL. */
void reading_mend(struct reading *reading, enum mend_kind kind,
    const struct doc_node *at, const char *value, const char *other_key);
/* The position of a node in reading->file; NULL: 0 and 0. */
void reading_position(const struct reading *reading, const struct doc_node *at,
    unsigned *line, unsigned *column);
/* The value of a member of the item for a message to point at, or the item when
 * it has no such member. */
const struct doc_node *item_member(const struct item *item, const char *key);

/* policy.c */

/* Reports a document's error, "name:line:column: sentence". */
void reading_unreadable(struct reading *reading, const char *text);
/* JSON without the commas before closing brackets, each of which is reported: what is
 * behind them can then be read.  You own it; NULL: there are none. */
char *reading_without_commas(struct reading *reading, const char *text,
    size_t len);
/* Fills *err with the first error that was reported. */
void reading_error(const struct reading *reading, struct err *err);
/* The profile of the policy in the text, or in a ConfigMap there: of the first, or of
 * reading->config_map.  NULL: problems say why. */
struct profile *policy_read_text(struct reading *reading, const char *text,
    size_t len);
/* Whether the document's reader takes the text for YAML. */
bool policy_text_is_yaml(const char *text, size_t len);

/* decode.c */

/* Fills *policy from the root of a document; *policy lives in reading->arena.
 */
void policy_decode(struct reading *reading, const struct doc_node *root,
    struct policy *policy);

/* names.c: the names of rules (decide/framework/policy_names.h) */

/* Algorithm providers. */
enum provider {
	PROVIDER_DEFAULT = IN_DEFAULT,
	PROVIDER_AUTOSCALER = IN_AUTOSCALER,
};

/* A predicate or a priority under a name that policies have for it. */
struct named_rule {
	const char *name;
	const struct predicate *predicate;
	const struct priority *priority;
	int64_t weight; /* of a priority in a provider */
	const struct policy_names *policy;
};

/* The next name of the kind, from *i on, which is 0 at first.  False: there are no
 * more. */
bool next_named_rule(enum rule_kind kind, size_t *i, struct named_rule *rule);
/* False: no rule of the kind has the name; *rule is undefined then. */
bool find_named_rule(enum rule_kind kind, const char *name,
    struct named_rule *rule);
/* Whether kube-scheduler registers the name under these gates; whether policies
 * cannot leave the rule out. */
bool is_registered(const struct named_rule *rule, const struct gates *gates);
bool is_mandatory(const struct named_rule *rule, const struct gates *gates);

/* The predicate besides which one of this name need not be named; false: there is
 * none. */
bool find_covering_rule(const char *name, struct named_rule *rule);
/* The remark about a rule that manuals list and kube-scheduler refuses: the problem,
 * and its consequence.  In the arena; NULL: it is no such rule. */
const char *refused_rule_advice(struct arena *arena,
    const struct named_rule *rule);

/* The rule that descriptions of kube-scheduler call by this name; NULL: none.
 * kube-scheduler refuses these names. */
const char *find_alias(const char *name);

/* Why a name is unknown and which was meant, for the end of a sentence:
 * "", or "; did you mean \"X\"?".  *meant is X, or NULL. */
const char *name_hint(struct reading *reading, enum rule_kind kind,
    const char *name, const char **meant);

/* Whether a name can mean nothing but the known one: up to two letters are wrong, or
 * their case, or "Priority" is missing at its end. */
bool is_typo(const char *name, const char *known);

/* Whether it may be the name of a user's entry. */
bool is_algorithm_name(const char *name);

/* arguments.c: each unit's arguments, in the profile's arena */

/* How many arguments there are, as kube-scheduler counts. */
unsigned count_arguments(enum rule_kind kind,
    const struct rule_argument *argument);

/* There is exactly one argument: its unit, and the unit's arguments. */
const struct predicate *predicate_from_argument(struct reading *reading,
    struct arena *arena, const struct rule_argument *argument,
    const void **args);
const struct priority *priority_from_argument(struct reading *reading,
    struct arena *arena, const struct rule_argument *argument,
    const void **args);
/* Reports the faults of the points of a shape (struct shape_entry), whose path is
 * given; it is a member of the item. */
void check_shape(struct reading *reading, const struct item *item,
    const struct list *shape, const char *path);

/* extenders.c */

/* Of a policy or a configuration; reports what kube-scheduler refuses of them. */
void validate_extenders(struct reading *reading, const struct list *extenders);
/* Fills profile->extenders and ->ignored_resources; reads the TLS files. */
void build_extenders(struct reading *reading, const struct list *extenders,
    struct profile *profile);

/* build.c */

/* For vocabularies without PreEnqueue: SchedulingGates alone keeps pods out of the
 * queue, as the API server does not bind a pod with scheduling gates. */
void profile_hold_gated_pods(struct profile *profile);

/* Never NULL; reading has the problems.  You own it. */
struct profile *profile_build(struct reading *reading,
    const struct policy *policy, enum provider provider);

#endif
