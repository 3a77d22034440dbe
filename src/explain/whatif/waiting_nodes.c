/* How many more nodes would let the pods in that get none: found by placing them. */
#include "config.h"

#include "base/json_out.h"
#include "base/text.h"
#include "explain/new_node.h"
#include "explain/whatif/waiting.h"

/* Kinds of nodes that are tried. */
#define KINDS_TRIED 3

struct search {
	struct waiting *q;
	struct whatif_claims claims;
	const struct node_info *like;
	const struct node *template; /* NULL: none */
	size_t nleft, *left;         /* places in the queue */
	size_t *lifted;              /* as many */
	/* By place in left: the pod's new node does not help it. */
	bool *hopeless;
	size_t nnew;
	struct new_node *new; /* MORE_NODES_MOST + 1 */
	bool *placed;         /* by place in left */
	size_t nplaced;
};

/* ---- nodes and pods are put in, and taken out again ---- */

static void
add_node(struct search *s)
{
	struct new_node *new = &s->new[s->nnew++];

	new_node_init(new, s->q->w->cluster, s->like, s->template);
	new_node_put(new, s->q->w->cluster);
}

static void
drop_node(struct search *s)
{
	struct new_node *new = &s->new[--s->nnew];

	new_node_remove(new, s->q->w->cluster);
	new_node_fini(new);
}

static bool
place(struct search *s, size_t i)
{
	const struct waiting_pod *p = &s->q->pods[s->left[i]];
	sym node = whatif_chosen(whatif_decide(s->q->w, p->pod, s->left[i]));

	if (node == SYM_NONE || whatif_place(s->q->w, p->pod, node, NULL) != 0)
		return false;
	s->placed[i] = true;
	s->nplaced++;
	return true;
}

static void
clear(struct search *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->nleft; i++) {
		if (s->placed[i])
			s->lifted[n++] = s->left[i];
		s->placed[i] = false;
	}
	waiting_lift(s->q, s->lifted, n);
	s->nplaced = 0;
	whatif_claims_restore(&s->claims, s->q->w->cluster);
	while (s->nnew > 0)
		drop_node(s);
}

/* Whether a pod of the same class was refused by a node that was added for it. */
static bool
is_hopeless(const struct search *s, size_t i)
{
	const struct pod *pod = s->q->pods[s->left[i]].pod;

	for (size_t k = i; k-- > 0;) {
		const struct pod *other = s->q->pods[s->left[k]].pod;

		if (other->class == pod->class)
			return s->hopeless[k];
	}
	return false;
}

/* Adds a node whenever a pod needs one. */
static void
add_as_needed(struct search *s)
{
	for (size_t i = 0; i < s->nleft; i++) {
		s->hopeless[i] = is_hopeless(s, i);
		if (s->hopeless[i] || place(s, i) || s->nnew == MORE_NODES_MOST)
			continue;
		add_node(s);
		if (!place(s, i)) {
			s->hopeless[i] = true;
			drop_node(s);
		}
	}
}

/* How many pods get a node once there are n more. */
static size_t
place_all(struct search *s, size_t n)
{
	clear(s);
	while (s->nnew < n)
		add_node(s);
	for (size_t i = 0; i < s->nleft; i++)
		if (!s->hopeless[i])
			place(s, i);
	return s->nplaced;
}

/* ---- the fewest ---- */

static void
keep(struct search *s)
{
	struct more_nodes *m = &s->q->more;
	struct text changes = { 0 };
	struct json_out json = JSON_OUT_INIT(&changes);

	m->nnodes = s->nnew;
	m->nplaced = s->nplaced;
	memset(m->placed, 0, s->q->n * sizeof(*m->placed));
	for (size_t i = 0; i < s->nleft; i++)
		m->placed[s->left[i]] = s->placed[i];
	for (size_t i = 0; i < s->nnew; i++)
		new_node_changes(&s->new[i], &json);
	m->changes = arena_strndup(&s->q->arena, changes.bytes, changes.len);
	text_fini(&changes);
}

