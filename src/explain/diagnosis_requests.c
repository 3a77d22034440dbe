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

/* So much is requested for what but the containers: " for an init container"; "": the
 * containers request as much. */
static const char *
asked_for(const struct inquiry *q, const char *name, int64_t amount)
{
	const struct pod_class *class = q->cycle->class;
	const int64_t held = resources_get(&class->held, name);

	if (amount <= held || class->level_cpu || class->level_memory)
		return "";
	for (uint32_t i = 0; i < class->nextended; i++)
		if (class->extended[i].ends &&
		    strcmp(sym_text(class->extended[i].name), name) == 0 &&
		    class->extended[i].count > held)
			return arena_printf(q->arena, " for init container %s",
			    sym_text(class->extended[i].of));
	return resources_get(q->asked, name) ==
		resources_get(&class->requested, name) ?
	    " for an init container" :
	    " for containers, sidecars and overhead";
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

static bool
is_of_pages(const char *name)
{
	return strncmp(name, "hugepages-", 10) == 0;
}

/* Whether they are sizes of one device: the same but for numbers, or the whole and a
 * part of it, such as nvidia.com/gpu.shared. */
static bool
is_variant(const char *a, const char *b)
{
	static const char digits[] = "0123456789";
	const size_t vendor = strcspn(a, "/") + 1, na = strlen(a),
		     nb = strlen(b), least = na < nb ? na : nb;

	if (is_of_pages(a))
		return is_of_pages(b);
	if (strncmp(a, b, vendor) != 0)
		return false;
	if (strncmp(a + vendor, "mig-", 4) == 0 ||
	    strncmp(b + vendor, "mig-", 4) == 0)
		return true;
	if (strncmp(a, b, least) == 0 && (a[least] == '.' || b[least] == '.'))
		return true;
	for (;; a++, b++) {
		a += strspn(a, digits);
		b += strspn(b, digits);
		if (*a != *b)
			return false;
		if (*a == '\0')
			return true;
	}
}

/* What of the nodes' resources is meant by a name that they have not: one that is
 * alike, or else a variant; NULL: there is none. */
static const char *
resource_instead(const struct inquiry *q, const char *name, bool *alike)
{
	const char *variant = NULL;
	sym compared[NAMES_COMPARED];
	uint32_t n = 0;

	*alike = false;
	if (strchr(name, '/') == NULL && !is_of_pages(name))
		return NULL;
	for (uint32_t i = 0; i < q->n; i++) {
		const struct resources *has =
		    &inquiry_node(q, i)->node->allocatable;

		for (uint32_t k = 0; k < has->nscalars; k++) {
			const struct scalar *s = &has->scalars[k];

			if (n == NAMES_COMPARED || s->amount == 0 ||
			    ANY(at, n, compared[at] == s->name))
				continue;
			compared[n++] = s->name;
			if (is_variant(name, sym_text(s->name)))
				variant = sym_text(s->name);
			*alike |= variant == NULL &&
			    name_is_like(name, sym_text(s->name));
			if (*alike)
				return sym_text(s->name);
		}
	}
	return variant;
}

/* The pod's class with these requests. */
static struct pod_class *
with_requests(const struct inquiry *q, const struct resources *r)
{
	struct pod_class *class = class_with_alone(q, BIT(REQUESTS));

	class->requested = class->full = *r;
	class->from_27.pending = class->from_32.pending = r;
	return class;
}

/* Proposes so much of another resource, or of this one. */
static void
advise_instead(struct inquiry *q, enum remedy_kind kind, const char *name,
    const char *other, int64_t amount, const char *text)
{
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
	if (kind == REMEDY_SPELL)
		describe(q, "%s (did you mean %s?)", q->d->text, text);
	else
		describe(q, "%s, and nodes have %s", q->d->text, text);
	propose_class(q, with_requests(q, r), kind, "request", other, "",
	    "request %s", text);
}

/* Whole cpus of which no node has a tenth are milli cpus without their "m". */
static bool
lacks_milli(const char *name, int64_t asked, int64_t most)
{
	return strcmp(name, "cpu") == 0 && asked % 1000 == 0 &&
	    asked >= 50 * 1000 && asked / 10 >= most;
}

/* Who labels nodes with devices does so in the vendor's name. */
static bool
has_label_of_vendor(const struct labels *labels, const char *name)
{
	return ANY(i, labels->n,
	    strncmp(sym_text(labels->at[i].key), name,
		strcspn(name, "/") + 1) == 0 &&
		strcmp(sym_text(labels->at[i].value), "false") != 0);
}

/* The first node that lists the resource, as its kubelet does once a device plugin has
 * registered it, or else that is labelled as if it had it; NULL: there is none. */
static const struct node *
claimed_by(const struct inquiry *q, const char *name, bool *listed)
{
	const sym resource = sym_find(name);
	const struct node *labelled = NULL;

	*listed = false;
	for (uint32_t i = 0; i < q->n && strchr(name, '/') != NULL; i++) {
		const struct node *node = q->e->nodes[i]->node;

		*listed =
		    resources_scalar(&node->allocatable, resource) != NULL;
		if (*listed)
			return node;
		if (labelled == NULL &&
		    has_label_of_vendor(&node->labels, name))
			labelled = node;
	}
	return labelled;
}

/* No node has any of it; other: what is proposed instead, or NULL. */
static void
describe_none(struct inquiry *q, const char *name, const char *asked,
    const char *other)
{
	bool pages = is_of_pages(name) && other == NULL, listed;
	const struct node *node =
	    other == NULL ? claimed_by(q, name, &listed) : NULL;

	describe(q, "No node has any %s%s: asks %s", name,
	    pages ? ", which kubelets count when they start" : "", asked);
	if (pages)
		suggest(q, REMEDY_READY,
		    "allocate them on a node and restart its kubelet");
	if (node == NULL)
		return;
	if (listed)
		describe(q, "%s lists %s, and has 0 of it",
		    sym_text(node->name), name);
	else
		describe(q, "%s; %s is labelled as if it had", q->d->text,
		    sym_text(node->name));
	suggest(q, REMEDY_READY,
	    "it fits once %s has some: see what its device plugin says",
	    sym_text(node->name));
}

enum provision
provision_of(const struct inquiry *q, const char *name)
{
	bool listed;

	return strchr(name, '/') == NULL || largest(q, name) > 0 ||
		is_of_devices(q, name) ?
	    PROVISION_OF_NODES :
	    claimed_by(q, name, &listed) != NULL ? PROVISION_FAILS :
						   PROVISION_OF_PLUGIN;
}

/* Larger than any node. */
static bool
describe_too_large(struct inquiry *q)
{
	struct arena *arena = q->arena;
	const char *name, *other;
	bool alike;

	for (unsigned i = 0; (name = resources_name(q->asked, i)) != NULL;
	     i++) {
		int64_t most = largest(q, name);
		int64_t asked = resources_get(q->asked, name);
		const char *amount = amount_text(arena, name, asked, false);

		if (asked <= most)
			continue;
		other = most == 0 ? resource_instead(q, name, &alike) : NULL;
		if (most == 0 && is_of_devices(q, name))
			describe(q,
			    "No node has enough free devices for %s: asks %s",
			    name, amount);
		else if (most == 0)
			describe_none(q, name, amount, other);
		else
			describe(q,
			    "Larger than any node: asks %s %s%s, the largest "
			    "has %s",
			    amount, name, asked_for(q, name, asked),
			    amount_text(arena, name, most, false));
		if (other != NULL)
			advise_instead(q,
			    alike ? REMEDY_SPELL : REMEDY_OTHER_TERMS, name,
			    other, asked, other);
		else if (lacks_milli(name, asked, most))
			advise_instead(q, REMEDY_SPELL, name, name,
			    asked / 1000,
			    arena_printf(arena, "%" PRId64 "m cpu",
				asked / 1000));
		return true;
	}
	return false;
}

/* Of the requests, the part that the node can give: the smallest of all
 * resources, from 0 to 1, -1 of none; *nshort resources are short. */
static double
share_of(const struct inquiry *q, const struct node_info *node,
    unsigned *nshort)
{
	struct lack l = { 0 };
	double least = 1;

	for (*nshort = 0; next_lack(q, node, &l); ++*nshort) {
		/* nothing left is nearer than none at all */
		double share = l.left > 0 ? (double)l.left / (double)l.asked :
		    resources_get(&node->node->allocatable, l.name) > 0 ? 0 :
									  -1;

		if (share < least)
			least = share;
	}
	return least;
}

/* The chosen node with the fewest shortages, then the smallest; the first by name. */
static const struct node_info *
nearest(const struct inquiry *q)
{
	const struct node_info *best = NULL;
	unsigned fewest = UINT32_MAX;
	double most = -2;

	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *node = q->e->nodes[i];
		unsigned nshort;
		double share;

		if (!is_chosen(q, node->index))
			continue;
		share = share_of(q, node, &nshort);
		if (nshort > fewest || (nshort == fewest && share <= most))
			continue;
		best = node;
		fewest = nshort;
		most = share;
	}
	return best;
}

