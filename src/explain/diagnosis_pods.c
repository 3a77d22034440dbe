/* Demands about other pods: affinity, spread, host ports. */
#include "config.h"

#include <inttypes.h>

#include "base/sorted.h"
#include "base/text.h"
#include "cluster/host_ports.h"
#include "decide/framework/terms.h"
#include "explain/diagnosis_internal.h"

#define NODES_COMPARED 16 /* by the pods that stand in the way there */
#define PODS_NAMED 3

const char *
pod_names(struct arena *arena, size_t n, const struct pod *const *pods)
{
	const char *names = "";

	for (size_t i = 0; i < n && i < PODS_NAMED; i++)
		names =
		    arena_append(arena, names, ", ", pod_full_name(pods[i]));
	return n > PODS_NAMED ?
	    arena_printf(arena, "%s and %zu more", names, n - PODS_NAMED) :
	    names;
}

const char *
selector_text(struct arena *arena, const struct selector *s)
{
	const char *text = "";

	for (uint32_t i = 0; i < s->n; i++) {
		const struct requirement *r = &s->at[i];
		const char *key = sym_text(r->key), *values = "";

		for (uint32_t j = 0; j < r->nvalues; j++)
			values = arena_printf(arena, "%s%s%s", values,
			    j > 0 ? "," : "", sym_text(r->values[j]));
		if (r->op == SELECTOR_IN && r->nvalues == 1)
			key = arena_printf(arena, "%s=%s", key, values);
		else if (r->op == SELECTOR_IN || r->op == SELECTOR_NOT_IN)
			key = arena_printf(arena, "%s %s (%s)", key,
			    r->op == SELECTOR_IN ? "in" : "notin", values);
		else if (r->op == SELECTOR_DOES_NOT_EXIST)
			key = arena_printf(arena, "!%s", key);
		text = arena_append(arena, text, ",", key);
	}
	return s->n > 0 ? text : "any label";
}

/* ---- anti-affinity ---- */

static bool
share_domain(const struct node_info *a, const struct node_info *b, sym key)
{
	sym value;

	if (a->node == NULL || b->node == NULL)
		return false;
	value = labels_get(&a->node->labels, key);
	return value != SYM_NONE && value == labels_get(&b->node->labels, key);
}

/* The topology key of the term that keeps the pods apart on these nodes; SYM_NONE:
 * there is none. */
static sym
parting_key(const struct inquiry *q, const struct pod_terms *terms,
    const struct pod_class *other, const struct node_info *node,
    const struct node_info *there)
{
	for (uint32_t i = 0; i < terms->nrequired; i++)
		if (share_domain(node, there,
			terms->required[i].topology_key) &&
		    term_matches(q->cycle, &terms->required[i], other))
			return terms->required[i].topology_key;
	return SYM_NONE;
}

/* The same of the pod and another one, in both directions if both keep it away. */
static sym
domain_key(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	const unsigned said =
	    q->saying == DEMAND_ANTI_AFFINITY || q->saying == DEMAND_LABELS ?
	    q->chosen :
	    0;
	sym key = SYM_NONE;

	if (said & BIT(ANTI_AFFINITY))
		key =
		    parting_key(q, &q->anti_affinity, pod->class, node, there);
	if (key == SYM_NONE && (said & BIT(LABELS)))
		key = parting_key(q, &pod->class->anti_affinity,
		    q->cycle->class, node, there);
	return key;
}

bool
is_separated_by_affinity(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	return there->name == pod->node ||
	    domain_key(q, node, pod, there) != SYM_NONE;
}

bool
is_avoided_at(const struct inquiry *q, const struct pod_class *class,
    const struct node_info *node)
{
	EACH_POD (q, there, pod)
		if (parting_key(q, &pod->class->anti_affinity, class, node,
			there) != SYM_NONE)
			return true;
	return false;
}

/* Whether each of them keeps the other away: which of two such pods runs is all that a
 * deletion would change. */
static bool
are_peers(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	return parting_key(q, &q->anti_affinity, pod->class, node, there) !=
	    SYM_NONE &&
	    parting_key(q, &pod->class->anti_affinity, q->cycle->class, node,
		there) != SYM_NONE;
}

/* Whether the pod stands in the way on the node by the anti-affinity of the sentence. */
static bool
is_avoiding(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	return domain_key(q, node, pod, there) != SYM_NONE;
}

/* ---- host ports ---- */

