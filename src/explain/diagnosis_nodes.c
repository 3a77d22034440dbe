/* Demands of the node itself: labels, taints, conditions. */
#include "config.h"

#include <inttypes.h>

#include "base/text.h"
#include "framework/tolerating.h"
#include "model/confines.h"
#include "explain/diagnosis_internal.h"
#include "sched/filter.h"

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

static const char *
wish_text(const struct inquiry *q, const struct wish *w)
{
	static const char *const words[] = {
		[SELECTOR_IN] = "in",
		[SELECTOR_NOT_IN] = "not in",
		[SELECTOR_EXISTS] = "",
		[SELECTOR_DOES_NOT_EXIST] = "",
		[SELECTOR_GT] = ">",
		[SELECTOR_LT] = "<",
	};
	const struct requirement *r = w->requirement;
	const char *values = "";

	if (w->pair != NULL)
		return arena_printf(q->arena, "%s=%s", sym_text(w->key),
		    sym_text(w->pair->value));
	if (r->op == SELECTOR_EXISTS || r->op == SELECTOR_DOES_NOT_EXIST)
		return arena_printf(q->arena, "%s%s",
		    r->op == SELECTOR_EXISTS ? "" : "no ", sym_text(r->key));
	if (r->op == SELECTOR_GT || r->op == SELECTOR_LT)
		return arena_printf(q->arena, "%s %s %" PRId64,
		    sym_text(r->key), words[r->op], r->number);
	if (r->op == SELECTOR_IN && r->nvalues == 1)
		return arena_printf(q->arena, "%s=%s", sym_text(r->key),
		    sym_text(r->values[0]));
	for (uint32_t i = 0; i < r->nvalues && i < 4; i++)
		values = arena_printf(q->arena, "%s%s%s", values,
		    i > 0 ? ", " : "", sym_text(r->values[i]));
	return arena_printf(q->arena, "%s %s (%s%s)", sym_text(r->key),
	    words[r->op], values, r->nvalues > 4 ? ", ..." : "");
}

/* Only the requirements of the first term: one term that matches is enough. */
static struct wish *
wishes_of(const struct inquiry *q, uint32_t *n)
{
	const struct pod_class *class = q->cycle->class;
	const struct node_selector *terms = &class->required_node_affinity;
	const struct selector *labels =
	    terms->n > 0 ? &terms->at[0].labels : NULL;
	struct wish *wishes;

	*n = 0;
	wishes = arena_array(q->arena, struct wish,
	    class->node_selector.n + (labels != NULL ? labels->n : 0));
	for (uint32_t i = 0; i < class->node_selector.n; i++)
		wishes[(*n)++] = (struct wish){
			.key = class->node_selector.at[i].key,
			.pair = &class->node_selector.at[i],
		};
	for (uint32_t i = 0; labels != NULL && i < labels->n; i++)
		wishes[(*n)++] = (struct wish){ .key = labels->at[i].key,
			.requirement = &labels->at[i],
			.at = i };
	return wishes;
}

/* The pod's class with another value in the place of the wished one. */
static struct pod_class *
with_value(const struct inquiry *q, const struct wish *w, const sym *value)
{
	const struct pod_class *class = q->cycle->class;
	struct pod_class *c = class_with_alone(q, BIT(SELECTOR));

	if (w->pair != NULL) {
		struct label *pairs =
		    arena_memdup(q->arena, class->node_selector.at,
			class->node_selector.n * sizeof(*pairs));

		pairs[w->pair - class->node_selector.at].value = *value;
		c->node_selector.at = pairs;
	} else {
		const struct node_selector *old =
		    &class->required_node_affinity;
		struct node_selector_term *terms =
		    arena_memdup(q->arena, old->at, old->n * sizeof(*terms));
		struct requirement *at = arena_memdup(q->arena,
		    terms[0].labels.at, terms[0].labels.n * sizeof(*at));

		at[w->at].op = SELECTOR_IN;
		at[w->at].nvalues = 1;
		at[w->at].values = value;
		terms[0].labels.at = at;
		c->required_node_affinity.at = terms;
	}
	return c;
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

static bool
is_in(const sym *values, unsigned n, sym value)
{
	for (unsigned i = 0; i < n; i++)
		if (values[i] == value)
			return true;
	return false;
}

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
		    is_in(tried, ntried, value))
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
		if (fits_with(q, with_value(q, w, &tried[n])) == 0)
			continue;
		*alike =
		    text_is_like(sym_text(wished_value(w)), sym_text(tried[n]));
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
	const struct node_info *first = NULL;

	for (uint32_t i = 0; i < q->n; i++)
		if (is_chosen(q, i) &&
		    (first == NULL ||
			sym_cmp(inquiry_node(q, i)->name, first->name) < 0))
			first = inquiry_node(q, i);
	return first;
}