static void
describe_short(const struct inquiry *q, const struct node_info *node)
{
	struct arena *arena = q->arena;
	const char *want = "", *have = "", *what = "";
	struct lack l = { 0 };

	for (unsigned n = 0; n < 3 && next_lack(q, node, &l); n++) {
		want = arena_append(arena, want, " and ",
		    arena_printf(arena, "%s %s",
			amount_text(arena, l.name, l.asked, false), l.name));
		if (what[0] == '\0')
			what = asked_for(q, l.name, l.asked);
		have = arena_append(arena, have, " and ",
		    amount_text(arena, l.name, l.left, true));
	}
	if (q->nchosen == q->n)
		describe(q, "No node has %s free%s: the nearest, %s, has %s",
		    want, what, sym_text(node->name), have);
	else if (q->nchosen == 1)
		describe(q,
		    "Short of %s%s on %s, the only node that would do: it has "
		    "%s",
		    want, what, sym_text(node->name), have);
	else
		describe(q,
		    "Short of %s%s on the %u node%s that would do: the "
		    "nearest, %s, has %s",
		    want, what, q->nchosen, plural_of(q->nchosen),
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
		    arena_printf(q->arena, "%s %s%s",
			amount_text(q->arena, l.name, l.left, true), l.name,
			asked_for(q, l.name, l.left)));
	}
	return text[0] != '\0' ? text : NULL;
}

