/* Terms judged for all nodes at once have the results that they have node by
 * node, however many labels they name. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/xmalloc.h"
#include "cluster/label_terms.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define NODES 40
#define KEYS 200 /* more than there are columns for */
#define ROUNDS 60
#define PODS_EACH 20

static uint64_t state;

static unsigned
any(unsigned n)
{
	return t_any(&state, n);
}

static void
put_node(FILE *out, unsigned number)
{
	fprintf(out, "--- {kind: Node, metadata: {name: n%u, labels: {",
	    number);
	for (unsigned i = any(KEYS), n = 0; n < 30; n++)
		fprintf(out, "k%u: '%d', ", (i + n * 7) % KEYS,
		    (int)any(9) - 2);
	if (any(2) == 0)
		fprintf(out, "name: n%u, ", number);
	fprintf(out, "zone: %c}}}\n", "abc"[any(3)]);
}

static void
put_requirement(FILE *out, unsigned nkeys)
{
	static const char *const ops[] = { "In", "NotIn", "Exists",
		"DoesNotExist", "Gt", "Lt", "Strange" };
	unsigned op = any(50) == 0 ? 6 : any(6), key = any(nkeys + 2);
	unsigned nvalues = op < 2 ? 1 + any(4) : op < 4 ? 0 : 1;

	fprintf(out, "{key: ");
	if (key < nkeys)
		fprintf(out, "k%u", key);
	else
		fprintf(out, "%s", key == nkeys ? "zone" : "name");
	fprintf(out, ", operator: %s, values: [", ops[op]);
	for (unsigned i = 0; i < nvalues; i++) {
		if (key < nkeys)
			fprintf(out, "'%d', ", (int)any(9) - 2);
		else if (op >= 4)
			fprintf(out, "'3'");
		else if (key == nkeys)
			fprintf(out, "%c, ", "abcd"[any(4)]);
		else
			fprintf(out, "n1%u, ", any(10));
	}
	fprintf(out, "]}, ");
}

static void
put_terms(FILE *out, unsigned n, unsigned nkeys, bool preferred)
{
	for (unsigned i = 0; i < n; i++) {
		fprintf(out, "{");
		if (preferred)
			fprintf(out, "weight: %u, preference: {", 1 + any(9));
		if (any(8) > 0) {
			fprintf(out, "matchExpressions: [");
			for (unsigned m = any(4) == 0 ? any(9) : 1; m > 0; m--)
				put_requirement(out, nkeys);
			fprintf(out, "], ");
		}
		if (any(8) == 0)
			fprintf(out,
			    "matchFields: [{key: %s, operator: %s, "
			    "values: [n%u]}]",
			    any(9) ? "metadata.name" : "x",
			    any(2) ? "In" : "NotIn", any(NODES));
		fprintf(out, preferred ? "}}, " : "}, ");
	}
}

static void
put_pod(FILE *out)
{
	unsigned nkeys = any(2) == 0 ? KEYS + 50 : 3;

	fprintf(out,
	    "--- {kind: Pod, metadata: {name: p}, spec: {affinity: "
	    "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
	    "{nodeSelectorTerms: [");
	put_terms(out, any(40), nkeys, false);
	fprintf(out, "]}, preferredDuringSchedulingIgnoredDuringExecution: [");
	put_terms(out, any(40), nkeys, true);
	fprintf(out, "]}}, nodeSelector: {zone: %c}}}\n", "abcd"[any(4)]);
}

static const char *
written(bool pod, unsigned first, unsigned n)
{
	static char *text;
	size_t size;
	FILE *out;

	free(text);
	out = open_memstream(&text, &size);
	if (pod)
		put_pod(out);
	for (unsigned i = first; i < first + n; i++)
		put_node(out, i);
	fclose(out);
	return text;
}

/* The number of required terms that match, and the preferred ones' weights. */
static int64_t
count_required(const struct pod_class *class, const struct node_info *node)
{
	const struct node_selector *s = &class->required_node_affinity;
	int64_t n = 0;

	for (uint32_t i = 0; i < s->n; i++)
		n += node_selector_term_matches(&s->at[i], &node->node->labels,
		    node->name);
	return n;
}

static int64_t
sum_preferred(const struct pod_class *class, const struct node_info *node)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < class->npreferred_nodes; i++)
		if (selector_matches(&class->preferred_nodes[i].expressions,
			&node->node->labels))
			n += class->preferred_nodes[i].weight;
	return n;
}

struct tally {
	unsigned matching, large;
};

static bool
compare(struct world *w, struct label_sums *required,
    struct label_sums *preferred, struct label_sums *selector,
    struct tally *tally)
{
	const struct pod_class *class = w->pod->class;
	struct selector s = selector_from_set(&w->arena, &class->node_selector);

	for (uint32_t i = 0; i < w->cluster->nnodes; i++) {
		const struct node_info *node = w->cluster->nodes[i];
		int64_t nrequired = count_required(class, node);

		tally->matching += nrequired > 0;
		if (!t_int("required", label_sums_get(required, w->cluster)[i],
			nrequired) ||
		    !t_int("preferred",
			label_sums_get(preferred, w->cluster)[i],
			sum_preferred(class, node)) ||
		    !t_int("selector", label_sums_get(selector, w->cluster)[i],
			selector_matches(&s, &node->node->labels)))
			return false;
	}
	return true;
}

static bool
compare_pod(struct world *w, struct tally *tally)
{
	const struct pod_class *class;
	struct label_sums required, preferred, selector;
	struct label_term *terms;
	struct selector s;

	world_pod(w, written(true, 0, 0));
	class = w->pod->class;
	s = selector_from_set(&w->arena, &class->node_selector);
	label_sums_of_node_selector(&required, &w->arena,
	    &class->required_node_affinity);
	terms =
	    arena_array(&w->arena, struct label_term, class->npreferred_nodes);
	for (size_t i = 0; i < class->npreferred_nodes; i++)
		terms[i] =
		    (struct label_term){ class->preferred_nodes[i].weight,
			    &class->preferred_nodes[i].expressions, NULL };
	label_sums_init(&preferred, &w->arena, class->npreferred_nodes, terms);
	label_sums_of_selector(&selector, &w->arena, &s);
	tally->large += required.large;
	if (!compare(w, &required, &preferred, &selector, tally))
		return false;
	/* cached results follow the nodes */
	world_put(w, written(false, any(NODES), 1));
	if (any(8) == 0)
		world_put(w, written(false, NODES + any(600), 1));
	if (any(8) == 0)
		world_remove(w, written(false, any(NODES), 1));
	return compare(w, &required, &preferred, &selector, tally);
}

static void
sums_are_those_of_single_nodes(void)
{
	struct tally tally = { 0 };

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct world *w;
		bool right = true;

		state = i;
		w = world_new(written(false, 0, NODES));
		for (unsigned j = 0; right && j < PODS_EACH; j++)
			right = compare_pod(w, &tally);
		world_free(w);
		if (!right)
			break;
	}
	t_true("terms match", tally.matching > ROUNDS * PODS_EACH);
	t_true("some are many", tally.large > ROUNDS);
}

T_MAIN(T(sums_are_those_of_single_nodes))