void
find_meant(struct inquiry *q)
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
	    !text_is_like(sym_text(wished_value(w)), sym_text(value)))
		return;
	q->meant_key = w->key;
	q->meant_value = value;
}

/* Gives the node each label that is selected and that it lacks; their text. */
static const char *
add_labels(struct inquiry *q, const struct node_info *node)
{
	uint32_t n;
	struct wish *wishes = wishes_of(q, &n);
	const char *text = "";

	for (uint32_t i = 0; i < n; i++) {
		sym value = wished_value(&wishes[i]);

		if (value == SYM_NONE || grants(&wishes[i], node))
			continue;
		joint_label(q, node, wishes[i].key, value);
		text = arena_append(q->arena, text, " ",
		    arena_printf(q->arena, "%s=%s", sym_text(wishes[i].key),
			sym_text(value)));
	}
	return text;
}

static void
advise_selector(struct inquiry *q, const struct wish *w)
{
	const char *key = sym_text(w->key);
	sym wished = wished_value(w);
	bool alike;
	const sym *value = value_instead(q, w, &alike);

	if (value != NULL && alike)
		describe(q, "%s (did you mean %s?)", q->d->text,
		    sym_text(*value));
	if (value != NULL) {
		advise(q, "select", key, sym_text(*value), "select %s=%s", key,
		    sym_text(*value));
		q->d->proven = true;
		joint_class(q, with_value(q, w, value));
	} else if (wished != SYM_NONE) {
		const struct node_info *node = first_chosen(q);
		const char *labels = add_labels(q, node);

		advise(q, "label", sym_text(node->name), labels,
		    "label node %s %s", sym_text(node->name), labels);
	} else {
		advise(q, "select", key, "", "do not ask nodes for %s",
		    wish_text(q, w));
	}
}

void
say_selector(struct inquiry *q)
{
	uint32_t n, matching = 0;
	struct wish *wishes = wishes_of(q, &n);
	const struct wish *w = rarest(q, wishes, n);
	uint32_t terms = q->cycle->class->required_node_affinity.n;

	q->d->cause = "selector";
	for (uint32_t i = 0; i < q->n; i++)
		matching += (q->obstacles[i] & BIT(SELECTOR)) == 0;
	if (w == NULL) {
		q->d->text = "No node matches the required node affinity";
		return;
	}
	if (w->requirement != NULL && terms > 1)
		describe(q,
		    "No node matches any of the %u terms of the node affinity; "
		    "the first asks for %s",
		    terms, wish_text(q, w));
	else if (count_granting(q, w) == 0)
		describe(q, "No node has %s", wish_text(q, w));
	else if (matching > 0)
		describe(q,
		    "%u node%s would do but for the selector: it asks for %s",
		    q->nchosen, plural_of(q->nchosen), wish_text(q, w));
	else
		describe(q,
		    "No node has all that the node selector asks for; %s is "
		    "the rarest",
		    wish_text(q, w));
	advise_selector(q, w);
}

/* ---- taints ---- */

static bool
begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

const char *
untolerated(const struct inquiry *q, const struct node_info *node, bool *system,
    bool *cordoned)
{
	struct tolerating tolerating = tolerating_now(q->cycle);
	const char *all = "";

	*system = false;
	*cordoned = node->node->unschedulable;
	for (uint32_t i = 0; i < node->node->ntaints; i++) {
		const struct taint *t = &node->node->taints[i];
		const char *key = sym_text(t->key);

		if (!taint_keeps_pods_out(t) || tolerates(&tolerating, t))
			continue;
		if (strcmp(key, "node.kubernetes.io/unschedulable") == 0) {
			*cordoned = true;
			continue;
		}
		*system |= begins_with(key, "node.kubernetes.io/") ||
		    begins_with(key, "node-role.kubernetes.io/");
		all =
		    arena_append(q->arena, all, ", ", taint_text(q->arena, t));
	}
	return all;
}

/* Taints that several nodes have alike. */
struct tainted {
	const char *text;
	bool system, cordoned;
	const struct node_info *node; /* the first of them */
	uint32_t n;
};

/* Fewer kinds of taint before more nodes. */
static bool
is_better(const struct tainted *a, const struct tainted *b)
{
	if (a->cordoned + a->system != b->cordoned + b->system)
		return a->cordoned + a->system < b->cordoned + b->system;
	return a->n > b->n;
}

