#include "config.h"

#include "explain/whatif/tune.h"

#include <inttypes.h>
#include <math.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sorted.h"
#include "base/text.h"
#include "explain/whatif/whatif.h"

#define SAME 1e-9 /* costs that differ by less are equal */
/* Pods between two looks at whether to go on. */
#define PODS_BETWEEN 256
/* Beyond 10 only these weights are tried, and the neighbours of the present one. */
static const int64_t steps[] = { 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90,
	100 };

static const char *const objectives[] = {
	[OBJECTIVE_PACKING] = "packing",
	[OBJECTIVE_SPREAD] = "spread",
	[OBJECTIVE_ZONES] = "zones",
	[OBJECTIVE_BALANCE] = "balance",
};

const char *
objective_name(enum objective objective)
{
	return objectives[objective];
}

int
objective_parse(const char *name)
{
	for (int i = 0; i < OBJECTIVES; i++)
		if (strcmp(objectives[i], name) == 0)
			return i;
	return -1;
}

/* The outcome of weights, without the factor that they have in common. */
struct trial {
	size_t placed;
	double cost;
};

struct tuning {
	struct tune *t;
	struct whatif *w;
	const struct tune_ask *ask;
	const struct profile *profile;
	size_t n;            /* weights */
	size_t nfree, *free; /* those to be found, by number; owned */
	size_t npods;
	struct tuning_pod {
		struct pod *pod;    /* as it was; owned */
		struct pod *lifted; /* as it waits; owned */
	} * pods;                   /* in the order of the queue */
	struct whatif_claims claims;
	struct strmap trials; /* by weights as text */
	struct arena scratch; /* of one simulation */
	uint64_t any;         /* the next random number is made of it */
	struct trial best;
	int64_t best_distance; /* of its weights from today's */
	struct tune_progress progress;
};

static unsigned
any_below(struct tuning *s, size_t n)
{
	return (unsigned)(hash_mix(s->any++) % n);
}

static bool
goes_on(struct tuning *s)
{
	if (!s->t->stopped && s->ask->go_on != NULL)
		s->t->stopped = !s->ask->go_on(s->ask->arg, &s->progress);
	return !s->t->stopped;
}

/* ---- which pods ---- */

static void
take_pods(struct tuning *s)
{
	const struct tune_ask *ask = s->ask;

	s->pods = xcalloc(ask->npods + 1, sizeof(*s->pods));
	for (size_t i = 0; i < ask->npods; i++)
		if (whatif_may_move(ask->pods[i]) &&
		    (!ask->pending || ask->pods[i]->node == SYM_EMPTY) &&
		    s->w->serving(s->w->serving_arg, s->w->profiles,
			ask->pods[i]) != NULL)
			s->pods[s->npods++].pod = pod_ref(ask->pods[i]);
	SORT(s->pods, s->npods, whatif_compare_first_pods);
	for (size_t i = 0; i < s->npods; i++)
		s->pods[i].lifted = whatif_lift(s->w, s->pods[i].pod);
}

/* ---- costs ---- */

static double
variation(size_t n, const double *values)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	if (n == 0 || sum <= 0)
		return 0;
	for (size_t i = 0; i < n; i++) {
		double off = values[i] - sum / (double)n;

		squares += off * off;
	}
	return sqrt(squares / (double)n) / (sum / (double)n);
}

/* The mean share that is stranded of cpu, memory and scalars that are requested. */
static double
stranded(const struct balance *b)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < b->nresources; i++) {
		const struct balance_resource *r = &b->resources[i];

		if (strcmp(r->name, "pods") == 0 || r->requested <= 0)
			continue;
		sum += balance_share(r->stranded, r->allocatable);
		n++;
	}
	return n > 0 ? sum / (double)n : 0;
}

static double
spread_of_zones(struct tuning *s, const struct balance *b)
{
	double *cpu = arena_array(&s->scratch, double, b->nzones + 1);
	double *memory = arena_array(&s->scratch, double, b->nzones + 1);

	for (size_t i = 0; i < b->nzones; i++) {
		cpu[i] = b->zones[i].cpu;
		memory[i] = b->zones[i].memory;
	}
	return (variation(b->nzones, cpu) + variation(b->nzones, memory)) / 2;
}