/* The first port of the pod that this one has taken; NULL: none. */
static const struct host_port *
taken_port(const struct inquiry *q, const struct pod_class *user)
{
	const struct pod_class *own = q->cycle->class;

	for (uint32_t i = 0; i < user->nports; i++)
		for (uint32_t j = 0; j < own->nports; j++)
			if (host_ports_collide(&user->ports[i], 1,
				&own->ports[j]))
				return &own->ports[j];
	return NULL;
}

/* The first claim of the inquiry's pod that one pod at a time may use and that pods of
 * this class use; NULL: there is none. */
static const struct persistent_volume_claim *
sole_claim(const struct inquiry *q, const struct pod_class *other)
{
	const struct pod_class *class = q->cycle->class;

	for (uint32_t i = 0; i < other->nvolumes; i++) {
		const struct persistent_volume_claim *claim =
		    other->namespace == class->namespace &&
			other->volumes[i].kind == VOLUME_CLAIM ?
		    cluster_claim(q->cycle->cluster, class->namespace,
			other->volumes[i].id) :
		    NULL;

		if (claim == NULL || !claim->for_one_pod)
			continue;
		for (uint32_t j = 0; j < class->nvolumes; j++)
			if (class->volumes[j].kind == VOLUME_CLAIM &&
			    class->volumes[j].id == other->volumes[i].id)
				return claim;
	}
	return NULL;
}

static bool
uses_port(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	return there == node && taken_port(q, pod->class) != NULL;
}

/* ---- the fewest pods in the way ---- */

/* Whether the pod, which is there, stands in the way on the node. */
typedef bool in_the_way(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there);

static int
compare_pods(const void *a, const void *b)
{
	const struct pod *const *x = a, *const *y = b;

	return object_compare_names(&(*x)->object, &(*y)->object);
}

/* By name: nodes have their pods in the order in which these came. */
static struct way
way_to(const struct inquiry *q, const struct node_info *node,
    in_the_way *stands)
{
	struct way way = { .node = node };
	size_t cap = 0;

	EACH_POD (q, there, pod) {
		if (!stands(q, node, pod, there))
			continue;
		arena_room(q->arena, way.pods, way.n, &cap);
		way.pods[way.n++] = pod;
	}
	SORT(way.pods, way.n, compare_pods);
	return way;
}

static struct way
least_in_the_way(const struct inquiry *q, in_the_way *stands)
{
	struct way best = { .n = SIZE_MAX };
	unsigned compared = 0;

	for (uint32_t i = 0; i < q->n && compared < NODES_COMPARED; i++) {
		struct way way;

		if (!is_chosen(q, i))
			continue;
		compared++;
		way = way_to(q, inquiry_node(q, i), stands);
		if (way.n == 0)
			continue;
		if (way.n < best.n ||
		    (way.n == best.n &&
			sym_cmp(way.node->name, best.node->name) < 0))
			best = way;
	}
	if (best.node == NULL)
		best.n = 0;
	return best;
}

/* All of them are on their way out; false: one at least is not. */
static bool
are_leaving(const struct way *way)
{
	return !ANY(i, way->n, !way->pods[i]->class->terminating);
}

/* Each pod must fit elsewhere; if one does not, only its deletion helps.  Nothing, if
 * one is not to leave. */
void
advise_move(struct inquiry *q, const struct way *way)
{
	const char *names = pod_names(q->arena, way->n, way->pods);
	const char *at = sym_text(way->node->name), *domain = NULL, *why = NULL;
	const struct node_info *to = NULL;
	bool equal = false;
	const char *text;

	if (way->n == 0)
		return;
	if (are_leaving(way)) {
		proposal_moves(q,
		    propose(q, REMEDY_WAIT, "wait", names, at,
			"it fits once %s %s left", names,
			way->n == 1 ? "has" : "have"),
		    way->node, way->n, way->pods);
		return;
	}
	for (size_t i = 0; i < way->n; i++) {
		if (!judge_may_leave(q->cycle, way->pods[i]))
			return;
		equal |= way->pods[i]->priority == q->cycle->pod->priority &&
		    !pod_has_ended(way->pods[i]);
	}
	for (size_t i = 0; i == 0 || (i < way->n && to != NULL); i++) {
		/* The domain "zone=b" in which the pod is in the way; NULL:
		 * that is its node alone. */
		const struct pod *pod = way->pods[i];
		const struct node_info *from =
		    cluster_node(q->cycle->cluster, pod->node);
		sym key = domain_key(q, way->node, pod, from);
		uint32_t n = 0;

		for (uint32_t j = 0; key != SYM_NONE && j < q->n; j++)
			n += share_domain(from, inquiry_node(q, j), key);
		domain = n <= 1 ?
		    NULL :
		    pair_text(q, key, labels_get(&from->node->labels, key));
		to = new_place(q, way, pod, &why);
		if (to == NULL && are_peers(q, way->node, pod, from))
			return;
	}
	if (to == NULL)
		text = arena_printf(q->arena,
		    "delete %s (%s fits on no %s%s%s%s%s)", names,
		    way->n == 1 ? "it" : "at least one",
		    domain != NULL ? "node outside " : "other node",
		    domain != NULL ? domain : "", why != NULL ? ": " : "",
		    why != NULL ? why : "",
		    equal ? "; this stops running work" : "");
	else if (way->n == 1)
		text = arena_printf(q->arena, "move %s from %s to %s", names,
		    domain != NULL ? domain : sym_text(way->pods[0]->node),
		    sym_text(to->name));
	else
		text = arena_printf(q->arena, "move %s (each fits elsewhere)",
		    names);
	proposal_moves(q,
	    propose(q, to == NULL ? REMEDY_DELETE : REMEDY_MOVE, "delete",
		names, at, "%s", text),
	    way->node, way->n, way->pods);
}

