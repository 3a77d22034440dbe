/* Nodes and balances in JSON, as pages and commands have them. */
#ifndef PAGE_CLUSTER_JSON_H
#define PAGE_CLUSTER_JSON_H

struct balance;
struct diff;
struct json_out;
struct node;
struct node_info;
struct pod;
struct resources;

/* A whole number of a query (NULL: it is not there), at most `most`; otherwise usual. */
size_t query_number(const char *text, size_t usual, size_t most);

/* 1 cordoned, 2 not ready, 4 tainted, added up. */
int node_json_state(const struct node *node);

/* Of its topology.kubernetes.io/zone; "": it has none. */
const char *node_json_zone(const struct node_info *node);

/* Members by name, of what is neither cpu nor memory; as the member "other", if there is
 * any. */
void requests_json_scalars(struct json_out *json, const struct resources *r);
void requests_json_other(struct json_out *json, const struct resources *r);

/* The member "owner": "Job/x", or "Deployment/web" of a pod whose ReplicaSet is of that;
 * null: it has no controller. */
void pod_json_owner(struct json_out *json, const struct pod *pod);

/* The member `key`: the balance of a cluster where `placed` pods have been placed.
 * The form of `predicatectl diff -o json`. */
void balance_json(struct json_out *json, const char *key,
    const struct balance *b, size_t placed);

/* How many pods of a diff move, and why, as members of `predicatectl diff -o json`. */
void diff_json(struct json_out *json, const struct diff *d);

#endif