/* The mean difference of cpu and memory on the nodes that are in use. */
static double
imbalance(const struct cluster *cluster, uint32_t in_use)
{
	double sum = 0;

	for (uint32_t i = 0; i < cluster->nnodes; i++) {
		const struct node_info *node = cluster->nodes[i];
		const struct resources *has = &node->node->allocatable;

		if (!balance_is_empty(node))
			sum += fabs(balance_share(node->requested.cpu_milli,
					has->cpu_milli) -
			    balance_share(node->requested.memory, has->memory));
	}
	return in_use > 0 ? sum / in_use : 0;
}

/* Of the cluster as it is now; texts and arrays are scratch. */
static void
measure(struct tuning *s, struct tune_result *r)
{
	const struct cluster *cluster = s->w->cluster;
	const struct balance *b = &r->balance;
	double sum = 0;

	balance_find(&r->balance, cluster, &s->scratch);
	r->nodes_in_use = b->nnodes - b->nempty;
	r->costs[OBJECTIVE_BALANCE] = imbalance(cluster, r->nodes_in_use);
	for (size_t i = 0; i < b->nresources; i++)
		if (strcmp(b->resources[i].name, "cpu") == 0 ||
		    strcmp(b->resources[i].name, "memory") == 0)
			sum += b->resources[i].cv;
	r->costs[OBJECTIVE_SPREAD] = sum / 2;
	r->costs[OBJECTIVE_ZONES] = spread_of_zones(s, b);
	r->costs[OBJECTIVE_PACKING] =
	    balance_share(r->nodes_in_use, cluster->nnodes) + stranded(b);
}

/* ---- one simulation ---- */

/* Places the pods; *tried of them were decided about.  must: to the end. */
static size_t
place_pods(struct tuning *s, struct whatif *w, bool must, size_t *tried)
{
	size_t placed = 0, i = 0;

	for (; i < s->npods; i++) {
		struct pod *pod = s->pods[i].lifted;
		sym node;

		if (i % PODS_BETWEEN == 0 && !goes_on(s) && !must)
			break;
		node = whatif_chosen(
		    whatif_decide_staying(w, pod, i, s->pods[i].pod->node));
		if (node == SYM_NONE)
			continue;
		whatif_place(w, pod, node, NULL);
		placed++;
	}
	*tried = i;
	return placed;
}

/* False: it was stopped before its end. */
static bool
simulate(struct tuning *s, const int64_t *weights, bool must,
    struct tune_result *r)
{
	struct profiles profiles = *s->w->profiles;
	struct whatif w = *s->w;
	size_t tried;
	struct profile *p;

	arena_reset(&s->scratch);
	profiles.at = arena_memdup(&s->scratch, s->w->profiles->at,
	    profiles.n * sizeof(struct profile *));
	/* The profile with these weights; in the scratch. */
	p = arena_memdup(&s->scratch, s->profile, sizeof(*p));
	p->npriorities = 0;
	p->priorities =
	    arena_array(&s->scratch, struct profile_priority, s->n + 1);
	for (size_t i = 0; i < s->n; i++) {
		if (weights[i] == 0)
			continue;
		p->priorities[p->npriorities] = s->profile->priorities[i];
		p->priorities[p->npriorities++].weight = weights[i];
	}
	profiles.at[s->ask->profile] = p;
	w.profiles = &profiles;
	whatif_init(&w);
	r->placed = place_pods(s, &w, must, &tried);
	if (tried == s->npods)
		measure(s, r);
	whatif_fini(&w);
	for (size_t i = 0; i < tried; i++)
		cluster_forget(s->w->cluster, s->pods[i].lifted);
	whatif_claims_restore(&s->claims, s->w->cluster);
	return tried == s->npods;
}

/* ---- comparing ---- */

static bool
is_better(const struct tuning *s, const struct trial *a, int64_t a_distance,
    const struct trial *b, int64_t b_distance)
{
	size_t enough = s->t->today.placed;

	if (a->placed != b->placed &&
	    (a->placed < enough || b->placed < enough))
		return a->placed > b->placed;
	if (fabs(a->cost - b->cost) > SAME)
		return a->cost < b->cost;
	if (a->placed != b->placed)
		return a->placed > b->placed;
	return a_distance < b_distance;
}