static const char *
places(const struct inquiry *q)
{
	if (q->nchosen == q->n)
		return q->n == 1 ? "the only node" :
		    q->n == 2    ? "both nodes" :
				   arena_printf(q->arena, "all %u nodes", q->n);
	return arena_printf(q->arena, "%u node%s that would do", q->nchosen,
	    plural_of(q->nchosen));
}

void
advise_rollout(struct inquiry *q, const struct way *way)
{
	if (ANY(i, way->n, !judge_other_revision(way->pods[i], q->cycle->pod)))
		return;
	proposal_moves(q,
	    propose(q, REMEDY_TERMS, "delete",
		pod_names(q->arena, way->n, way->pods),
		sym_text(way->node->name),
		"let its Deployment's rolling update have maxSurge 0"),
	    way->node, way->n, way->pods);
}

/* What there is to be done where replicas of one workload keep each other away, but
 * for another node. */
static void
advise_replicas(struct inquiry *q, const struct way *way)
{
	const struct pod_class *class = q->cycle->class;
	const struct pod *pod = way->pods[0];

	if (judge_other_revision(pod, q->cycle->pod))
		advise_rollout(q, way);
	else if (judge_same_workload(pod, q->cycle->pod))
		suggest(q, REMEDY_TERMS, "run fewer replicas of %s",
		    sym_text(class->controller_name));
}

void
describe_avoided(struct inquiry *q)
{
	bool mine = q->chosen & BIT(ANTI_AFFINITY);
	bool theirs = q->chosen & BIT(LABELS);
	struct way way;
	const struct pod_terms *own = &q->cycle->class->anti_affinity;

	if (mine && q->saying == DEMAND_LABELS)
		return; /* said */
	way = least_in_the_way(q, is_avoiding);
	q->d->cause = mine ? "anti-affinity" : "avoided";
	if (mine)
		describe(q, "Anti-affinity to pods with %s%s keeps it from %s",
		    selector_text(q->arena, &own->required[0].selector),
		    theirs ? ", and theirs to it," : "", places(q));
	else
		describe(q, "Other pods' anti-affinity keeps it from %s",
		    places(q));
	if (way.n == 0)
		return;
	describe(q, "%s: %s is on %s", q->d->text,
	    pod_names(q->arena, 1, way.pods), sym_text(way.pods[0]->node));
	if (way.n <= PODS_NAMED)
		advise_move(q, &way);
	advise_replicas(q, &way);
}

/* Whether the pod uses a claim of the inquiry's pod that one pod at a time may use. */
static bool
uses_sole_claim(const struct inquiry *q, const struct node_info *node,
    const struct pod *pod, const struct node_info *there)
{
	return sole_claim(q, pod->class) != NULL;
}

