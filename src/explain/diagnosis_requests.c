/* Requests: the shortages, and how much would fit. */
#include "config.h"

#include <inttypes.h>

#include "cluster/cluster.h"
#include "base/quantity.h"
#include "explain/diagnosis_internal.h"

#define PODS_TRIED 64 /* of a node */

const char *
amount_text(struct arena *arena, const char *name, int64_t n, bool at_most)
{
	char buf[QUANTITY_TEXT];

	if (strcmp(name, "cpu") == 0 && (n < 1000 || n % 1000 == 0))
		return arena_printf(arena, "%s", quantity_write_cpu(buf, n));
	if (strcmp(name, "cpu") == 0)
		return arena_printf(arena, "%.15g", (double)n / 1000);
	if (strcmp(name, "memory") == 0 ||
	    strcmp(name, "ephemeral-storage") == 0 ||
	    strncmp(name, "hugepages-", 10) == 0)
		return arena_printf(arena, "%s",
		    quantity_write_about(buf, n, at_most));
	return arena_printf(arena, "%" PRId64, n);
}

/* A resource of which the node has less free than the pod requests. */
struct lack {
	unsigned next; /* place of the resource after it */
	const char *name;
	int64_t asked, left;
};

/* The next one; false: there is none. */
static bool
next_lack(const struct inquiry *q, const struct node_info *node, struct lack *l)
{
	while ((l->name = resources_name(q->asked, l->next++)) != NULL) {
		l->asked = resources_get(q->asked, l->name);
		l->left =
		    wrap_sub(resources_get(&node->node->allocatable, l->name),
			resources_get(&node->requested, l->name));
		if (l->asked > 0 && l->left < l->asked)
			return true;
	}
	return false;
}

/* The most that any node has in all. */
static int64_t
largest(const struct inquiry *q, const char *name)
{
	int64_t most = 0;

	for (uint32_t i = 0; i < q->n; i++) {
		int64_t all =
		    resources_get(&inquiry_node(q, i)->node->allocatable, name);

		if (all > most)
			most = all;
	}
	return most;
}

/* A DeviceClass stands for it, so nodes need not list it. */
static bool
is_of_devices(const struct inquiry *q, const char *name)
{
	sym resource = sym_find(name);

	return resource != SYM_NONE &&
	    cluster_resource_class(q->cycle->cluster, resource) != NULL;
}

#define NAMES_COMPARED 32

/* A resource of a node whose name is alike; NULL: there is none. */
static const char *
similar_resource(const struct inquiry *q, const char *name)
{
	sym compared[NAMES_COMPARED];
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->n && strchr(name, '/') != NULL; i++) {
		const struct resources *has =
		    &inquiry_node(q, i)->node->allocatable;

		for (uint32_t k = 0; k < has->nscalars; k++) {
			const struct scalar *s = &has->scalars[k];
			uint32_t at = 0;

			while (at < n && compared[at] != s->name)
				at++;
			if (at < n || n == NAMES_COMPARED || s->amount == 0)
				continue;
			compared[n++] = s->name;
			if (text_is_like(name, sym_text(s->name)))
				return sym_text(s->name);
		}
	}
	return NULL;
}

/* Proposes what was meant: so much of another resource, or of this one. */
static void
advise_meant(struct inquiry *q, const char *name, const char *other,
    int64_t amount, const char *text)
{
	struct pod_class *class = class_with_alone(q, BIT(REQUESTS));
	struct resources *r = arena_array(q->arena, struct resources, 1);

	*r = resources_copy(q->arena, q->asked);
	*resources_place(r, name) = 0;
	if (resources_place(r, other) != NULL)
		*resources_place(r, other) = amount;
	else
		resources_add(q->arena, r,
		    &(struct resources){ .nscalars = 1,
			.scalars =
			    &(struct scalar){ sym_find(other), amount } },
		    1);
	class->requested = class->full = *r;
	class->from_27.pending = class->from_32.pending = r;
	describe(q, "%s (did you mean %s?)", q->d->text, text);
	propose(q, REMEDY_SPELL, "request", other, "",
	    arena_printf(q->arena, "request %s", text))
	    ->class
	    = class;
}