static bool
is_same(const struct trial *a, const struct trial *b)
{
	return a->placed == b->placed && fabs(a->cost - b->cost) <= SAME;
}

static int64_t
distance(const struct tuning *s, const int64_t *weights)
{
	int64_t sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += llabs((long long)(weights[i] - s->ask->today[i]));
	return sum;
}

static int64_t
divisor(int64_t a, int64_t b)
{
	return b == 0 ? a : divisor(b, a % b);
}

/* Weights with a factor in common decide as those without it; in the tune's arena. */
static const char *
key_of(struct tuning *s, const int64_t *weights)
{
	struct text text = { 0 };
	int64_t common = 0;

	for (size_t i = 0; i < s->n; i++)
		common = divisor(weights[i], common);
	for (size_t i = 0; i < s->n; i++)
		text_printf(&text, "%" PRId64 ",",
		    common > 0 ? weights[i] / common : 0);
	return text_keep(&text, &s->t->arena);
}

/* A result that stays. */
static void
keep(struct tuning *s, struct tune_result *to, const struct tune_result *from,
    const int64_t *weights)
{
	struct arena *arena = &s->t->arena;
	struct balance *b = &to->balance;

	*to = *from;
	to->weights = arena_memdup(arena, weights, s->n * sizeof(*weights));
	b->resources = arena_memdup(arena, b->resources,
	    b->nresources * sizeof(*b->resources));
	b->zones = arena_memdup(arena, b->zones, b->nzones * sizeof(*b->zones));
}

/* The outcome of the weights, NULL: the search was stopped.  The best is kept. */
static const struct trial *
try_weights(struct tuning *s, const int64_t *weights)
{
	const char *key = key_of(s, weights);
	struct trial *trial = strmap_get(&s->trials, key);
	int64_t away = distance(s, weights);
	struct tune_result r = { 0 };
	bool first = s->t->tried == 0, again = trial != NULL;

	if (again && !is_better(s, trial, away, &s->best, s->best_distance))
		return trial;
	if (s->t->stopped || !simulate(s, weights, first, &r))
		return NULL;
	if (!again) {
		trial = arena_array(&s->t->arena, struct trial, 1);
		strmap_put(&s->trials, key, trial);
	}
	*trial = (struct trial){ r.placed, r.costs[s->ask->objective] };
	s->progress.tried = ++s->t->tried;
	if (first)
		keep(s, &s->t->today, &r, weights);
	if (first || is_better(s, trial, away, &s->best, s->best_distance)) {
		s->best = *trial;
		s->best_distance = away;
		s->progress.best = trial->cost;
		keep(s, &s->t->best, &r, weights);
	}
	return trial;
}

/* ---- searching ---- */

struct point {
	int64_t *weights;
	struct trial trial;
	int64_t distance;
};

/* Sets weight i of the point to the value if that is better. */
static bool
try_value(struct tuning *s, struct point *p, size_t i, int64_t value)
{
	int64_t before = p->weights[i], away;
	const struct trial *trial;

	if (value < 0 || value > s->ask->max_weight || value == before)
		return false;
	p->weights[i] = value;
	trial = try_weights(s, p->weights);
	away = distance(s, p->weights);
	if (trial != NULL &&
	    is_better(s, trial, away, &p->trial, p->distance)) {
		p->trial = *trial;
		p->distance = away;
		return true;
	}
	p->weights[i] = before;
	return false;
}

/* Looks for the best value of one weight, the others being as they are. */
static bool
improve_weight(struct tuning *s, struct point *p, size_t i)
{
	const int64_t begin = p->weights[i];
	bool improved = false;
	const struct trial *least;
	const struct trial *most;

	/* If the extremes make no difference, the weight makes none. */
	p->weights[i] = 0;
	least = try_weights(s, p->weights);
	p->weights[i] = s->ask->max_weight;
	most = try_weights(s, p->weights);
	p->weights[i] = begin;
	if (least != NULL && most != NULL && is_same(least, &p->trial) &&
	    is_same(most, &p->trial))
		return try_value(s, p, i, s->ask->today[i]);
	for (int64_t v = 0; v <= 10 && !s->t->stopped; v++)
		improved |= try_value(s, p, i, v);
	for (size_t k = 0; k < LENGTH(steps) && !s->t->stopped; k++)
		improved |= try_value(s, p, i, steps[k]);
	improved |= try_value(s, p, i, begin - 1);
	improved |= try_value(s, p, i, begin + 1);
	return improved;
}

