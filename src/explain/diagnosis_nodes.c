/* Demands of the node itself: labels, taints, conditions. */
#include "config.h"

#include <inttypes.h>
#include <time.h>

#include "base/text.h"
#include "decide/framework/args.h"
#include "decide/framework/profile.h"
#include "decide/framework/tolerating.h"
#include "objects/confines.h"
#include "explain/diagnosis_internal.h"
#include "explain/miss.h"
#include "decide/sched/filter.h"

/* ---- the node selector ---- */

/* A pair of nodeSelector, or a requirement of required node affinity. */
struct wish {
	sym key;
	const struct label *pair;
	const struct requirement *requirement;
	uint32_t term, at; /* of the requirement */
};

static bool
grants(const struct wish *w, const struct node_info *node)
{
	if (w->pair != NULL)
		return labels_get(&node->node->labels, w->key) ==
		    w->pair->value;
	return requirement_matches(w->requirement, &node->node->labels);
}

/* Whether it asks for nodes without the label. */
static bool
is_negative(const struct wish *w)
{
	return w->pair == NULL &&
	    (w->requirement->op == SELECTOR_NOT_IN ||
		w->requirement->op == SELECTOR_DOES_NOT_EXIST);
}

/* The label: "pool=a", "pool in (a, b)". */
static const char *
label_text(const struct inquiry *q, const struct wish *w)
{
	static const char *const words[] = {
		[SELECTOR_IN] = "in",
		[SELECTOR_NOT_IN] = "in",
		[SELECTOR_GT] = ">",
		[SELECTOR_LT] = "<",
	};
	const struct requirement *r = w->requirement;
	const char *values = "";

	if (w->pair != NULL)
		return pair_text(q, w->key, w->pair->value);
	if (r->op == SELECTOR_EXISTS || r->op == SELECTOR_DOES_NOT_EXIST)
		return sym_text(r->key);
	if (r->op == SELECTOR_GT || r->op == SELECTOR_LT)
		return arena_printf(q->arena, "%s %s %" PRId64,
		    sym_text(r->key), words[r->op], r->number);
	if (r->nvalues == 1)
		return pair_text(q, r->key, r->values[0]);
	for (uint32_t i = 0; i < r->nvalues && i < 4; i++)
		values = arena_printf(q->arena, "%s%s%s", values,
		    i > 0 ? ", " : "", sym_text(r->values[i]));
	return arena_printf(q->arena, "%s %s (%s%s)", sym_text(r->key),
	    words[r->op], values, r->nvalues > 4 ? ", ..." : "");
}

static const char *
wish_text(const struct inquiry *q, const struct wish *w)
{
	return arena_printf(q->arena, "%s%s",
	    is_negative(w) ? "nodes without " : "", label_text(q, w));
}

/* Only the requirements of the first term: one term that matches is enough. */
static struct wish *
wishes_in(const struct inquiry *q, const struct labels *pairs,
    const struct node_selector *terms, uint32_t *n)
{
	const struct selector *labels =
	    terms->n > 0 ? &terms->at[0].labels : &(struct selector){ 0 };
	struct wish *wishes =
	    arena_array(q->arena, struct wish, pairs->n + labels->n);

	*n = 0;
	for (uint32_t i = 0; i < pairs->n; i++)
		wishes[(*n)++] = (struct wish){
			.key = pairs->at[i].key,
			.pair = &pairs->at[i],
		};
	for (uint32_t i = 0; i < labels->n; i++)
		wishes[(*n)++] = (struct wish){ .key = labels->at[i].key,
			.requirement = &labels->at[i],
			.at = i };
	return wishes;
}

static struct wish *
wishes_of(const struct inquiry *q, uint32_t *n)
{
	return wishes_in(q, &q->cycle->class->node_selector,
	    &q->cycle->class->required_node_affinity, n);
}

/* The class with a copy of the pairs, or of the requirements of the first term, in which
 * the wish is, to be changed. */
struct edit {
	struct pod_class *class;
	struct label *pairs, *pair;
	struct node_selector_term *term;
	struct requirement *all, *requirement;
};

static struct edit
edit_wish(const struct inquiry *q, struct pod_class *class,
    const struct wish *w)
{
	struct edit e = { .class = class };
	struct labels *labels = &e.class->node_selector;
	struct node_selector *terms = &e.class->required_node_affinity;

	if (w->pair != NULL) {
		e.pair = e.pairs = arena_memdup(q->arena, labels->at,
		    labels->n * sizeof(*e.pairs));
		e.pair += w->pair - q->cycle->class->node_selector.at;
		labels->at = e.pairs;
		return e;
	}
	terms->at = e.term =
	    arena_memdup(q->arena, terms->at, terms->n * sizeof(*e.term));
	e.term->labels.at = e.all = arena_memdup(q->arena, e.term->labels.at,
	    e.term->labels.n * sizeof(*e.all));
	e.requirement = &e.all[w->at];
	return e;
}

