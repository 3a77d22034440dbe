/* Shared by the files of the lint. */
#ifndef LINT_LINT_INTERNAL_H
#define LINT_LINT_INTERNAL_H

#include "base/arena.h"
#include "base/sym.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "decide/framework/needs.h"
#include "decide/framework/profile.h"
#include "explain/lint/lint.h"

/* Pods that look alike and have not ended. */
struct pod_group {
	const struct pod_class *class;
	const struct pod *first; /* in the input */
	size_t npods;
};

/* A predicate, priority or plugin of the profile; of an extender only the place. */
struct lint_rule {
	const char *word, *name; /* "predicate", "PodFitsResources" */
	unsigned line, column;   /* 0: it is a default */
	const void *unit, *args;
	int64_t weight; /* of a priority; predicates have none */
	bool is_priority, later;
};

struct lint {
	const struct profile *profile;
	const struct cluster *cluster;
	struct problems *problems;
	struct arena arena;
	/* What warnings about the whole profile begin with; "" where there is no
	 * other. */
	const char *prefix;

	const struct lint_cluster *on;
	size_t nrules;
	struct lint_rule *rules; /* predicates, then priorities */
	size_t npods;            /* that have not ended */
	size_t ngroups, groups_cap;
	struct pod_group *groups; /* in the order of the input */
	size_t nnodes;
	const struct node **nodes; /* by name */
	bool has[NEEDS];           /* a node, or a pod that has not ended */
};

/* A warning about the rule's place in the policy, NULL: about the whole; cut where a
 * line gets too long to read. */
void lint_warn(struct lint *lint, const struct lint_rule *rule, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* The same, which begins with the rule: 'priority "NAME" …'. */
#define lint_warn_of(lint, rule, fmt, ...)                                     \
	lint_warn(lint, rule, "%s \"%s\" " fmt, (rule)->word, (rule)->name,    \
	    ##__VA_ARGS__)

/* Configurations call both plugins. */
#define HAS_PLUGINS(lint) ((lint)->profile->release >= 20)
#define PREDICATE_WORD(lint) (HAS_PLUGINS(lint) ? "plugin" : "predicate")

/* Some nodes: how many, and the first few by name. */
struct node_set {
	size_t n;
	const struct node *first[3];
};
void node_set_add(struct node_set *set, const struct node *node);
/* "3 of 12 nodes (a, b, c)"; in the arena. */
const char *node_set_text(struct lint *lint, const struct node_set *set);

/* The nodes without the label; returns how many there are. */
size_t lint_nodes_without(const struct lint *lint, sym label,
    struct node_set *set);
/* The advice about a label that no node has: "; did you mean "x"?" or, without
 * a similar label, the argument. */
const char *lint_label_hint(struct lint *lint, sym label,
    const char *otherwise);
#define LABEL_NODES "; correct it or label the nodes"

/* The rule that runs this predicate or priority; NULL: none does. */
const struct lint_rule *lint_find(const struct lint *lint, const void *unit);

/* What the rule needs with its arguments. */
enum needs lint_needs(const struct lint_rule *rule);
/* Why no node, or none of the pods, has it; NULL: one has, or it is nothing. */
const char *lint_lack(const struct lint *lint, enum needs needs);

/* Whether it selects a pod that has not ended. */
bool lint_selects_a_pod(const struct lint *lint,
    const struct workload *workload);

/* The lints. */

/* lint_labels.c: labels of rules that nodes lack */
void lint_labels_presence(struct lint *lint, const struct lint_rule *rule);
void lint_service_affinity(struct lint *lint, const struct lint_rule *rule);
void lint_service_anti_affinity(struct lint *lint,
    const struct lint_rule *rule);
void lint_topology_keys(struct lint *lint);
void lint_zones(struct lint *lint);

/* lint_kosmos.c: distribution policies with an unintended effect */
void lint_distribution(struct lint *lint);

/* lint_priorities.c: priorities that cannot change which node is best */
void lint_priorities(struct lint *lint);
/* Why it gives every node the same score; NULL: it does not. */
const char *lint_why_constant(struct lint *lint, const struct lint_rule *rule);

/* lint_matters.c: a note for every rule, or plugin, whether it can matter */
void lint_all_rules(struct lint *lint);

/* lint_rules.c: rules that the policy lacks, and objects that it needs and the
 * cluster lacks; fields and kinds of objects that are not supported */
void lint_kubelet_rules(struct lint *lint);
void lint_volume_binding(struct lint *lint);
void lint_services(struct lint *lint);
void lint_extenders(struct lint *lint);
void lint_unsupported(struct lint *lint);
/* plugins of a profile with impossible arguments, and profiles without pods */
void lint_added_affinity(struct lint *lint, const struct lint_rule *rule);
void lint_fit_resources(struct lint *lint, const struct lint_rule *rule);
void lint_balanced_resources(struct lint *lint, const struct lint_rule *rule);
void lint_served_pods(struct lint *lint);

#endif