typedef bool may_go(const struct cycle *cycle, const struct pod *pod);

static bool
is_of_other_revision(const struct cycle *cycle, const struct pod *pod)
{
	return judge_other_revision(pod, cycle->pod);
}

/* Jobs queue up behind each other; what follows those of a higher priority may come
 * before it, too. */
static bool
is_job_before_it(const struct cycle *cycle, const struct pod *pod)
{
	sym job = sym_find("Job");

	return job != SYM_NONE && pod->class->controller_kind == job &&
	    cycle->class->controller_kind == job && !pod_has_ended(pod) &&
	    pod->priority <= cycle->pod->priority;
}

/* The least important of the pods that may go, and whose deletion makes room for one of
 * this class; of several the first by name. */
static const struct pod *
pod_to_go(const struct inquiry *q, const struct node_info *node,
    const struct pod_class *class, may_go *may)
{
	const struct pod *best = NULL;

	for (uint32_t i = 0; i < node->npods && i < PODS_TRIED; i++) {
		const struct pod *pod = node->pods[i];

		if (!may(q->cycle, pod))
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

void
advise_room(struct inquiry *q, const struct node_info *node)
{
	/* A pod without the obstacles beside that of the sentence: OTHER hides
	 * what else there may be. */
	const struct pod_class *class = q->saying == DEMAND_OTHER ?
	    class_without(q->arena, q->cycle->class, EVERY_DEMAND) :
	    class_with_alone(q, BIT(REQUESTS));
	struct way leaving = { .node = node };
	const struct pod *pod = q->saying == DEMAND_OTHER ?
	    pod_to_go(q, node, q->cycle->class, judge_may_leave) :
	    NULL;

	if (pod == NULL)
		pod = pod_to_go(q, node, class, judge_may_leave);
	/* All that are on their way out, if that makes room. */
	leaving.pods = arena_array(q->arena, const struct pod *, node->npods);
	for (uint32_t i = 0; i < node->npods; i++)
		if (node->pods[i]->class->terminating)
			leaving.pods[leaving.n++] = node->pods[i];
	if (leaving.n > 0 &&
	    fits_changed(q, class, node, node->node, leaving.n, leaving.pods))
		advise_move(q, &leaving);
	if (pod != NULL)
		advise_move(q, &(struct way){ node, 1, &pod });
	pod = pod_to_go(q, node, class, is_of_other_revision);
	if (pod != NULL)
		advise_rollout(q, &(struct way){ node, 1, &pod });
	pod = pod_to_go(q, node, class, is_job_before_it);
	if (pod != NULL)
		proposal_moves(q,
		    propose(q, REMEDY_WAIT, "wait", pod_full_name(pod),
			sym_text(node->name), "it fits once %s, of a Job, ends",
			pod_full_name(pod)),
		    node, 1, &pod);
}

/* Less than half of a request is another pod. */
static void
advise_request(struct inquiry *q, const struct node_info *node)
{
	struct resources *r = arena_array(q->arena, struct resources, 1);
	const char *text;
	struct lack last = { 0 };
	unsigned nshort;

	*r = resources_copy(q->arena, q->asked);
	text = reduce(q, node, r, &last);
	if (text == NULL)
		return;
	name_node(q, node);
	propose_class(q, with_requests(q, r),
	    share_of(q, node, &nshort) >= 0.5 ? REMEDY_REQUEST : REMEDY_LESS,
	    "request", last.name,
	    amount_text(q->arena, last.name, last.left, true),
	    "request at most %s (free on %s)", text, sym_text(node->name));
}

void
describe_requests(struct inquiry *q)
{
	const struct node_info *node = nearest(q);

	q->d->cause = "requests";
	q->is_of_all = describe_too_large(q);
	if (!q->is_of_all) {
		describe_short(q, node);
		advise_room(q, node);
	}
	advise_request(q, node);
}