/* The class with another value in the place of the wished one. */
static struct pod_class *
with_value(const struct inquiry *q, struct pod_class *class,
    const struct wish *w, const sym *value)
{
	struct edit e = edit_wish(q, class, w);

	if (e.pair != NULL) {
		e.pair->value = *value;
	} else {
		e.requirement->op = SELECTOR_IN;
		e.requirement->nvalues = 1;
		e.requirement->values = value;
	}
	return e.class;
}

static sym
wished_value(const struct wish *w)
{
	if (w->pair != NULL)
		return w->pair->value;
	return w->requirement->op == SELECTOR_IN &&
		w->requirement->nvalues > 0 ?
	    w->requirement->values[0] :
	    SYM_NONE;
}

#define VALUES_TRIED 8
#define LABELS_TRIED 4 /* nodes to be labelled */

/* Of the values that the nodes (the chosen ones, once they are) have under the key and
 * that were not tried, the one that is most like the requested one; SYM_NONE: all were
 * tried. */
static sym
closest_value(const struct inquiry *q, const struct wish *w, const sym *tried,
    unsigned ntried)
{
	unsigned least = UINT32_MAX;
	sym best = SYM_NONE, last = SYM_NONE;

	for (uint32_t i = 0; i < q->n; i++) {
		sym value;
		unsigned distance;

		if (q->chosen != 0 && !is_chosen(q, i))
			continue;
		value = labels_get(&inquiry_node(q, i)->node->labels, w->key);
		if (value == SYM_NONE || value == last ||
		    ANY(k, ntried, tried[k] == value))
			continue;
		last = value;
		distance =
		    text_distance(sym_text(wished_value(w)), sym_text(value));
		if (distance < least) {
			least = distance;
			best = value;
		}
	}
	return best;
}

/* The first of these that lets the pod in; NULL: none does. */
static const sym *
value_instead(const struct inquiry *q, const struct wish *w, bool *alike)
{
	sym *tried = arena_array(q->arena, sym, VALUES_TRIED);

	*alike = false;
	if (wished_value(w) == SYM_NONE)
		return NULL;
	for (unsigned n = 0; n < VALUES_TRIED; n++) {
		tried[n] = closest_value(q, w, tried, n);
		if (tried[n] == SYM_NONE)
			return NULL;
		if (fits_with(q,
			with_value(q, class_with_alone(q, BIT(SELECTOR)), w,
			    &tried[n])) == 0)
			continue;
		*alike = label_is_mistyped(w->key, wished_value(w), tried[n]);
		return &tried[n];
	}
	return NULL;
}

static uint32_t
count_granting(const struct inquiry *q, const struct wish *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < q->n; i++)
		n += grants(w, inquiry_node(q, i));
	return n;
}

/* The requirement that the fewest nodes meet. */
static const struct wish *
rarest(const struct inquiry *q, const struct wish *wishes, uint32_t n)
{
	uint32_t fewest = UINT32_MAX, at = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t count = count_granting(q, &wishes[i]);

		if (count < fewest) {
			fewest = count;
			at = i;
		}
	}
	return n > 0 ? &wishes[at] : NULL;
}

const struct node_info *
first_chosen(const struct inquiry *q)
{
	const struct node_info **first =
	    FIND(i, q->e->nodes, q->n, is_chosen(q, q->e->nodes[i]->index));

	return first != NULL ? *first : NULL;
}

void
find_intended_nodes(struct inquiry *q)
{
	uint32_t n;
	struct wish *wishes = wishes_of(q, &n);
	const struct wish *w = rarest(q, wishes, n);
	sym value;

	if (w == NULL || wished_value(w) == SYM_NONE ||
	    count_granting(q, w) > 0)
		return;
	value = closest_value(q, w, NULL, 0);
	if (value == SYM_NONE ||
	    !label_is_mistyped(w->key, wished_value(w), value))
		return;
	q->meant_key = w->key;
	q->meant_value = value;
}

/* Whether the node may get the label: one that states a fact must be true, as far as
 * the label that replaced it says. */
static bool
may_label(const struct node_info *node, sym key, sym value)
{
	sym other = label_renamed(key);

	return !label_is_fact(key) ||
	    (other != SYM_NONE &&
		labels_get(&node->node->labels, other) == value);
}

