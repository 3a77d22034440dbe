/*
 * Terms about nodes' labels and names judged for all nodes at once: those of
 * a pod's node selector and node affinity.
 *
 * A requirement is judged once for each distinct value of its label
 * (label_columns.h), not once for each node.  Terms about one label alone cost
 * these values; others cost the nodes for each label that they name.
 */
#ifndef CLUSTER_LABEL_TERMS_H
#define CLUSTER_LABEL_TERMS_H

struct arena;
struct cluster;
struct label_term_scratch;
struct node_selector;
struct selector;

struct label_term {
	int64_t weight;
	const struct selector *labels, *fields; /* both must match; NULL: do */
};

/* By node index the sum of the weights of the terms that match, the last 32 bits
 * of it; kept until nodes' labels change. */
struct label_sums {
	struct arena *arena;
	size_t nterms;
	const struct label_term *terms;
	/* So many requirements and values that looking at all nodes at once is
	 * better even if few are asked about. */
	bool large;
	/* The cached part. */
	uint64_t labels;
	size_t cap;
	int32_t *at;
};

/* The sums live as long as the arena, and so must the arguments. */
void label_sums_init(struct label_sums *sums, struct arena *arena,
    size_t nterms, const struct label_term *terms);
/* Of a selector alone, 1 or 0; and of the terms of a node selector, how many. */
void label_sums_of_selector(struct label_sums *sums, struct arena *arena,
    const struct selector *selector);
void label_sums_of_node_selector(struct label_sums *sums, struct arena *arena,
    const struct node_selector *selector);

/* Of node selectors with one term each, how many match; false: one has more. */
bool label_sums_of_node_selectors(struct label_sums *sums, struct arena *arena,
    size_t n, const struct node_selector *const *selectors);

/* By node index, to the end of the last block of columns.h. */
const int32_t *label_sums_get(struct label_sums *sums, struct cluster *cluster);

void label_terms_free(struct label_term_scratch *scratch); /* for cluster.c */

#endif