bool
describe_claim_in_use(struct inquiry *q)
{
	struct node_info *const *chosen =
	    FIND(i, q->cycle->cluster->nodes, q->n, is_chosen(q, i));
	const char *names;
	struct way way;

	if (chosen == NULL || sole_claim(q, q->cycle->class) == NULL)
		return false;
	way = way_to(q, *chosen, uses_sole_claim);
	if (way.n == 0)
		return false;
	names = pod_names(q->arena, way.n, way.pods);
	describe(q, "Claim %s/%s is ReadWriteOncePod, and %s on %s uses it",
	    sym_text(q->cycle->class->namespace),
	    sole_claim(q, way.pods[0]->class)->object.name, names,
	    sym_text(way.pods[0]->node));
	if (are_leaving(&way))
		advise_move(q, &way);
	else if (way.n == 1 && judge_may_leave(q->cycle, way.pods[0]))
		proposal_moves(q,
		    propose(q, REMEDY_DELETE, "delete", names,
			sym_text(way.pods[0]->node),
			"wait until %s ends, or delete it: this stops "
			"running work",
			names),
		    way.node, way.n, way.pods);
	advise_replicas(q, &way);
	return true;
}

void
describe_ports(struct inquiry *q)
{
	struct way way = least_in_the_way(q, uses_port);
	const struct host_port *port = &q->cycle->class->ports[0];

	q->d->cause = "host-port";
	if (way.n > 0)
		port = taken_port(q, way.pods[0]->class);
	describe(q, "Host port %" PRId32 "/%s is taken on %s", port->port,
	    sym_text(port->protocol), places(q));
	if (way.n > 0)
		describe(q, "%s: by %s on %s", q->d->text,
		    pod_names(q->arena, way.n, way.pods),
		    sym_text(way.node->name));
	advise_move(q, &way);
	if (way.n > 0)
		advise_replicas(q, &way);
	suggest(q, REMEDY_OTHER_TERMS, "use another host port");
}

/* ---- affinity ---- */

/* The pod's class with a copy of its terms of affinity, to be changed. */
static struct pod_class *
edit_terms(const struct inquiry *q, struct pod_term **terms)
{
	struct pod_class *c = class_with_alone(q, BIT(AFFINITY));

	c->affinity.required = *terms = arena_memdup(q->arena,
	    c->affinity.required, c->affinity.nrequired * sizeof(**terms));
	return c;
}

/* The pod's class with one value in its i-th term's first requirement. */
static struct pod_class *
with_value(const struct inquiry *q, uint32_t i, const sym *value)
{
	struct pod_term *terms;
	struct pod_class *c = edit_terms(q, &terms);
	struct requirement *at = arena_memdup(q->arena, terms[i].selector.at,
	    terms[i].selector.n * sizeof(*at));

	at[0].op = SELECTOR_IN;
	at[0].nvalues = 1;
	at[0].values = value;
	terms[i].selector.at = at;
	return c;
}

/* Of the values that pods of the term's namespaces, and this one, have under its key,
 * the one that is most like the wished one. */
static sym
closest_value(const struct inquiry *q, const struct pod_term *term,
    const struct requirement *r)
{
	const struct pod_class *own = q->cycle->class;
	sym best = pod_term_has_namespace(term, own->namespace) ?
	    labels_get(&own->labels, r->key) :
	    SYM_NONE;
	unsigned least = best == SYM_NONE ?
	    UINT32_MAX :
	    text_distance(sym_text(r->values[0]), sym_text(best));

	EACH_POD (q, there, pod) {
		sym value = labels_get(&pod->class->labels, r->key);
		unsigned distance;

		if (value == SYM_NONE || value == best ||
		    !pod_term_has_namespace(term, pod->class->namespace))
			continue;
		distance =
		    text_distance(sym_text(r->values[0]), sym_text(value));
		if (distance < least ||
		    (distance == least && sym_cmp(value, best) < 0)) {
			least = distance;
			best = value;
		}
	}
	return best;
}

/* Proposes the value that was meant. */
static void
advise_value(struct inquiry *q, uint32_t i, const struct pod_term *term)
{
	const struct requirement *r = term->selector.at;
	const char *key, *text;
	sym value;

	if (term->selector.n == 0 || r->op != SELECTOR_IN || r->nvalues == 0)
		return;
	value = closest_value(q, term, r);
	if (value == SYM_NONE ||
	    !label_is_mistyped(r->key, r->values[0], value))
		return;
	key = sym_text(r->key);
	text = sym_text(value);
	describe(q, "%s (did you mean %s?)", q->d->text, text);
	propose_class(q,
	    with_value(q, i, arena_memdup(q->arena, &value, sizeof(value))),
	    REMEDY_SPELL, "match", key, text, "ask for pods with %s=%s", key,
	    text);
}

/* Proposes the namespace in which there are pods with these labels, where the term's
 * own have none. */
