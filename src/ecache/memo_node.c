#include "config.h"

#include "ecache/memo_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "cluster/columns.h"
#include "framework/cycle.h"
#include "framework/profile.h"

/* Whether all nodes have the same raw score, and it needs no slot or is 0 there;
 * it goes to *raw. */
static bool
is_uniform(const struct memo *memo, const struct cycle *cycle, size_t i,
    const void *prep, int64_t *raw)
{
	const struct priority *unit = memo->profile->priorities[i].unit;

	return unit->uniform != NULL && unit->uniform(cycle, prep, raw) &&
	    (memo->raw_slots[i] == 0 || *raw == 0);
}

static void
list_scores(const struct memo *memo, struct memo_kin *kin,
    const struct cycle *cycle)
{
	const struct profile *profile = memo->profile;
	int64_t raw;

	kin->scores =
	    arena_array(&kin->arena, struct memo_score, profile->npriorities);
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct priority *unit = profile->priorities[i].unit;
		const void *prep = kin->priorities[i].prep;

		if (unit->reads != READS_NODE || memo->weights[i] == 0)
			continue;
		if (is_uniform(memo, cycle, i, prep, &raw))
			kin->uniform_total = wrap_add(kin->uniform_total,
			    wrap_mul(memo->weights[i], raw));
		else
			kin->scores[kin->nscores++] =
			    (struct memo_score){ memo->weights[i],
				    memo->raw_slots[i], unit, prep };
	}
}

static void
list_checks(const struct memo *memo, struct memo_kin *kin)
{
	const struct profile *profile = memo->profile;

	kin->checks =
	    arena_array(&kin->arena, struct memo_check, profile->npredicates);
	for (size_t i = 0; i < profile->npredicates; i++)
		if (profile->predicates[i].unit->reads == READS_NODE &&
		    kin->predicates[i].asks)
			kin->checks[kin->nchecks++] =
			    (struct memo_check){ .step = i,
				    .unit = profile->predicates[i].unit,
				    .prep = kin->predicates[i].prep };
}

void
memo_prepare(const struct memo *memo, struct memo_kin *kin, struct cycle *cycle)
{
	const struct profile *profile = cycle->profile;
	struct arena *arena = cycle->arena;

	cycle->arena = &kin->arena;
	for (size_t i = 0; i < profile->npredicates; i++) {
		const struct profile_predicate *p = &profile->predicates[i];
		struct memo_unit *unit = &kin->predicates[i];

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
		unit->asks = p->unit->prepare == NULL || unit->prep != NULL;
	}
	for (size_t i = 0; i < profile->npriorities; i++) {
		const struct profile_priority *p = &profile->priorities[i];
		struct memo_unit *unit = &kin->priorities[i];

		if (p->unit->reads != READS_NODE)
			continue;
		unit->kept = true;
		unit->prep = p->unit->prepare != NULL ?
		    p->unit->prepare(cycle, p->args) :
		    p->args;
	}
	cycle->arena = arena;
	list_checks(memo, kin);
	list_scores(memo, kin, cycle);
	for (size_t i = 0; i < kin->nchecks; i++)
		kin->dear |= kin->checks[i].unit->check_block == NULL;
	for (size_t i = 0; i < kin->nscores; i++)
		kin->dear |= kin->scores[i].unit->score_block == NULL;
}

