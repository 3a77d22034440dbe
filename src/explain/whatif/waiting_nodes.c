/* How many more nodes would let the pods in that get none: found by placing them. */
#include "config.h"

#include "base/json_out.h"
#include "base/text.h"
#include "explain/new_node.h"
#include "explain/whatif/waiting.h"

/* Kinds of nodes that are tried for all pods, and for the first of those that these
 * leave. */
#define KINDS_TRIED 3
#define KINDS_TRIED_THEN 16

/* Of one kind of nodes, beside those of the searches before. */
struct search {
	struct waiting *q;
	struct whatif_claims claims;
	const struct node_info *like;
	const struct node *template; /* NULL: none */
	struct more_kind *found;
	size_t nleft, *left; /* places in the queue */
	size_t *lifted;      /* as many */
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

/* From n on, which was needed when nodes were added one by one: until so many let all
 * `most` pods in, which then are there, and one fewer does not. */
static void
find_fewest(struct search *s, size_t n, size_t most)
{
	size_t fails = 0, works = 0, step = 1;

	while (works == 0 && n <= MORE_NODES_MOST) {
		if (place_all(s, n) >= most) {
			works = n;
		} else {
			fails = n;
			s->found->nfewer = s->nplaced;
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
			s->found->nfewer = s->nplaced;
			step = 1 + (works - fails) / 2;
		}
	}
	if (s->nnew != works)
		place_all(s, works);
	s->found->nplaced = s->nplaced;
	s->found->nnodes = works;
	s->found->like = s->new[0].like;
}

/* The kind that lets in the most, with the fewest nodes; NULL: none does. */
static const struct node_info *
kind_for_most(struct search *s, const struct node_kind *kinds, size_t n)
{
	const struct node_info *best = NULL;
	size_t most = 0, fewest = 0;

	for (size_t i = 0; i < n && i < KINDS_TRIED; i++) {
		s->like = kinds[i].node;
		add_as_needed(s);
		if (s->nnew > 0 &&
		    (s->nplaced > most ||
			(s->nplaced == most && s->nnew < fewest))) {
			most = s->nplaced;
			fewest = s->nnew;
			best = s->like;
		}
		clear(s);
	}
	return best;
}

/* The commonest kind that takes the first pod that some kind takes; likewise. */
static const struct node_info *
kind_for_first(struct search *s, const struct node_kind *kinds, size_t n)
{
	for (size_t i = 0; i < s->nleft; i++) {
		s->hopeless[i] = is_hopeless(s, i);
		for (size_t k = 0;
		     k < n && k < KINDS_TRIED_THEN && !s->hopeless[i]; k++) {
			bool fits;

			s->like = kinds[k].node;
			add_node(s);
			fits = place(s, i);
			clear(s);
			if (fits)
				return s->like;
		}
		s->hopeless[i] = true;
	}
	return NULL;
}

/* As many nodes as are needed of a kind that helps those that are left; they stay in the
 * cluster.  False: none does. */
static bool
find_kind(struct search *s, const struct node_kind *kinds, size_t n)
{
	s->nnew = s->nplaced = 0;
	s->left = arena_array(&s->q->arena, size_t, s->q->n);
	s->lifted = arena_array(&s->q->arena, size_t, s->q->n);
	s->nleft = 0;
	for (size_t i = 0; i < s->q->n; i++)
		if (s->q->pods[i].status == WAITING_STAYS &&
		    !s->q->more.placed[i])
			s->left[s->nleft++] = i;
	s->hopeless = arena_array(&s->q->arena, bool, s->nleft);
	s->placed = arena_array(&s->q->arena, bool, s->nleft);
	if (s->nleft == 0)
		return false;
	s->new =
	    arena_array(&s->q->arena, struct new_node, MORE_NODES_MOST + 1);
	whatif_claims_save(&s->claims, s->q->w->cluster);
	s->like = s->q->more.nkinds == 0 ? kind_for_most(s, kinds, n) :
					   kind_for_first(s, kinds, n);
	if (s->like != NULL) {
		add_as_needed(s); /* who is hopeless */
		find_fewest(s, s->nnew, s->nplaced);
	}
	if (s->found->nnodes == 0)
		clear(s);
	for (size_t i = 0; i < s->nleft; i++)
		s->q->more.placed[s->left[i]] = s->placed[i];
	return s->found->nnodes > 0;
}

void
waiting_find_nodes(struct waiting *q, const struct node *template)
{
	struct more_nodes *m = &q->more;
	struct search searches[MORE_KINDS];
	struct text changes = { 0 };
	struct json_out json = JSON_OUT_INIT(&changes);
	struct node_kind *kinds;
	size_t n, done = 0;

	m->placed = arena_array(&q->arena, bool, q->n);
	kinds = node_kinds(q->w->cluster, &q->arena, &n);
	if (template != NULL && n > 1)
		n = 1;
	for (bool more = true; more && done < MORE_KINDS; done++) {
		struct search *s = &searches[done];

		*s = (struct search){ .q = q,
			.template = template,
			.found = &m->kinds[done] };
		more = find_kind(s, kinds, n) && template == NULL;
		if (done == 0)
			m->nleft = s->nleft;
		m->nkinds += s->found->nnodes > 0;
		m->nplaced += s->found->nplaced;
		for (size_t i = 0; i < s->nnew; i++)
			new_node_changes(&s->new[i], &json);
	}
	m->changes = text_keep(&changes, &q->arena);
	while (done-- > 0) {
		clear(&searches[done]);
		whatif_claims_fini(&searches[done].claims);
	}
}

/* "481 nodes like n1"; several: what each lets in, too. */
static const char *
kind_text(struct waiting *q, const struct more_kind *k, bool several)
{
	const char *text = arena_printf(&q->arena, "%zu node%s like %s",
	    k->nnodes, plural_of(k->nnodes), sym_text(k->like));

	if (!several)
		return text;
	text = arena_printf(&q->arena, "%s for %zu pod%s", text, k->nplaced,
	    plural_of(k->nplaced));
	return k->nnodes == 1 ? text :
				arena_printf(&q->arena, "%s (with %zu %zu)",
				    text, k->nnodes - 1, k->nfewer);
}

const char *
waiting_nodes_text(struct waiting *q)
{
	const struct more_nodes *m = &q->more;
	const struct more_kind *first = &m->kinds[0];
	const char *texts[MORE_KINDS], *fewer = "";

	if (m->nkinds == 0)
		return "";
	for (size_t i = 0; i < m->nkinds; i++)
		texts[i] = kind_text(q, &m->kinds[i], m->nkinds > 1);
	if (m->nkinds == 1 && first->nnodes > 1)
		fewer = arena_printf(&q->arena, " (with %zu node%s %zu)",
		    first->nnodes - 1, plural_of(first->nnodes - 1),
		    first->nfewer);
	return arena_printf(&q->arena,
	    "add %s: %s%zu pod%s that get%s no node fit%s then%s",
	    arena_join(&q->arena, m->nkinds, texts, " and "),
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
	const struct more_kind *k = &m->kinds[0];

	json_key(json, "moreNodes");
	if (m->nkinds == 0) {
		json_raw(json, NULL);
		return;
	}
	json_open(json, '{');
	json_members(json, "like:n nodes:z pods:z of:z fewer:z", k->like,
	    k->nnodes, k->nplaced, m->nleft, k->nfewer);
	if (m->nkinds > 1)
		JSON_ARRAY (json, "and", i, m->nkinds - 1)
			json_object(json, "like:n nodes:z pods:z fewer:z",
			    k[i + 1].like, k[i + 1].nnodes, k[i + 1].nplaced,
			    k[i + 1].nfewer);
	json_close(json, '}');
}
