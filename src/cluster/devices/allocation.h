/* status.allocation of a claim, as the API server gets it. */
#ifndef DEVICES_ALLOCATION_H
#define DEVICES_ALLOCATION_H

struct cluster;
struct json_out;
struct node_selector;
struct resource_claim;
struct selector;
struct text;

/* A member, "matchExpressions" or "matchFields", if there are any. */
void json_requirements(struct json_out *json, const char *key,
    const struct selector *s);

/* The next value: {"nodeSelectorTerms":[…]}. */
void json_node_selector(struct json_out *json, const struct node_selector *s);

/*
 * The devices that the claim has, with the parameters of its classes and its own for
 * their drivers (doc/semantics/11-kube-1.36.md, Dynamic resources): appended.
 * timestamp: RFC 3339, or NULL.
 */
void allocation_put(struct text *out, const struct cluster *cluster,
    const struct resource_claim *claim, const char *timestamp);

#endif