static bool
same_reasons(const char **a, const char **b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The number of the refusal that these reasons are; adds it if it is new. */
static size_t
refusal_of(struct memo_kin *kin, enum verdict verdict, const struct why *why)
{
	struct node_verdict *r;

	for (size_t i = 0; i < kin->nrefusals; i++) {
		r = &kin->refusals[i];
		if (r->verdict == verdict && r->nreasons == why->n &&
		    (why->n == 0 ||
			same_reasons(kin->why.reasons + r->first_reason,
			    why->reasons, why->n)))
			return i;
	}
	arena_room(&kin->arena, kin->refusals, kin->nrefusals,
	    &kin->refusals_cap);
	r = &kin->refusals[kin->nrefusals];
	r->verdict = verdict;
	r->first_reason = (uint32_t)kin->why.n;
	r->nreasons = (uint32_t)why->n;
	for (size_t i = 0; i < why->n; i++)
		why_add(&kin->why, why->reasons[i]);
	return kin->nrefusals++;
}

int64_t
memo_check_node(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    const struct memo_check *c, uint32_t at)
{
	enum verdict verdict;

	memo->why.n = 0;
	verdict = c->unit->check(cycle, cycle->cluster->nodes[at], c->prep,
	    &memo->why);
	if (verdict == FITS)
		return 0;
	kin->unusable |= verdict == BROKEN;
	return (int64_t)(c->step + 1) |
	    (int64_t)refusal_of(kin, verdict, &memo->why) << 8;
}

static int64_t
state_of(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    uint32_t at)
{
	int64_t state = 0;

	for (size_t i = 0; state == 0 && i < kin->nchecks; i++)
		state = memo_check_node(memo, kin, cycle, &kin->checks[i], at);
	return state;
}

static bool
is_answer(const struct memo_answers *answers, uint32_t number,
    const int64_t *answer)
{
	const int64_t *at = &answers->at[number * answers->width];
	int64_t differences = 0;

	for (size_t i = 0; i < answers->width; i++)
		differences |= at[i] ^ answer[i];
	return differences == 0;
}

static uint32_t
add_answer(struct memo_answers *answers, uint64_t hash, const int64_t *answer)
{
	size_t size = answers->width * sizeof(*answer);

	if (answers->n == answers->cap) {
		answers->cap = answers->cap * 2 + 4;
		answers->at = xrealloc(answers->at, answers->cap, size);
	}
	memcpy(answers->at + answers->n * answers->width, answer, size);
	map_put(&answers->by_hash, hash, (void *)(uintptr_t)(answers->n + 1));
	return answers->n++;
}

uint32_t
memo_answer_number(struct memo_answers *answers, const int64_t *answer)
{
	uint64_t hash;
	uintptr_t found;

	/* neighbours are often alike */
	if (answers->n > 0 && is_answer(answers, answers->last, answer))
		return answers->last;
	hash = hash_bytes64(answer, answers->width * sizeof(*answer));
	for (;; hash++) {
		found = (uintptr_t)map_get(&answers->by_hash, hash);
		if (found == 0)
			return answers->last =
				   add_answer(answers, hash, answer);
		if (is_answer(answers, (uint32_t)(found - 1), answer))
			return answers->last = (uint32_t)(found - 1);
	}
}

static void
evaluate(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    uint32_t at)
{
	const struct node_info *node = cycle->cluster->nodes[at];
	int64_t total = wrap_add(kin->uniform_total,
	    kin->objects != NULL ? kin->objects->totals[at] : 0);
	int64_t score, *answer = memo->key;

	answer[0] = state_of(memo, kin, cycle, at);
	for (size_t i = 1; i <= memo->nraw; i++)
		answer[i] = 0;
	if (answer[0] != 0)
		total = 0;
	for (size_t i = 0; answer[0] == 0 && i < kin->nscores; i++) {
		const struct memo_score *s = &kin->scores[i];

		score = s->unit->score(cycle, node, s->prep);
		if (s->raw_slot != 0)
			answer[s->raw_slot] = score;
		else
			total = wrap_add(total, wrap_mul(s->weight, score));
	}
	kin->unusable |= total != (int32_t)total;
	kin->total[at] = (int32_t)total;
	kin->answer_of[at] = memo_answer_number(&kin->answers, answer);
}

/* The READS_OBJECTS priorities that may score nodes otherwise than 0, prepared;
 * returns their number. */
static size_t
list_objects(const struct memo *memo, struct cycle *cycle,
    struct memo_score *list)
{
	size_t n = 0;

	for (size_t i = 0; i < memo->profile->npriorities; i++) {
		const struct profile_priority *p =
		    &memo->profile->priorities[i];
		const void *prep = p->args;
		int64_t raw;

		if (p->unit->reads != READS_OBJECTS || memo->weights[i] == 0)
			continue;
		if (p->unit->prepare != NULL)
			prep = p->unit->prepare(cycle, p->args);
		if (p->unit->uniform == NULL ||
		    !p->unit->uniform(cycle, prep, &raw) || raw != 0)
			list[n++] =
			    (struct memo_score){ .weight = memo->weights[i],
				    .unit = p->unit,
				    .prep = prep };
	}
	return n;
}

/* The aspects of the class that these priorities look at, as bytes. */
static const void *
objects_key(const struct memo *memo, const struct pod_class *class, size_t *len)
{
	unsigned aspects = ASPECT_NOTHING;

	for (size_t i = 0; i < memo->profile->npriorities; i++) {
		const struct priority *unit = memo->profile->priorities[i].unit;

		if (unit->reads == READS_OBJECTS && memo->weights[i] != 0)
			aspects |=
			    unit->aspects != 0 ? unit->aspects : ASPECT_ALL;
	}
	return pod_class_aspects(class, aspects, len);
}

void
memo_objects_unref(struct memo_objects *objects)
{
	if (objects == NULL || --objects->refs > 0)
		return;
	free(objects->key);
	free(objects->totals);
	free(objects);
}

static bool
are_about(const struct memo_objects *o, const struct cluster *cluster,
    const void *key, size_t len)
{
	return o->objects == cluster->objects &&
	    o->epoch == cluster->journal.epoch &&
	    o->nnodes == cluster->nnodes && o->key_len == len &&
	    memcmp(o->key, key, len) == 0;
}

static struct memo_objects *
objects_new(struct memo *memo, struct cycle *cycle, const void *key, size_t len)
{
	const struct cluster *cluster = memo->cluster;
	const struct columns *columns = cluster_columns(memo->cluster);
	struct memo_objects *o = xcalloc(1, sizeof(*o));
	struct memo_score *list = arena_array(cycle->arena, struct memo_score,
	    memo->profile->npriorities);
	size_t n = list_objects(memo, cycle, list);

	o->refs = 1;
	o->objects = cluster->objects;
	o->epoch = cluster->journal.epoch;
	o->nnodes = cluster->nnodes;
	o->key_len = len;
	o->key = xmalloc(len + 1);
	if (len > 0)
		memcpy(o->key, key, len);
	o->none = n == 0;
	o->narrow = true;
	o->totals = xmalloc(column_rows(columns->nnodes) * sizeof(*o->totals));
	for (uint32_t i = 0; i < columns->nnodes; i += COLUMN_ROWS)
		o->narrow &= memo_sum_scores(cycle, list, n,
		    columns->blocks[i / COLUMN_ROWS], o->totals + i);
	if (cycle->nerrors > 0)
		o->epoch = 0; /* right for nobody else */
	return o;
}

/* The place of those with this key, or of those that make room for them. */
static struct memo_objects **
objects_place(struct memo *memo, const void *key, size_t len)
{
	struct memo_objects **oldest = &memo->objects[0];

	for (size_t i = 0; i < MEMO_OBJECTS; i++) {
		struct memo_objects **place = &memo->objects[i];

		if (*place == NULL ||
		    are_about(*place, memo->cluster, key, len))
			return place;
		if ((*place)->used < (*oldest)->used)
			oldest = place;
	}
	return oldest;
}

/* Those for the cycle's pod; you own a reference. */
static struct memo_objects *
objects_of(struct memo *memo, struct cycle *cycle)
{
	size_t len;
	const void *key = objects_key(memo, cycle->class, &len);
	struct memo_objects **place = objects_place(memo, key, len);

	if (*place == NULL || !are_about(*place, memo->cluster, key, len)) {
		memo_objects_unref(*place);
		*place = objects_new(memo, cycle, key, len);
	}
	(*place)->used = ++memo->objects_uses;
	(*place)->refs++;
	return *place;
}

/* afresh: all nodes are evaluated anyway. */
static void
update_objects(struct memo *memo, struct memo_kin *kin, struct cycle *cycle,
    bool afresh)
{
	struct memo_objects *before = kin->objects;

	kin->objects = objects_of(memo, cycle);
	kin->unusable |= !kin->objects->narrow;
	if (kin->objects->none) {
		memo_objects_unref(kin->objects);
		kin->objects = NULL;
	}
	for (uint32_t i = 0; !afresh && i < memo->cluster->nnodes; i++)
		if ((before != NULL ? before->totals[i] : 0) !=
		    (kin->objects != NULL ? kin->objects->totals[i] : 0))
			memo_put_todo(memo, i);
	memo_objects_unref(before);
}

/* What nodes said long ago (of taints with a time in them, say) is not to add
 * up. */
static void
forget_answers(struct memo_kin *kin)
{
	kin->answers.n = 0;
	map_fini(&kin->answers.by_hash);
	kin->nrefusals = 0;
	kin->why.n = 0;
	for (size_t i = 0; i < kin->nchecks; i++)
		if (kin->checks[i].states != NULL)
			memset(kin->checks[i].states, 0,
			    CODE_ASK * sizeof(*kin->checks[i].states));
}

static void
evaluate_afresh(struct memo *memo, struct memo_kin *kin, struct cycle *cycle)
{
	uint32_t n = memo->cluster->nnodes;

	forget_answers(kin);
	kin->total = xrealloc(kin->total, column_rows(n), sizeof(*kin->total));
	kin->answer_of = xrealloc(kin->answer_of, n, sizeof(*kin->answer_of));
	update_objects(memo, kin, cycle, true);
	memo_evaluate_all(memo, kin, cycle);
}

static void
evaluate_changed(struct memo *memo, struct memo_kin *kin, struct cycle *cycle)
{
	memo_put_changes_todo(memo, &kin->seen.cursor);
	if (kin->seen.objects != memo->cluster->objects)
		update_objects(memo, kin, cycle, false);
	if (!kin->dear && memo->ntodo > memo->cluster->nnodes / 8 + 64) {
		memo_evaluate_all(memo, kin, cycle);
		return;
	}
	for (uint32_t i = 0; i < memo->ntodo && !cycle_is_cancelled(cycle); i++)
		evaluate(memo, kin, cycle, memo->todo[i]);
}

size_t
memo_kin_size(const struct memo *memo, const struct memo_kin *kin)
{
	return sizeof(*kin) + arena_used(&kin->arena) +
	    arena_used(&kin->class->arena) +
	    memo->cluster->nnodes * 3 * sizeof(uint32_t) +
	    kin->answers.cap * kin->answers.width * sizeof(int64_t) +
	    memo_sorting_size(&kin->sorting);
}

void
memo_evaluate(struct memo *memo, struct memo_kin *kin, struct cycle *cycle)
{
	memo->why = (struct why){ .arena = cycle->arena };
	memo_begin_todo(memo);
	if (memo_is_recent(memo, &kin->seen))
		evaluate_changed(memo, kin, cycle);
	else
		evaluate_afresh(memo, kin, cycle);
	memo_see(memo, &kin->seen);
}