static struct tainted
commonest(const struct inquiry *q)
{
	struct tainted *all = NULL, best = { 0 };
	size_t n = 0, cap = 0;

	for (uint32_t i = 0; i < q->n; i++) {
		struct tainted t = { .node = inquiry_node(q, i), .n = 1 };
		size_t at;

		if (!is_chosen(q, i))
			continue;
		t.text = untolerated(q, t.node, &t.system, &t.cordoned);
		for (at = 0; at < n; at++)
			if (all[at].cordoned == t.cordoned &&
			    strcmp(all[at].text, t.text) == 0)
				break;
		if (at < n) {
			all[at].n++;
			continue;
		}
		arena_room(q->arena, all, n, &cap);
		all[n++] = t;
	}
	for (size_t i = 0; i < n; i++)
		if (i == 0 || is_better(&all[i], &best))
			best = all[i];
	return best;
}

static void
say_cordoned(struct inquiry *q, const struct tainted *t, bool alone)
{
	const char *name = sym_text(t->node->name);

	joint_uncordon(q, t->node);
	q->d->cause = "node";
	if (t->n == 1)
		describe(q, "Node %s is cordoned%s", name,
		    alone ? ", the only obstacle there" : "");
	else
		describe(q, "%u nodes are cordoned%s", t->n,
		    alone ? ", the only obstacle on them" : "");
	advise(q, "uncordon", name, "", "uncordon %s", name);
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

void
say_taints(struct inquiry *q)
{
	bool alone = q->chosen == BIT(TOLERATIONS);
	struct tainted t = commonest(q);
	const struct pod_class *tolerating;

	q->d->cause = "taint";
	q->d->nnodes = t.n;
	if (t.text[0] == '\0') {
		say_cordoned(q, &t, alone);
		return;
	}
	describe(q, "Taint%s %s %s on %u node%s",
	    strchr(t.text, ',') != NULL ? "s" : "", t.text,
	    alone ? strchr(t.text, ',') != NULL ? "are the only obstacle" :
						  "is the only obstacle" :
		    "not tolerated",
	    t.n, plural_of(t.n));
	advise(q, "tolerate", t.text, "", "tolerate %s", t.text);
	tolerating = tolerating_all_of(q, t.node->node);
	joint_name(q, t.node);
	joint_class(q, tolerating);
	if (t.cordoned) {
		q->d->remedy = arena_printf(q->arena, "%s and uncordon %s",
		    q->d->remedy, sym_text(t.node->name));
		joint_uncordon(q, t.node);
	}
	q->d->proven = alone && fits_with(q, tolerating) > 0;
}

/* ---- the rest ---- */

void
say_confines(struct inquiry *q)
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
	q->d->remedy = "change the namespace's confines, or label a node";
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
say_nominated(struct inquiry *q)
{
	const struct node_info *node = first_chosen(q);

	q->joint.changed |= BIT(NOMINATED);
	joint_name(q, node);
	q->d->cause = "nominated";
	describe(q, "The room on %s is kept for %s, nominated to it",
	    sym_text(node->name), nominated_names(q->cycle, node));
	advise(q, "prioritize", "priority",
	    arena_printf(q->arena, "%" PRId32, q->priority),
	    "give it priority %" PRId32 " or more", q->priority);
}

static const char *
status_of(const struct node_info *node)
{
	static sym ready;

	if (ready == SYM_NONE)
		ready = sym_intern("Ready");
	return sym_text(node_condition_status(node->node, ready));
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

/* Of all nodes that refuse any pod, those that are the simplest to help. */
void
say_other(struct inquiry *q)
{
	const struct node_info *node = first_chosen(q);
	uint32_t full = 0, cordoned = 0, unready = 0;

	for (uint32_t i = 0; i < q->n; i++) {
		const struct node_info *at = inquiry_node(q, i);

		if (!is_chosen(q, i))
			continue;
		full += at->npods >= at->node->allocatable.pods;
		cordoned += at->node->unschedulable;
		unready += status_of(at)[0] != '\0' &&
		    strcmp(status_of(at), "True") != 0;
	}
	q->d->cause = "other";
	if (cordoned == q->nchosen) {
		struct tainted t = { .node = node, .n = cordoned };

		say_cordoned(q, &t, true);
	} else if (full == q->nchosen) {
		q->d->cause = "pods";
		describe(q,
		    "%u node%s %s as many pods as allowed: %s has %u of "
		    "%" PRId64,
		    full, plural_of(full), full == 1 ? "has" : "have",
		    sym_text(node->name), node->npods,
		    node->node->allocatable.pods);
		advise_room(q, node);
	} else if (unready == q->nchosen) {
		q->d->cause = "node";
		describe(q, "%u node%s not ready: %s", unready,
		    unready == 1 ? " is" : "s are", sym_text(node->name));
		q->d->remedy = "see why its kubelet is not ready";
	} else {
		q->d->text = reasons_of(q, node);
	}
}
