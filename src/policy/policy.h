/*
 * policy.cfg: the scheduler policy that administrators wrote, read as
 * Kubernetes 1.15.3 reads it (doc/semantics/01-policy.md), with the differences
 * of doc/differences.md unless strict.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include "decide/framework/gates.h"
#include "decide/framework/profile.h"

struct doc_node;
struct json_out;
struct text;

enum severity { SEVERITY_ERROR, SEVERITY_WARNING };

/*
 * The one remedy of a finding, as a change of the text.  With it a policy that is
 * accepted means the same.
 */
struct mend {
	enum mend_kind {
		MEND_NOTHING,
		MEND_VALUE,
		MEND_ENTRY,
		MEND_MEMBER,
		MEND_COMMA, /* the comma before the place goes */
		/* as MEND_VALUE, but only if the text is refused: an accepted one
		 * does not mean the same then */
		MEND_FIELD,
	} kind;
	unsigned line, column; /* where the value, entry or object begins */
	/* MEND_VALUE: what takes the value's place, in JSON; NULL: it stays.
	 * MEND_MEMBER: a member of the object.  An entry of a list goes. */
	const char *value;
	/* MEND_VALUE: the value's key, and what takes its place; NULL: it stays. */
	const char *key, *other_key;
};

/* One finding: "file:line:column: error: sentence". */
struct problem {
	enum severity severity;
	const char *file;
	unsigned line, column; /* 0: about the file as a whole */
	const char *text;
	struct mend mend; /* its texts as long as the problem */
};

/* Findings in the order of their positions.  Init with { 0 }. */
struct problems {
	size_t n, cap;
	struct problem *at;
	size_t nerrors;
	size_t last; /* the place of the one that was added last */
	struct arena arena;
};

void problems_fini(struct problems *problems);
void problem_add(struct problems *problems, enum severity severity,
    const char *file, unsigned line, unsigned column, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
/* Whether this was said of this place already. */
bool problems_have(const struct problems *problems, unsigned line,
    unsigned column, const char *text);
/* "file:line:column: error|warning: sentence" into buf; returns buf. */
const char *problem_text(const struct problem *problem, char *buf, size_t size);

/* The two lists of rules; those of a configuration's profile are plugins. */
enum rule_kind {
	RULE_FILTERS, /* a predicate, or a plugin at the point filter */
	RULE_SCORES,  /* a priority, or a plugin at the point score */
	RULE_KINDS,
};

struct policy_options {
	bool strict; /* --strict-policy: exactly as 1.15 would */
	/* The rules of Kosmos join any policy, in place of those that they name
	 * (struct policy_names), and any profile of plugins likewise. */
	bool kosmos;
	/* Extenders are not called: files of their tlsConfig need not be here. */
	bool without_extenders;
	/* ProjectNodeSelector joins any policy. */
	bool project_node_selectors;
	struct gates gates;
	/* --ignore-unsupported: a set of enum unsupported (objects/steering.h). */
	uint32_t ignored_fields;
	/* The minor version of the cluster's Kubernetes release; 0: not known. */
	int kubernetes_minor;
	/* The value for a policy without this field; 0 means 1. */
	int64_t hard_pod_affinity_symmetric_weight;
	bool always_check_all_predicates;
};

/* The text of the policy in a ConfigMap's manifest; NULL: it is none. */
const struct doc_node *policy_of_manifest(const struct doc_node *root);
/* Appends what put() writes of the policy in the text, or in the manifest there.  -1:
 * it cannot be parsed. */
int policy_rewrite(const char *name, const char *text, size_t len,
    void (*put)(struct json_out *json, const struct doc_node *root),
    struct text *out, struct err *err);

/* The policy in the ConfigMap manifest that policy_read() would read, as it is
 * written; you own it.  NULL: the text has no such ConfigMap. */
char *policy_in_config_map(const char *text, size_t len);

/*
 * The text of a policy file, for policy_read(); NUL follows it.  You own it.  NULL: it cannot be read, and err has
 * kube-scheduler's message.
 */
char *policy_file_text(const char *path, size_t *len, struct err *err);

#define POLICY_PROVIDERS "DefaultProvider|ClusterAutoscalerProvider"
/* The profile of an algorithm provider; NULL for any other name.  You own it. */
struct profile *policy_provider(const char *name,
    const struct policy_options *options);

/* Which of n names was meant by one that is none of them, or NULL when none is
 * close; no name is longer than 64 bytes. */
const char *closest_name(const char *name, const char *const *names, size_t n);

/*
 * The line that the OpenShift manual greps the log for:
 * "Creating scheduler with fit predicates 'map[…]' and priority functions
 * 'map[…]'" with the configured names, sorted.  You own it; NULL for a profile
 * that comes from no such sets.
 */
char *policy_startup_line(const struct profile *profile);

#endif