static void
advise_namespace(struct inquiry *q, uint32_t i, const struct pod_term *term)
{
	struct pod_term *terms;
	struct pod_class *class = edit_terms(q, &terms);
	sym *namespace = arena_array(q->arena, sym, 1);
	const char *name;

	*namespace = SYM_NONE;
	EACH_POD (q, there, pod)
		if (selector_matches(&term->selector, &pod->class->labels) &&
		    (*namespace == SYM_NONE ||
			sym_cmp(pod->class->namespace, *namespace) < 0))
			*namespace = pod->class->namespace;
	if (*namespace == SYM_NONE)
		return;
	name = sym_text(*namespace);
	describe(q, "%s in its namespaces, but one of %s does", q->d->text,
	    name);
	terms[i].namespaces = namespace;
	terms[i].nnamespaces = terms[i].nnamed = 1;
	terms[i].selects_namespaces = terms[i].everywhere = false;
	propose_class(q, class, REMEDY_TERMS, "match", "namespaces", name,
	    "give the term namespaces: [%s]", name);
}

/* The name that the label has now, or had before, on nodes; SYM_NONE: there is none,
 * and somebody has to choose, which is proposed. */
static sym
topology_instead(struct inquiry *q, sym topology_key)
{
	sym key = label_renamed(topology_key);

	if (key != SYM_NONE && has_label(q, key))
		return key;
	suggest(q, REMEDY_LABEL,
	    "label the nodes, or use a topologyKey that they have");
	return SYM_NONE;
}

/* A term over a label that no node has: no pod anywhere helps.  False: there is no
 * such term. */
static bool
describe_no_topology(struct inquiry *q, const struct pod_terms *own)
{
	const struct pod_term *term = FIND(i, own->required, own->nrequired,
	    !has_label(q, own->required[i].topology_key));
	struct pod_class *class;
	struct pod_term *terms;
	sym key;

	if (term == NULL)
		return false;
	describe(q,
	    "No node has the label %s, over which it has affinity to pods "
	    "with %s",
	    sym_text(term->topology_key),
	    selector_text(q->arena, &term->selector));
	key = topology_instead(q, term->topology_key);
	if (key == SYM_NONE)
		return true;
	class = edit_terms(q, &terms);
	terms[term - own->required].topology_key = key;
	propose_class(q, class, REMEDY_SPELL, "match", "topologyKey",
	    sym_text(key), "use topologyKey %s", sym_text(key));
	return true;
}

static const char *
terms_text(const struct inquiry *q, const struct pod_terms *own)
{
	const char *text = "";

	for (uint32_t i = 0; i < own->nrequired; i++)
		text = arena_append(q->arena, text, " and ",
		    selector_text(q->arena, &own->required[i].selector));
	return text;
}

void
describe_affinity(struct inquiry *q)
{
	struct pod_terms own = own_terms(q->cycle, &q->cycle->class->affinity);
	size_t n, fewest = SIZE_MAX;
	const char *wanted;
	uint32_t at = 0;

	q->d->cause = "affinity";
	if (describe_no_topology(q, &own))
		return;
	for (uint32_t i = 0; i < own.nrequired; i++) {
		n = 0;
		EACH_POD (q, there, pod)
			n += term_matches(q->cycle, &own.required[i],
			    pod->class);
		if (n < fewest) {
			fewest = n;
			at = i;
		}
	}
	wanted = selector_text(q->arena, &own.required[at].selector);
	if (fewest == 0) {
		describe(q, "No pod matches %s", wanted);
		advise_value(q, at, &own.required[at]);
		advise_namespace(q, at, &own.required[at]);
		suggest_object(q, wanted, "start a pod with %s", wanted);
		return;
	}
	/* Pods that match all terms: one of them must be near. */
	n = 0;
	EACH_POD (q, there, pod)
		n += !ANY(k, own.nrequired,
		    !term_matches(q->cycle, &own.required[k], pod->class));
	if (n == 0) {
		wanted = terms_text(q, &own);
		describe(q,
		    "No pod matches %s terms of the affinity, as one must: %s",
		    own.nrequired == 2 ?
			"both" :
			arena_printf(q->arena, "all %u", own.nrequired),
		    wanted);
		suggest_object(q, wanted,
		    "give pods a label that one term can ask for, or start "
		    "one with %s",
		    wanted);
		return;
	}
	describe(q, "Affinity to pods with %s: the %zu there %s not near %s",
	    own.nrequired > 1 ? terms_text(q, &own) : wanted, n,
	    n == 1 ? "is" : "are", places(q));
}

/* ---- spread ---- */

#define SKEW_TRIED 64