/* Whole cpus of which no node has a tenth are milli cpus without their "m". */
static bool
lacks_milli(const char *name, int64_t asked, int64_t most)
{
	return strcmp(name, "cpu") == 0 && asked % 1000 == 0 &&
	    asked >= 50 * 1000 && asked / 10 >= most;
}

/* Nodes list the resource, and have none: a kubelet does so once the device plugin that
 * it had has ended.  False: none lists it. */
static bool
say_none_left(struct inquiry *q, const char *name)
{
	const struct node_info *first = NULL;
	sym resource = sym_find(name);

	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		const struct resources *has = &node->node->allocatable;

		for (uint32_t k = 0; k < has->nscalars; k++)
			if (has->scalars[k].name == resource &&
			    strchr(name, '/') != NULL &&
			    (first == NULL ||
				sym_cmp(node->name, first->name) < 0))
				first = node;
	}
	if (first == NULL)
		return false;
	describe(q,
	    "%s lists %s, and has 0 of it: see what its device plugin says",
	    sym_text(first->name), name);
	return true;
}

/* Larger than any node. */
static bool
say_too_large(struct inquiry *q)
{
	struct arena *arena = q->arena;
	const char *name, *other;

	for (unsigned i = 0; (name = resources_name(q->asked, i)) != NULL;
	     i++) {
		int64_t most = largest(q, name);
		int64_t asked = resources_get(q->asked, name);

		if (asked <= most)
			continue;
		if (most == 0 && is_of_devices(q, name))
			describe(q,
			    "No node has enough free devices for %s: asks %s",
			    name, amount_text(arena, name, asked, false));
		else if (most == 0 && !say_none_left(q, name))
			describe(q, "No node has any %s: asks %s", name,
			    amount_text(arena, name, asked, false));
		else if (most > 0)
			describe(q,
			    "Larger than any node: asks %s %s, the largest has "
			    "%s",
			    amount_text(arena, name, asked, false), name,
			    amount_text(arena, name, most, false));
		other = most == 0 ? similar_resource(q, name) : NULL;
		if (other != NULL)
			advise_meant(q, name, other, asked, other);
		else if (lacks_milli(name, asked, most))
			advise_meant(q, name, name, asked / 1000,
			    arena_printf(arena, "%" PRId64 "m cpu",
				asked / 1000));
		return true;
	}
	return false;
}

/* Of the requests, the part that the node can give: the smallest of all
 * resources, from 0 to 1; *nshort resources are short. */
static double
share_of(const struct inquiry *q, const struct node_info *node,
    unsigned *nshort)
{
	struct lack l = { 0 };
	double least = 1;

	for (*nshort = 0; next_lack(q, node, &l); ++*nshort) {
		double share =
		    l.left > 0 ? (double)l.left / (double)l.asked : 0;

		if (share < least)
			least = share;
	}
	return least;
}

/* The chosen node with the fewest shortages, then the smallest. */
static const struct node_info *
nearest(const struct inquiry *q)
{
	const struct node_info *best = NULL;
	unsigned fewest = UINT32_MAX;
	double most = -1;

	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = inquiry_node(q, i);
		unsigned nshort;
		double share;

		if (!is_chosen(q, i))
			continue;
		share = share_of(q, node, &nshort);
		if (nshort > fewest || (nshort == fewest && share < most) ||
		    (nshort == fewest && share == most &&
			sym_cmp(node->name, best->name) > 0))
			continue;
		best = node;
		fewest = nshort;
		most = share;
	}
	return best;
}

static void
say_short(const struct inquiry *q, const struct node_info *node)
{
	struct arena *arena = q->arena;
	const char *want = "", *have = "";
	struct lack l = { 0 };

	for (unsigned n = 0; n < 3 && next_lack(q, node, &l); n++) {
		want = arena_append(arena, want, " and ",
		    arena_printf(arena, "%s %s",
			amount_text(arena, l.name, l.asked, false), l.name));
		have = arena_append(arena, have, " and ",
		    amount_text(arena, l.name, l.left, true));
	}
	if (q->nchosen == q->n)
		describe(q, "No node has %s free: the nearest, %s, has %s",
		    want, sym_text(node->name), have);
	else if (q->nchosen == 1)
		describe(q,
		    "Short of %s on %s, the only node that would do: it has %s",
		    want, sym_text(node->name), have);
	else
		describe(q,
		    "Short of %s on the %u node%s that would do: the "
		    "nearest, %s, has %s",
		    want, q->nchosen, plural_of(q->nchosen),
		    sym_text(node->name), have);
}

