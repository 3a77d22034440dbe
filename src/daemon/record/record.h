/*
 * The record of decisions, which the daemon writes with --record and `predicatectl
 * replay` reads.
 *
 * A file is complete by itself.  Each line is one JSON object, and the first member
 * names its type, in the order in which things happened:
 *
 *	header        release, limits and gates: how objects are decoded
 *	policy        the policy or configuration from here on
 *	nodeSelector  OpenShift's default node selector
 *	schedulers    whose pods are ours
 *	put           an object; "object" has the fields that are decoded of it
 *	again         a pod with another nomination
 *	claimed       a volume that is assumed to be a claim's
 *	selected      a claim that is assumed to have a node
 *	allocated     a device claim that is assumed to have devices, or is made here
 *	remove        an object was deleted
 *	assume        a pod counts on a node, but the API server does not know yet
 *	forget        it does not any longer
 *	decision      a pod, the seed, and the result
 *
 * The first lines are the cluster as it was when the file was begun.  Annotations
 * that no rule reads, environments, commands and all other fields that are not
 * decoded are left out; so are the TLS settings of extenders and the user in their
 * URLs.
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "objects/object.h"
#include "policy/policy.h"

struct doc_node;
struct extension;
struct text;

#define RECORD_VERSION 1
/* The names of files: the higher number is the later one. */
#define RECORD_PREFIX "decisions-"
#define RECORD_SUFFIX ".jsonl"

struct record_header {
	int64_t version;
	int32_t kubernetes_minor;
	const char *pod_limits;   /* of --max-per-pod */
	bool pod_level, in_place; /* gates: how pods are decoded */
};

enum record_policy_kind {
	RECORD_POLICY,
	RECORD_CONFIGURATION,
	RECORD_PROVIDER,  /* name is the provider's; no text */
	RECORD_OPENSHIFT, /* name is the profile's; no text */
	RECORD_POLICY_KINDS,
};

struct record_policy {
	enum record_policy_kind kind;
	const char *name; /* the file or ConfigMap */
	const char *text; /* of len bytes; NULL: none */
	size_t len;
	uint64_t generation;
	struct policy_options options;
};

struct record_decision {
	int64_t seconds; /* since 1970 */
	int32_t microseconds;
	const char *pod; /* "namespace/name" */
	const char *uid, *resource_version;
	const char *nominated; /* the node, "" if none */
	uint64_t seed;
	int64_t percentage_of_nodes; /* as in struct cycle */
	const char *node;            /* NULL: none */
	const char *message;         /* why none was chosen */
	uint32_t nnodes, nfeasible, nbest;
	int64_t score;
	/* It was not made by the rules alone: abandoned, or an extender failed. */
	bool incomplete;
	const struct extension *extension; /* NULL: no extender was asked */
};

/* By which an object is known: pods by uid, others by name; you own it. */
char *record_key(enum object_kind kind, const char *namespace, const char *name,
    const char *uid);

/* Appends the object as JSON with the fields that are decoded of its kind. */
void record_put_object(struct text *text, enum object_kind kind,
    enum partial partial, const struct doc_node *root);

/* Appends a line. */
void record_put_header(struct text *text, const struct record_header *header);
void record_put_policy(struct text *text, const struct record_policy *policy);
void record_put_decision(struct text *text,
    const struct record_decision *decision);

/* -1: err has the position. */
int record_read_header(const struct doc_node *root,
    struct record_header *header, struct err *err);
int record_read_policy(const struct doc_node *root,
    struct record_policy *policy, struct err *err);
/* The texts belong to the document.  *extension is filled, if there is one, and
 * decision->extension points to it; extension_fini() it in any case. */
int record_read_decision(const struct doc_node *root,
    struct record_decision *decision, struct extension *extension,
    struct err *err);

#endif