/* Each weight in turn, in an order that chance gives, until none can be improved. */
static void
descend(struct tuning *s, struct point *p)
{
	size_t *order = xcalloc(s->nfree + 1, sizeof(*order));
	bool improved = true;

	for (size_t i = 0; i < s->nfree; i++) {
		size_t k = any_below(s, i + 1);

		order[i] = order[k];
		order[k] = s->free[i];
	}
	while (improved && !s->t->stopped) {
		improved = false;
		for (size_t i = 0; i < s->nfree && !s->t->stopped; i++)
			improved |= improve_weight(s, p, order[i]);
	}
	free(order);
}

static void
search_from(struct tuning *s, int64_t *weights)
{
	struct point p = { .weights = weights };
	const struct trial *trial = try_weights(s, weights);

	if (trial == NULL)
		return;
	p.trial = *trial;
	p.distance = distance(s, weights);
	descend(s, &p);
}

/* Anywhere: half of the weights are 0. */
static void
choose_weights(struct tuning *s, int64_t *weights)
{
	memcpy(weights, s->ask->today, s->n * sizeof(*weights));
	for (size_t i = 0; i < s->nfree; i++)
		weights[s->free[i]] = any_below(s, 2) == 0 ?
		    0 :
		    1 + (int64_t)any_below(s, (size_t)s->ask->max_weight);
}

static bool
are_few(const struct tuning *s)
{
	double all = 1;

	for (size_t i = 0; i < s->nfree; i++)
		all *= (double)(s->ask->max_weight + 1);
	return all <= TUNE_ALL;
}

static void
try_all(struct tuning *s, int64_t *weights)
{
	size_t i;

	s->progress.round = s->progress.rounds + 1;
	memcpy(weights, s->ask->today, s->n * sizeof(*weights));
	for (i = 0; i < s->nfree; i++)
		weights[s->free[i]] = 0;
	do {
		if (try_weights(s, weights) == NULL)
			return;
		for (i = 0; i < s->nfree; i++) {
			if (++weights[s->free[i]] <= s->ask->max_weight)
				break;
			weights[s->free[i]] = 0;
		}
	} while (i < s->nfree);
	s->t->exhaustive = true;
}

static void
search(struct tuning *s)
{
	int64_t *weights = xcalloc(s->n + 1, sizeof(*weights));

	memcpy(weights, s->ask->today, s->n * sizeof(*weights));
	s->progress.round = 1;
	try_weights(s, weights);
	s->progress.today = s->best.cost;
	search_from(s, weights);
	for (uint32_t i = 1; i < s->ask->rounds && !s->t->stopped; i++) {
		s->progress.round++;
		choose_weights(s, weights);
		search_from(s, weights);
	}
	if (!s->t->stopped && are_few(s))
		try_all(s, weights);
	free(weights);
}

void
tune_find(struct tune *t, struct whatif *w, const struct tune_ask *ask)
{
	struct tuning s = {
		.t = t,
		.w = w,
		.ask = ask,
		.profile = w->profiles->at[ask->profile],
		.n = w->profiles->at[ask->profile]->npriorities,
		.any = w->seed,
		.progress = { .rounds = ask->rounds },
	};

	memset(t, 0, sizeof(*t));
	whatif_claims_save(&s.claims, w->cluster);
	take_pods(&s);
	t->npods = s.npods;
	t->nweights = s.n;
	s.free = xcalloc(s.n + 1, sizeof(*s.free));
	for (size_t i = 0; i < s.n; i++)
		if (ask->today[i] <= ask->max_weight)
			s.free[s.nfree++] = i;
	search(&s);
	for (size_t i = 0; i < s.npods; i++) {
		pod_unref(s.pods[i].pod);
		pod_unref(s.pods[i].lifted);
	}
	free(s.pods);
	free(s.free);
	whatif_claims_fini(&s.claims);
	strmap_fini(&s.trials);
	arena_fini(&s.scratch);
}

void
tune_fini(struct tune *t)
{
	arena_fini(&t->arena);
}