/* The pod's class with a copy of its i-th constraint, to be changed. */
static struct pod_class *
edit_spread(const struct inquiry *q, uint32_t i, struct spread_constraint **of)
{
	struct pod_class *c = class_with_alone(q, BIT(SPREAD));
	struct spread_constraint *all =
	    arena_memdup(q->arena, c->spread, c->nspread * sizeof(*all));

	c->spread = all;
	*of = &all[i];
	return c;
}

/* The same with one that is a preference. */
static struct pod_class *
with_preference(const struct inquiry *q, uint32_t i)
{
	struct spread_constraint *of;
	struct pod_class *c = edit_spread(q, i, &of);

	of->hard = false;
	return c;
}

/* The lowest skews that let the pod in, of all constraints; or else no skew matters. */
static void
advise_spread(struct inquiry *q, uint32_t at)
{
	const struct pod_class *class = q->cycle->class;
	const char *text = "", *key = sym_text(class->spread[at].topology_key);
	uint32_t last = at;
	struct spread_constraint *all;
	struct pod_class *c = edit_spread(q, 0, &all);
	unsigned nraised = 0;

	for (uint32_t i = 0; i < c->nspread; i++)
		if (all[i].max_skew < SKEW_TRIED)
			all[i].max_skew = SKEW_TRIED;
	if (fits_with(q, c) == 0) {
		propose_class(q, with_preference(q, at), REMEDY_TERMS, "spread",
		    key, "ScheduleAnyway",
		    "set whenUnsatisfiable: ScheduleAnyway");
		return;
	}
	for (uint32_t i = 0; i < c->nspread; i++) {
		const struct spread_constraint *was = &class->spread[i];

		all[i].max_skew = was->max_skew;
		while (was->hard && fits_with(q, c) == 0)
			all[i].max_skew++;
		if (all[i].max_skew == was->max_skew)
			continue;
		text = arena_append(q->arena, text, " and ",
		    arena_printf(q->arena, "maxSkew %" PRId64 " over %s",
			all[i].max_skew, sym_text(was->topology_key)));
		nraised++;
		last = i;
	}
	if (nraised == 1 && last == at)
		text = arena_printf(q->arena, "maxSkew %" PRId64,
		    all[at].max_skew);
	propose_class(q, c, REMEDY_TERMS, "spread", key,
	    arena_printf(q->arena, "%" PRId64, all[at].max_skew), "allow %s",
	    text);
}

/* Nodes whose taints the pod does not tolerate count as empty unless it says
 * otherwise (PodTopologySpread, from 1.26 on). */
static void
advise_taints_policy(struct inquiry *q, uint32_t i)
{
	struct spread_constraint *of;
	struct pod_class *class = edit_spread(q, i, &of);

	if (cycle_release(q->cycle) < 26 || of->honors_taints)
		return;
	of->honors_taints = true;
	if (fits_with(q, class) == 0)
		return;
	propose_class(q, class, REMEDY_TERMS, "spread",
	    sym_text(of->topology_key), "Honor",
	    "set nodeTaintsPolicy: Honor, as nodes that it may not use count, "
	    "too");
}

static void
advise_topology(struct inquiry *q, uint32_t i)
{
	sym key = topology_instead(q, q->cycle->class->spread[i].topology_key);
	struct spread_constraint *of;
	struct pod_class *class = edit_spread(q, i, &of);

	if (key == SYM_NONE)
		return;
	of->topology_key = key;
	propose_class(q, class, REMEDY_SPELL, "spread", "topologyKey",
	    sym_text(key), "use topologyKey %s", sym_text(key));
}

void
describe_spread(struct inquiry *q)
{
	const struct pod_class *class = q->cycle->class;
	const struct spread_constraint *c;
	uint32_t at = 0;

	q->d->cause = "spread";
	while (at < class->nspread &&
	    !(class->spread[at].hard &&
		fits_with(q, with_preference(q, at)) > 0))
		at++;
	if (at == class->nspread)
		at = 0;
	c = &class->spread[at];
	describe(q, "Spread over %s with maxSkew %" PRId64 " keeps it from %s",
	    sym_text(c->topology_key), c->max_skew, places(q));
	if (!has_label(q, c->topology_key)) {
		describe(q, "No node has the label %s, over which it is spread",
		    sym_text(c->topology_key));
		advise_topology(q, at);
	} else if (c->min_domains > 1 && cycle_release(q->cycle) >= 27) {
		describe(q, "%s; minDomains is %" PRId64, q->d->text,
		    c->min_domains);
	}
	advise_taints_policy(q, at);
	advise_spread(q, at);
}