/* Proposes that the node gets these labels, if it may. */
static void
propose_labels(struct inquiry *q, const struct node_info *node,
    enum remedy_kind kind, uint32_t n, const struct label *labels)
{
	const char *text = "", *name = sym_text(node->name);
	struct proposal *p;

	for (uint32_t i = 0; i < n; i++) {
		if (labels[i].value == SYM_NONE ||
		    !may_label(node, labels[i].key, labels[i].value))
			return;
		text = arena_append(q->arena, text, " ",
		    pair_text(q, labels[i].key, labels[i].value));
	}
	p = propose(q, kind, "label", name, text, "label node %s %s", name,
	    text);
	for (uint32_t i = 0; i < n; i++)
		proposal_labels(q, p, node, labels[i].key, labels[i].value);
}

/* A value that makes a node match; SYM_NONE: none is known. */
static sym
matching_value(const struct wish *w)
{
	return w->pair == NULL && w->requirement->op == SELECTOR_EXISTS ?
	    SYM_EMPTY :
	    wished_value(w);
}

/* Proposes the labels that are wished and that the node lacks. */
static void
propose_wishes(struct inquiry *q, const struct node_info *node,
    enum remedy_kind kind, uint32_t n, const struct wish *wishes)
{
	struct label *lacking = arena_array(q->arena, struct label, n);
	uint32_t nlacking = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!grants(&wishes[i], node))
			lacking[nlacking++] = (struct label){ wishes[i].key,
				matching_value(&wishes[i]) };
	propose_labels(q, node, kind, nlacking, lacking);
}

/* A label of a node with the wished value whose key is alike; SYM_NONE: there is
 * none. */
static sym
similar_key(const struct inquiry *q, const struct wish *w)
{
	for (uint32_t i = 0; i < q->n; i++) {
		const struct labels *has = &q->e->nodes[i]->node->labels;

		for (uint32_t k = 0; k < has->n; k++)
			if (has->at[k].value == wished_value(w) &&
			    has->at[k].key != w->key &&
			    name_is_like(sym_text(w->key),
				sym_text(has->at[k].key)))
				return has->at[k].key;
	}
	return SYM_NONE;
}

/* The name that the label has now, or had before, or is alike, on nodes with the
 * value. */
static void
advise_renamed(struct inquiry *q, const struct wish *w)
{
	sym key = label_renamed(w->key), wished = wished_value(w);
	const char *name;
	struct edit e;

	if (key == SYM_NONE && count_granting(q, w) == 0)
		key = similar_key(q, w);
	if (key == SYM_NONE || wished == SYM_NONE)
		return;
	e = edit_wish(q, class_with_alone(q, BIT(SELECTOR)), w);
	if (e.pair != NULL) {
		e.pair->key = key;
		labels_sort(e.pairs, e.class->node_selector.n);
	} else {
		e.requirement->key = key;
	}
	if (fits_with(q, e.class) == 0)
		return;
	name = sym_text(key);
	propose_class(q, e.class, REMEDY_SPELL, "select", name,
	    sym_text(wished), "select %s=%s", name, sym_text(wished));
}

/* Proposes not to ask for this. */
static void
advise_without(struct inquiry *q, const struct wish *w, enum remedy_kind kind)
{
	struct edit e = edit_wish(q, class_with_alone(q, BIT(SELECTOR)), w);
	struct pod_class *c = e.class;

	if (e.pair != NULL) {
		*e.pair = e.pairs[--c->node_selector.n];
		labels_sort(e.pairs, c->node_selector.n);
	} else {
		*e.requirement = e.all[--e.term->labels.n];
		/* a term without requirements matches nothing */
		if (e.term->labels.n + e.term->fields.n == 0) {
			c->required_node_affinity = (struct node_selector){ 0 };
			c->has_required_node_affinity = false;
		}
	}
	propose_class(q, c, kind, "select", sym_text(w->key), "",
	    "do not ask %s%s", is_negative(w) ? "for " : "nodes for ",
	    wish_text(q, w));
}