/* From n on, which was needed when nodes were added one by one: until so many let all
 * `most` pods in and one fewer does not. */
static void
find_fewest(struct search *s, size_t n, size_t most)
{
	size_t fails = 0, works = 0, step = 1;

	while (works == 0 && n <= MORE_NODES_MOST) {
		if (place_all(s, n) >= most) {
			works = n;
		} else {
			fails = n;
			s->q->more.nfewer = s->nplaced;
			n += step;
			step *= 2;
		}
	}
	if (works == 0)
		return;
	for (step = 1; works - fails > 1;) {
		n = works > fails + step ? works - step : (works + fails) / 2;
		if (place_all(s, n) >= most) {
			works = n;
			step *= 2;
		} else {
			fails = n;
			s->q->more.nfewer = s->nplaced;
			step = 1 + (works - fails) / 2;
		}
	}
	place_all(s, works);
	s->q->more.like = s->new[0].like;
	keep(s);
}

void
waiting_find_nodes(struct waiting *q, const struct node *template)
{
	struct search s = { .q = q, .template = template };
	size_t n, most = 0, fewest = 0;
	const struct node_info *best = NULL;
	struct node_kind *kinds;

	q->more.placed = arena_array(&q->arena, bool, q->n);
	s.left = arena_array(&s.q->arena, size_t, s.q->n);
	s.lifted = arena_array(&s.q->arena, size_t, s.q->n);
	for (size_t i = 0; i < s.q->n; i++)
		if (s.q->pods[i].status == WAITING_STAYS)
			s.left[s.nleft++] = i;
	s.q->more.nleft = s.nleft;
	s.hopeless = arena_array(&s.q->arena, bool, s.nleft);
	s.placed = arena_array(&s.q->arena, bool, s.nleft);
	if (s.nleft == 0)
		return;
	whatif_claims_save(&s.claims, q->w->cluster);
	s.new = arena_array(&q->arena, struct new_node, MORE_NODES_MOST + 1);
	kinds = node_kinds(q->w->cluster, &q->arena, &n);
	if (template != NULL && n > 1)
		n = 1;
	for (size_t i = 0; i < n && i < KINDS_TRIED; i++) {
		s.like = kinds[i].node;
		add_as_needed(&s);
		if (s.nnew > 0 &&
		    (s.nplaced > most ||
			(s.nplaced == most && s.nnew < fewest))) {
			most = s.nplaced;
			fewest = s.nnew;
			best = s.like;
		}
		clear(&s);
	}
	s.like = best;
	if (best != NULL) {
		add_as_needed(&s); /* who is hopeless */
		find_fewest(&s, fewest, most);
		clear(&s);
	}
	whatif_claims_fini(&s.claims);
}

const char *
waiting_nodes_text(struct waiting *q)
{
	const struct more_nodes *m = &q->more;
	const char *fewer = "";

	if (m->like == SYM_NONE)
		return "";
	if (m->nnodes > 1)
		fewer = arena_printf(&q->arena, " (with %zu node%s %zu)",
		    m->nnodes - 1, plural_of(m->nnodes - 1), m->nfewer);
	return arena_printf(&q->arena,
	    "add %zu node%s like %s: %s%zu pod%s that get%s no node fit%s "
	    "then%s",
	    m->nnodes, plural_of(m->nnodes), sym_text(m->like),
	    m->nplaced < m->nleft ?
		arena_printf(&q->arena, "%zu of the ", m->nplaced) :
		m->nleft > 1 ? "all " :
			       "the ",
	    m->nleft, plural_of(m->nleft), m->nleft == 1 ? "s" : "",
	    m->nplaced == 1 ? "s" : "", fewer);
}

void
waiting_nodes_json(const struct waiting *q, struct json_out *json)
{
	const struct more_nodes *m = &q->more;

	json_key(json, "moreNodes");
	if (m->like == SYM_NONE)
		json_raw(json, NULL);
	else
		json_object(json, "like:n nodes:z pods:z of:z fewer:z", m->like,
		    m->nnodes, m->nplaced, m->nleft, m->nfewer);
}