/* The requests that fit on the node, and their text; *last is the last that is
 * less.  NULL: there is nothing left of one. */
static const char *
reduce(const struct inquiry *q, const struct node_info *node,
    struct resources *r, struct lack *last)
{
	struct lack l = { 0 };
	const char *text = "";

	while (next_lack(q, node, &l)) {
		if (l.left <= 0)
			return NULL;
		*resources_place(r, l.name) = l.left;
		*last = l;
		text = arena_append(q->arena, text, " and ",
		    arena_printf(q->arena, "%s %s",
			amount_text(q->arena, l.name, l.left, true), l.name));
	}
	return text[0] != '\0' ? text : NULL;
}

/* A pod without the obstacles beside that of the sentence: OTHER hides what else there
 * may be. */
static const struct pod_class *
class_to_fit(const struct inquiry *q)
{
	return q->saying == DEMAND_OTHER ?
	    class_without(q->arena, q->cycle->class, EVERY_DEMAND) :
	    class_with_alone(q, BIT(REQUESTS));
}

/* The least important pod whose deletion makes room, of several the first by name. */
static const struct pod *
pod_to_move(const struct inquiry *q, const struct node_info *node)
{
	const struct pod_class *class = class_to_fit(q);
	const struct pod *best = NULL;

	for (uint32_t i = 0; i < node->npods && i < PODS_TRIED; i++) {
		const struct pod *pod = node->pods[i];

		if (judge_leaving(q->cycle, pod) != NULL)
			continue;
		if (best != NULL &&
		    (pod->priority > best->priority ||
			(pod->priority == best->priority &&
			    object_compare_names(&best->object, &pod->object) <
				0)))
			continue;
		if (fits_changed(q, class, node, node->node, 1, &pod))
			best = pod;
	}
	return best;
}

/* All that are on their way out, if that makes room. */
static bool
find_leaving(const struct inquiry *q, struct way *way)
{
	const struct node_info *node = way->node;

	way->pods = arena_array(q->arena, const struct pod *, node->npods);
	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->class->terminating)
			way->pods[way->n++] = node->pods[i];
	return way->n > 0 &&
	    fits_changed(q, class_to_fit(q), node, node->node, way->n,
		way->pods);
}

void
advise_room(struct inquiry *q, const struct node_info *node)
{
	struct way leaving = { .node = node };
	const struct pod *pod = pod_to_move(q, node);

	if (find_leaving(q, &leaving))
		advise_move(q, &leaving);
	if (pod != NULL)
		advise_move(q, &(struct way){ node, 1, &pod });
}

/* Less than half of a request is another pod. */
static void
advise_request(struct inquiry *q, const struct node_info *node)
{
	struct resources *r = arena_array(q->arena, struct resources, 1);
	struct proposal *p;
	struct pod_class *class;
	const char *text;
	struct lack last = { 0 };
	unsigned nshort;

	*r = resources_copy(q->arena, q->asked);
	text = reduce(q, node, r, &last);
	if (text == NULL)
		return;
	class = class_with_alone(q, BIT(REQUESTS));
	class->requested = class->full = *r;
	class->from_27.pending = class->from_32.pending = r;
	name_node(q, node);
	p = propose(q,
	    share_of(q, node, &nshort) >= 0.5 ? REMEDY_REQUEST : REMEDY_LESS,
	    "request", last.name,
	    amount_text(q->arena, last.name, last.left, true),
	    arena_printf(q->arena, "request at most %s (free on %s)", text,
		sym_text(node->name)));
	p->class = class;
}

void
say_requests(struct inquiry *q)
{
	const struct node_info *node = nearest(q);

	q->d->cause = "requests";
	if (!say_too_large(q)) {
		say_short(q, node);
		advise_room(q, node);
	}
	advise_request(q, node);
}