/* Proposes what was meant by several values that no node has. */
static void
advise_values(struct inquiry *q)
{
	struct pod_class *class = class_with_alone(q, BIT(SELECTOR));
	const char *text = "";
	unsigned nmeant = 0;
	uint32_t n;
	struct wish *wishes = wishes_of(q, &n);
	sym *values = arena_array(q->arena, sym, n);

	for (uint32_t i = 0; i < n; i++) {
		const struct wish *w = &wishes[i];

		if (wished_value(w) == SYM_NONE || count_granting(q, w) > 0)
			continue;
		values[i] = closest_value(q, w, NULL, 0);
		if (values[i] == SYM_NONE ||
		    !label_is_mistyped(w->key, wished_value(w), values[i]))
			return;
		class = with_value(q, class, w, &values[i]);
		text = arena_append(q->arena, text, " and ",
		    pair_text(q, w->key, values[i]));
		nmeant++;
	}
	if (nmeant < 2 || fits_with(q, class) == 0)
		return;
	describe(q, "%s (did you mean %s?)", q->d->text, text);
	propose_class(q, class, REMEDY_SPELL, "select", text, "", "select %s",
	    text);
}

/* matching: some nodes match, so that another selector is another intent. */
static void
advise_selector(struct inquiry *q, const struct wish *w, bool matching)
{
	const char *key = sym_text(w->key);
	const sym *value = NULL;
	bool is_host = strcmp(label_last_part(w->key), "hostname") == 0;
	bool alike = false;
	uint32_t n = 0, nwishes;
	const struct wish *wishes = wishes_of(q, &nwishes);

	advise_renamed(q, w);
	if (!label_is_platform(w->key))
		value = value_instead(q, w, &alike);
	alike &= count_granting(q, w) == 0;
	/* another host is as good as any */
	if (is_host && !alike)
		value = NULL;
	if (is_host || wished_value(w) == SYM_NONE)
		advise_without(q, w,
		    is_host && count_granting(q, w) > 0 ? REMEDY_OTHER_HOST :
							  REMEDY_OTHER_TERMS);
	for (uint32_t i = 0; i < q->n && n < LABELS_TRIED; i++)
		if (matching_value(w) != SYM_NONE &&
		    is_chosen(q, q->e->nodes[i]->index)) {
			n++;
			propose_wishes(q, q->e->nodes[i],
			    matching ? REMEDY_OTHER_TERMS : REMEDY_LABEL,
			    nwishes, wishes);
		}
	if (value == NULL) {
		advise_values(q);
		return;
	}
	if (alike)
		describe(q, "%s (did you mean %s?)", q->d->text,
		    sym_text(*value));
	/* another value where a node may get the label is another intent, too */
	propose_class(q,
	    with_value(q, class_with_alone(q, BIT(SELECTOR)), w, value),
	    alike                                  ? REMEDY_SPELL :
		matching || !label_is_fact(w->key) ? REMEDY_OTHER_TERMS :
						     REMEDY_TERMS,
	    "select", key, sym_text(*value), "select %s=%s", key,
	    sym_text(*value));
}

void
describe_selector(struct inquiry *q)
{
	uint32_t n;
	struct wish *wishes = wishes_of(q, &n);
	const struct wish *w = rarest(q, wishes, n);
	uint32_t terms = q->cycle->class->required_node_affinity.n;
	bool matching = ANY(i, q->n, (q->obstacles[i] & BIT(SELECTOR)) == 0);

	q->d->cause = "selector";
	if (w == NULL) {
		const struct node_selector *asked =
		    &q->cycle->class->required_node_affinity;
		const struct requirement *field =
		    terms == 1 && asked->at[0].fields.n == 1 ?
		    asked->at[0].fields.at :
		    NULL;

		q->d->text = "No node matches the required node affinity";
		if (field != NULL && field->op == SELECTOR_IN &&
		    field->nvalues == 1)
			describe(q,
			    "Node %s, the only one that its affinity takes, is "
			    "not there",
			    sym_text(field->values[0]));
		return;
	}
	if (w->requirement != NULL && terms > 1)
		describe(q,
		    "No node matches any of the %u terms of the node affinity; "
		    "the first asks for %s",
		    terms, wish_text(q, w));
	else if (count_granting(q, w) == 0 && is_negative(w))
		describe(q, "It asks for %s, and all have it", wish_text(q, w));
	else if (count_granting(q, w) == 0)
		describe(q, "No node has %s", wish_text(q, w));
	else if (matching)
		describe(q,
		    "%u node%s would do but for the selector: it asks for %s",
		    q->nchosen, plural_of(q->nchosen), wish_text(q, w));
	else
		describe(q,
		    "No node has all that the node selector asks for; %s is "
		    "the rarest",
		    wish_text(q, w));
	advise_selector(q, w, matching);
}

/* ---- taints ---- */

/* Taints that several nodes have alike. */
struct tainted {
	const char *text; /* "a=b:NoSchedule, c:NoExecute", but for cordons */
	const char
	    *platform; /* "arm64": images must be built for it; or NULL */
	enum closed closed;
	const struct node_info *node; /* the first of them, by name */
	uint32_t n;
};

#define NODES_COMPARED 256

/* Whether the node has what the pod does not request and what some node lacks, such as
 * GPUs. */
static bool
is_for_other_pods(const struct inquiry *q, const struct node_info *node)
{
	const struct resources *has = &node->node->allocatable;

	for (uint32_t i = 0; i < has->nscalars; i++) {
		const char *name = sym_text(has->scalars[i].name);

		if (strchr(name, '/') == NULL || has->scalars[i].amount == 0 ||
		    resources_get(q->asked, name) != 0)
			continue;
		for (uint32_t j = 0; j < q->n && j < NODES_COMPARED; j++)
			if (resources_get(&inquiry_node(q, j)
					       ->node->allocatable,
				name) == 0)
				return true;
	}
	return false;
}

/* Whether the pod says what its images are built for. */
static bool
selects_platform(const struct inquiry *q)
{
	uint32_t n;
	const struct wish *wishes = wishes_of(q, &n);

	return ANY(i, n, label_is_platform(wishes[i].key));
}

/* The taints of the node that the pod does not tolerate and that keep it away. */
static struct tainted
untolerated(const struct inquiry *q, const struct node_info *node)
{
	struct tolerating tolerating = tolerating_now(q->cycle);
	struct tainted all = { .text = "", .node = node, .n = 1 };
	bool cordoned = node->node->unschedulable, unready = false,
	     removed = false, role = false;

	for (uint32_t i = 0; i < node->node->ntaints; i++) {
		const struct taint *t = &node->node->taints[i];
		enum taint_kind kind;

		if (!taint_keeps_pods_out(t) || tolerates(&tolerating, t))
			continue;
		kind = taint_kind(t);
		if (kind == TAINT_CORDON) {
			cordoned = true;
			continue;
		}
		unready |= kind == TAINT_CONDITION || kind == TAINT_STARTUP;
		removed |= kind == TAINT_REMOVAL;
		if (taint_is_of_platform(t, &node->node->labels) &&
		    !selects_platform(q))
			all.platform = sym_text(t->value);
		role = role || all.platform != NULL || kind == TAINT_ROLE ||
		    is_for_other_pods(q, node);
		all.text = arena_append(q->arena, all.text, ", ",
		    taint_text(q->arena, t));
	}
	all.closed = removed    ? CLOSED_REMOVED :
	    unready             ? CLOSED_UNREADY :
	    role                ? CLOSED_FOR_A_ROLE :
	    !cordoned           ? CLOSED_TAINTED :
	    all.text[0] == '\0' ? CLOSED_CORDONED :
				  CLOSED_BOTH;
	return all;
}

enum closed
closed_by(const struct inquiry *q, const struct node_info *node)
{
	return untolerated(q, node).closed;
}

static struct tainted
commonest(const struct inquiry *q)
{
	struct tainted *all = NULL, best = { 0 };
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < q->n; i++) {
		struct tainted t, *same;

		if (!is_chosen(q, i))
			continue;
		t = untolerated(q, inquiry_node(q, i));
		same = FIND(at, all, n,
		    all[at].closed == t.closed &&
			strcmp(all[at].text, t.text) == 0);
		if (same == NULL) {
			arena_room(q->arena, all, n, &cap);
			all[n++] = t;
			continue;
		}
		same->n++;
		if (sym_cmp(t.node->name, same->node->name) < 0)
			same->node = t.node;
	}
	/* Less to be done before more nodes. */
	for (size_t i = 0; i < n; i++)
		if (i == 0 || all[i].closed < best.closed ||
		    (all[i].closed == best.closed && all[i].n > best.n))
			best = all[i];
	return best;
}

static void
describe_cordoned(struct inquiry *q, const struct node_info *node, uint32_t n,
    bool alone)
{
	const char *name = sym_text(node->name);

	q->d->cause = "node";
	if (n == 1)
		describe(q, "Node %s is cordoned%s", name,
		    alone ? ", the only obstacle there" : "");
	else
		describe(q, "%u nodes are cordoned%s", n,
		    alone ? ", the only obstacle on them" : "");
	node_uncordon(q->arena,
	    proposal_node(q,
		propose(q, REMEDY_UNCORDON, "uncordon", name, "", "uncordon %s",
		    name),
		node));
}

/* " since 2026-01-31T03:12:00Z"; "": it is not known. */
static const char *
since_text(const struct inquiry *q, int64_t since)
{
	char text[64];
	struct tm tm;

	if (since == 0 || gmtime_r(&(time_t){ since }, &tm) == NULL ||
	    strftime(text, sizeof(text), " since %Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		return "";
	return arena_printf(q->arena, "%s", text);
}

/* The condition that is bad, "DiskPressure" or "Ready is Unknown", since when; NULL:
 * none is. */
static const char *
bad_condition(const struct inquiry *q, const struct node_info *node)
{
	const char *other = NULL;

	for (uint32_t i = 0; i < node->node->nconditions; i++) {
		const struct node_condition *c = &node->node->conditions[i];
		const char *type = sym_text(c->type);
		const char *status = sym_text(c->status);
		bool is_true = strcmp(status, "True") == 0;

		if (strcmp(type, "Ready") == 0 && !is_true)
			return arena_printf(q->arena, "Ready is %s%s", status,
			    since_text(q, c->since));
		if (strcmp(type, "Ready") != 0 && is_true && other == NULL)
			other = arena_printf(q->arena, "%s%s", type,
			    since_text(q, c->since));
	}
	return other;
}

static bool
has_taint(const struct node *node, const char *key)
{
	return ANY(i, node->ntaints,
	    strcmp(sym_text(node->taints[i].key), key) == 0);
}

/* How the node becomes ready. */
static const char *
way_to_ready(const struct inquiry *q, const struct node *node)
{
	static const struct {
		const char *taint;
		bool first; /* also if its kubelet is not ready */
		const char *way;
	} known[] = {
		{ "node.cloudprovider.kubernetes.io/shutdown", true,
		    "start its machine" },
		{ "node.kubernetes.io/out-of-service", false,
		    "remove its taint node.kubernetes.io/out-of-service" },
		{ "node.cloudprovider.kubernetes.io/uninitialized", false,
		    "see what its cloud controller manager says" },
		{ "node.kubernetes.io/network-unavailable", false,
		    "see what its network plugin says" },
		{ "node.kubernetes.io/disk-pressure", false,
		    "free disk space or inodes there" },
		{ "node.kubernetes.io/memory-pressure", false,
		    "see what uses its memory" },
	};
	bool ready = node_is_ready(node);

	for (size_t i = 0; i < LENGTH(known); i++)
		if ((ready || known[i].first) &&
		    has_taint(node, known[i].taint))
			return known[i].way;
	for (uint32_t i = 0; ready && i < node->ntaints; i++) {
		const char *key = sym_text(node->taints[i].key);

		if (taint_kind(&node->taints[i]) == TAINT_STARTUP)
			return arena_printf(q->arena,
			    "see what its agent of %.*s says",
			    (int)strcspn(key, "/"), key);
	}
	return "see what its kubelet says";
}

/* The pod's tolerations and those of the node's taints. */
static struct pod_class *
tolerating_all_of(const struct inquiry *q, const struct node *node)
{
	struct pod_class *c = class_without(q->arena, q->cycle->class, 0);
	struct toleration *all = arena_array(q->arena, struct toleration,
	    c->ntolerations + node->ntaints);

	if (c->ntolerations > 0)
		memcpy(all, c->tolerations, c->ntolerations * sizeof(*all));
	for (uint32_t i = 0; i < node->ntaints; i++)
		all[c->ntolerations++] = (struct toleration){
			.key = node->taints[i].key,
			.value = node->taints[i].value,
			.op = TOLERATION_EQUAL,
			.effect = node->taints[i].effect,
			.effect_text = node->taints[i].effect_text,
		};
	c->tolerations = all;
	return c;
}

/* Nothing but what a new node has until its agents run keeps pods away. */
static bool
is_starting(const struct node *node)
{
	static const char *const starting[] = { "node.kubernetes.io/not-ready",
		"node.kubernetes.io/network-unavailable" };

	return !ANY(i, node->ntaints,
	    taint_kind(&node->taints[i]) == TAINT_CONDITION &&
		!text_is_one_of(sym_text(node->taints[i].key), starting,
		    LENGTH(starting)));
}

/* Nodes that are not ready, of which this is the first. */
static void
describe_unready(struct inquiry *q, const struct node_info *node, uint32_t n,
    const char *taints)
{
	const char *name = sym_text(node->name), *bad = bad_condition(q, node);
	struct pod_class *class;

	if (bad == NULL)
		bad = taints;
	q->d->cause = "node";
	if (n == 1)
		describe(q, "Node %s is not ready for pods: %s", name, bad);
	else
		describe(q, "%u nodes are not ready for pods: %s on %s", n, bad,
		    name);
	if (judge_starts_nodes(q->cycle->pod) && is_starting(node->node)) {
		class = class_with_alone(q, BIT(TOLERATIONS));
		class_take(class, tolerating_all_of(q, node->node),
		    BIT(TOLERATIONS));
		if (fits_with(q, class) > 0) {
			propose_class(q, class, REMEDY_TOLERATE, "tolerate",
			    taints, "",
			    "tolerate %s, as nodes may be ready only once it "
			    "runs",
			    taints);
			return;
		}
	}
	node_make_ready(q->arena,
	    proposal_node(q,
		propose(q, REMEDY_READY, "ready", name, "",
		    "it fits once %s is ready: %s", name,
		    way_to_ready(q, node->node)),
		node));
}

/* An autoscaler that fails to remove a node may leave its taint there, whose value is
 * the time. */
static void
advise_kept(struct inquiry *q, const struct node_info *node)
{
	static const char key[] = "ToBeDeletedByClusterAutoscaler";

	for (uint32_t i = 0; i < node->node->ntaints; i++) {
		const struct taint *t = &node->node->taints[i];
		const char *since;

		if (strcmp(sym_text(t->key), key) != 0)
			continue;
		since = since_text(q, atoll(sym_text(t->value)));
		suggest(q, REMEDY_READY, "if %s stays, remove its taint %s%s%s",
		    sym_text(node->name), key,
		    since[0] != '\0' ? ", there" : "", since);
	}
}

void
describe_taints(struct inquiry *q)
{
	bool alone = q->chosen == BIT(TOLERATIONS);
	struct tainted t = commonest(q);
	bool many = strchr(t.text, ',') != NULL;
	struct proposal *p;

	q->d->cause = "taint";
	q->d->nnodes = t.n;
	if (t.closed == CLOSED_CORDONED) {
		describe_cordoned(q, t.node, t.n, alone);
		return;
	}
	if (t.closed == CLOSED_UNREADY) {
		describe_unready(q, t.node, t.n, t.text);
		return;
	}
	describe(q, "Taint%s %s %s on %u node%s", many ? "s" : "", t.text,
	    !alone ? "not tolerated" :
		t.closed == CLOSED_BOTH ?
		     "and a cordon are the only obstacles" :
		many ? "are the only obstacle" :
		       "is the only obstacle",
	    t.n, plural_of(t.n));
	if (t.closed == CLOSED_REMOVED) {
		advise_kept(q, t.node);
		return;
	}
	name_node(q, t.node);
	p = propose(q,
	    t.closed == CLOSED_TAINTED ? REMEDY_TOLERATE : REMEDY_OTHER_TERMS,
	    "tolerate", t.text, "", "tolerate %s%s%s", t.text,
	    t.closed == CLOSED_BOTH ? " and uncordon " :
		t.platform != NULL  ? ", if its images are built for " :
				      "",
	    t.closed == CLOSED_BOTH ? sym_text(t.node->name) :
		t.platform != NULL  ? t.platform :
				      "");
	p->class = tolerating_all_of(q, t.node->node);
	if (t.closed == CLOSED_BOTH)
		node_uncordon(q->arena, proposal_node(q, p, t.node));
}

/* ---- the rest ---- */

void
describe_confines(struct inquiry *q)
{
	const struct labels *labels = &q->cycle->class->confines->node_selector;

	q->d->cause = "confined";
	if (labels->n > 0)
		describe(q,
		    "Namespace %s confines its pods to nodes with %s=%s",
		    sym_text(q->cycle->class->namespace),
		    sym_text(labels->at[0].key), sym_text(labels->at[0].value));
	else
		q->d->text = "The pod's confines leave no node that fits";
	suggest(q, REMEDY_PROVIDE,
	    "change the namespace's confines, or label a node");
}

const char *
nominated_names(const struct cycle *cycle, const struct node_info *node)
{
	const struct pod **pods =
	    arena_array(cycle->arena, const struct pod *, node->nnominated);
	size_t n = 0;

	for (uint32_t i = 0; i < node->nnominated; i++)
		if (cycle_yields_to(cycle, node->nominated[i]))
			pods[n++] = node->nominated[i];
	return pod_names(cycle->arena, n, pods);
}

void
describe_nominated(struct inquiry *q)
{
	const struct node_info *node = first_chosen(q);

	name_node(q, node);
	q->d->cause = "nominated";
	describe(q, "The room on %s is kept for %s, nominated to it",
	    sym_text(node->name), nominated_names(q->cycle, node));
	propose(q, REMEDY_PRIORITY, "prioritize", "priority",
	    arena_printf(q->arena, "%" PRId32, q->priority),
	    "give it priority %" PRId32 " or more", q->priority);
}

/* The rules' own reasons. */
static const char *
reasons_of(const struct inquiry *q, const struct node_info *node)
{
	const char **reasons;
	size_t n;

	if (q->e->decision->error != NULL)
		return q->e->decision->error;
	reasons = explanation_reasons(q->e, node, &n);
	return n > 0 ? arena_join(q->arena, n < 3 ? n : 3, reasons, "; ") :
		       q->e->message;
}

/* What there is to be done about a rule that wants labels on nodes, or does not. */
static void
advise_rule(struct inquiry *q, const struct node_info *node,
    const struct profile_predicate *rule)
{
	const struct labels *has = &node->node->labels;
	const struct labels_presence_args *presence = rule->args;
	const struct node_affinity_args *affinity = rule->args;
	struct label *lacking;
	uint32_t n = 0;

	if (rule->unit->plugin == PLUGIN_NODE_LABEL && !presence->presence) {
		suggest(q, REMEDY_LABEL,
		    "remove the label from a node, or the predicate from the "
		    "policy");
	} else if (rule->unit->plugin == PLUGIN_NODE_LABEL) {
		lacking = arena_array(q->arena, struct label, presence->n);
		for (size_t i = 0; i < presence->n; i++)
			if (labels_get(has, presence->labels[i]) == SYM_NONE)
				lacking[n++] =
				    (struct label){ presence->labels[i],
					    SYM_EMPTY };
		propose_labels(q, node, REMEDY_LABEL, n, lacking);
	} else if (rule->unit->plugin == PLUGIN_NODE_AFFINITY &&
	    affinity->has_required && affinity->required.n > 0) {
		const struct wish *wishes = wishes_in(q, &(struct labels){ 0 },
		    &affinity->required, &n);

		propose_wishes(q, node, REMEDY_LABEL, n, wishes);
	}
}

/* The rule that refuses this one of the chosen nodes by its arguments, which only the
 * policy or the profile knows.  False: another does. */
static bool
describe_own_rule(struct inquiry *q, const struct node_info *node)
{
	const struct profile *profile = q->cycle->profile;
	const struct profile_predicate *rule = NULL;
	const char *text = NULL;
	const void *prep;

	for (size_t i = 0; i < profile->npredicates; i++) {
		struct why why = { .arena = q->cycle->arena };

		rule = &profile->predicates[i];
		if (rule_prepare(q->cycle, rule, &prep) &&
		    rule->unit->check(q->cycle, node, prep, &why) != FITS)
			break;
		rule = NULL;
	}
	if (rule == NULL || rule->args == NULL)
		return false;
	if (rule->unit->miss != NULL)
		text = rule->unit->miss(q->cycle, node, prep);
	describe(q, "The %s %s keeps it from %u node%s: on %s %s",
	    rule->line != 0 ? "policy's predicate" : "profile's plugin",
	    rule->name, q->nchosen, plural_of(q->nchosen), sym_text(node->name),
	    text != NULL ? text : reasons_of(q, node));
	advise_rule(q, node, rule);
	return true;
}

/* Nodes that refuse any pod: the first by name of those that are the simplest to
 * help. */
void
describe_other(struct inquiry *q)
{
	const struct node_info *cordoned = NULL, *full = NULL, *unready = NULL;
	uint32_t ncordoned = 0, nfull = 0, nunready = 0;

	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *at = q->e->nodes[i];
		const struct node_info **of;

		if (!is_chosen(q, at->index))
			continue;
		if (!node_is_ready(at->node)) {
			of = &unready;
			nunready++;
		} else if (at->node->unschedulable) {
			of = &cordoned;
			ncordoned++;
		} else if (at->npods >= at->node->allocatable.pods) {
			of = &full;
			nfull++;
		} else {
			continue;
		}
		if (*of == NULL)
			*of = at;
	}
	q->d->cause = "other";
	if (cordoned != NULL) {
		describe_cordoned(q, cordoned, ncordoned, true);
	} else if (full != NULL) {
		q->d->cause = "pods";
		describe(q,
		    "%u node%s %s as many pods as allowed: %s has %u of "
		    "%" PRId64,
		    nfull, plural_of(nfull), nfull == 1 ? "has" : "have",
		    sym_text(full->name), full->npods,
		    full->node->allocatable.pods);
		advise_room(q, full);
	} else if (unready != NULL) {
		describe_unready(q, unready, nunready, "Ready");
	} else if (!describe_own_rule(q, first_chosen(q))) {
		q->d->text = reasons_of(q, first_chosen(q));
	}
}
