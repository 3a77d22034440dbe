/*
 * The states of a pod and the moves between them are drawn in queue.h.
 *
 * Unschedulable pods are kept in groups of one class each: an event is compared
 * with classes.  Hundreds of pods are assigned per second, and change: the classes
 * with terms that these may satisfy are found by labels (term_watch.h).
 */
#include "config.h"

#include "daemon/queue/queue.h"

#include <assert.h>
#include <sys/queue.h>

#include "base/heap.h"
#include "base/map.h"
#include "objects/namespace_weights.h"
#include "objects/node.h"
#include "objects/pod.h"
#include "objects/resource_claim.h"
#include "objects/workload.h"
#include "daemon/queue/term_watch.h"

/*
 * An attempt that takes less processor time than this is free.  A namespace is costly
 * whose others have taken so much, of which half is forgotten each second.
 */
#define FREE_US 2000
#define COSTLY_US 100000
/* After each of these its pods wait for so many times as long, while pods of others do;
 * after one that is long also if one was tried within a second. */
#define COSTLY_REST 9
#define LONG_US 20000
#define OTHERS_MS 1000

/* As in kube-scheduler 1.15, PriorityQueue.run(). */
#define BACKOFF_TICK_MS 1000
#define AGE_TICK_MS 30000

/* One event compares and moves so many at once.  If these do not suffice, all pods
 * that are unschedulable by then move, so many at each tick. */
#define STEPS_MAX 2000
/* A hint may look at all of a class: so much of it is a step. */
#define STEP_BYTES 16384

/* So many gated pods are asked again at once. */
#define REOPENED_MAX 256

/* A pod that was tried before lets those go first that came so much later. */
#define TRIED_LATER_MS 10000

struct account;
struct group;

TAILQ_HEAD(line, entry);

struct entry {
	/* first: cast to each other; ACTIVE, BACKOFF, QUARANTINE */
	struct heap_item item;
	LIST_ENTRY(entry) siblings; /* of its group */
	struct group *group;        /* of UNSCHEDULABLE, NULL elsewhere */
	struct account *account;    /* of ACTIVE, NULL elsewhere */
	struct heap *heap; /* of BACKOFF and QUARANTINE, NULL elsewhere */
	int64_t due_ms;    /* there */
	const struct pod_class *claims; /* of GATED: as counted in claimants */
	struct line *line; /* of the place, where that is no heap; or NULL */
	TAILQ_ENTRY(entry) neighbours; /* of the line */

	struct pod *pod;
	enum queue_place place;
	bool changed; /* while IN_FLIGHT, so that a rule may see it */
	bool flushed; /* age moved it, since its last attempt */
	uint32_t attempts;

	int64_t added_ms;
	int64_t first_ms; /* as added_ms, but without its time as GATED */
	/* When it was last queued, by being added or by failing, and the order
	 * of that among all pods.  Moves do not count. */
	int64_t queued_ms;
	uint64_t order;
	uint64_t cycle;    /* queue->cycle when it was popped last */
	uint64_t refusers; /* of UNSCHEDULABLE */

	uint32_t nbackoffs; /* in a row; 0: no backoff */
	int64_t backoff_began_ms;
	int64_t backoff_ends_ms;

	uint32_t nquarantines; /* in a row */
	int64_t quarantine_began_ms;
	int64_t quarantine_ends_ms;
	const struct pod_class *suspect; /* of QUARANTINE: as counted */
};

/* Unschedulable pods of one class; there while it has any. */
struct group {
	struct term_watch watch; /* first: cast to each other */
	uint64_t refusers;       /* of any of them */
	LIST_HEAD(, entry) entries;
	LIST_ENTRY(group) siblings;
};

/*
 * A namespace: its ACTIVE pods, and what attempts with its pods have cost.
 *
 * The pods of all that are not costly are in one order: that of tried_before(), with
 * weights by turn within a priority.  A costly one waits as the members of struct
 * queue say.  Turns are start-time fair queueing: that of the least `turn` is next,
 * which advances by what its attempts cost.
 */
struct account {
	struct heap_item item; /* first: cast; in queue->fronts */
	LIST_ENTRY(account) all, costly_ones;
	sym namespace; /* a reference */
	uint32_t weight;
	struct heap pods;
	uint64_t turn;  /* 0 without weights, but while it is costly */
	double used_us; /* as of used_ms, by weight */
	double nused;   /* attempts and events that this is of */
	int64_t used_ms;
	bool is_costly;
	int64_t costly_ms; /* until then, and its next turn */
	bool had_turn;     /* since it was charged */
	int64_t nbindings; /* that wait for their answer */
};

struct queue {
	struct queue_options options;
	struct strmap entries; /* by uid */

	struct map accounts; /* by namespace */
	LIST_HEAD(account_list, account) account_list, costly;
	struct heap fronts; /* of those that are not costly and have pods */
	/* Accounts that are not costly and have bindings which wait for an answer; such
	 * bindings of costly ones. */
	int64_t nbinding, ncostly_bindings;
	uint64_t turn;     /* the last */
	int64_t others_ms; /* when one of these last had pods */
	/* When a costly one may have a turn while these have pods, or had not long ago. */
	int64_t rest_ms, long_rest_ms;
	int64_t resume_ms; /* when there may be one, while none of these has */
	struct heap backoff;
	struct heap quarantine;
	struct map suspects; /* counts of pods in quarantine, by class */
	queue_gate *gate;
	void *gate_arg;
	/* How many of GATED name a ResourceClaim, by namespace and name.  The next of
	 * GATED that such claims may let go, NULL: none; and whether there was such an
	 * event since the first of them. */
	struct map claimants;
	struct entry *reopening;
	bool reopen;
	enum queue_event reopen_event;
	struct map groups; /* by the address of the class */
	LIST_HEAD(, group) group_list;
	struct term_watches watches;
	size_t steps; /* left for this event */
	uint64_t compared;
	/* All unschedulable pods up to this order are to be moved. */
	uint64_t rest_order;
	enum queue_event rest_event;
	int64_t old_ms; /* as are those queued before, as too old */

	/* Of places that are no heaps, in the order in which pods came there. */
	struct line lines[QUEUE_PLACES];
	size_t count[QUEUE_PLACES];
	uint64_t incoming[QUEUE_PLACES][QUEUE_EVENTS];

	uint64_t last_order;
	/*
	 * Pods popped so far, and how many there were at the last move (0 is
	 * before any): a pod that was popped by then may have been refused
	 * for a cause that is gone.
	 */
	uint64_t cycle;
	uint64_t move_cycle;

	/* Ticks are at begin_ms + n * BACKOFF_TICK_MS, AGE_TICK_MS. */
	int64_t begin_ms;
	int64_t age_tick_ms; /* the next one */
};

const struct queue_options queue_options_default = {
	.backoff_initial_ms = 1000,
	.backoff_max_ms = 10000,
	.unschedulable_age_ms = 60000,
	.quarantine_initial_ms = 10000,
	.quarantine_max_ms = 600000,
	.namespace_weights = "",
};

const char *
queue_place_name(enum queue_place place)
{
	static const char *const names[QUEUE_PLACES] = {
		[QUEUE_NOWHERE] = "nowhere",
		[QUEUE_ACTIVE] = "active",
		[QUEUE_BACKOFF] = "backoff",
		[QUEUE_UNSCHEDULABLE] = "unschedulable",
		[QUEUE_GATED] = "gated",
		[QUEUE_QUARANTINE] = "quarantine",
		[QUEUE_IN_FLIGHT] = "in-flight",
	};

	return names[place];
}

static int64_t
later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* ---- orders ---- */

static int64_t
turn_ms(const struct entry *entry)
{
	return entry->queued_ms + (entry->attempts > 0 ? TRIED_LATER_MS : 0);
}

static bool
tried_before(const struct heap_item *a, const struct heap_item *b)
{
	const struct entry *x = (const struct entry *)a;
	const struct entry *y = (const struct entry *)b;

	if (x->pod->priority != y->pod->priority)
		return x->pod->priority > y->pod->priority;
	if (turn_ms(x) != turn_ms(y))
		return turn_ms(x) < turn_ms(y);
	return x->order < y->order;
}

static const struct entry *
first_of(const struct account *account)
{
	return (const struct entry *)heap_first(&account->pods);
}

static bool
has_turn_before(const struct heap_item *a, const struct heap_item *b)
{
	const struct account *x = (const struct account *)a;
	const struct account *y = (const struct account *)b;
	const struct entry *first = first_of(x), *second = first_of(y);

	if (first->pod->priority == second->pod->priority && x->turn != y->turn)
		return x->turn < y->turn;
	return tried_before(&first->item, &second->item);
}

static bool
due_before(const struct heap_item *a, const struct heap_item *b)
{
	const struct entry *x = (const struct entry *)a;
	const struct entry *y = (const struct entry *)b;

	if (x->due_ms != y->due_ms)
		return x->due_ms < y->due_ms;
	return x->order < y->order;
}

/* ---- places ---- */

static bool
has_turns(const struct queue *queue, const struct account *account)
{
	return account->is_costly || *queue->options.namespace_weights != '\0';
}

static struct account *
account_of(struct queue *queue, sym namespace)
{
	struct account *account = map_get(&queue->accounts, namespace);

	if (account != NULL)
		return account;
	account = xcalloc(1, sizeof(*account));
	account->namespace = sym_ref(namespace);
	account->weight = namespace_weight(queue->options.namespace_weights,
	    sym_text(namespace));
	account->pods = (struct heap)HEAP_INIT(tried_before);
	LIST_INSERT_HEAD(&queue->account_list, account, all);
	map_put(&queue->accounts, namespace, account);
	return account;
}

static void
account_free(struct queue *queue, struct account *account)
{
	map_del(&queue->accounts, account->namespace);
	LIST_REMOVE(account, all);
	heap_fini(&account->pods);
	sym_unref(account->namespace);
	free(account);
}

/* If it is idle and has cost nothing of late. */
static void
account_drop(struct queue *queue, struct account *account)
{
	if (account->pods.n == 0 && account->used_us == 0 &&
	    account->nbindings == 0 && !account->is_costly)
		account_free(queue, account);
}

/* After the first of its pods, or its turn, may have changed. */
static void
front_update(struct queue *queue, struct account *account)
{
	bool shows = !account->is_costly && account->pods.n > 0;

	if (account->item.at > 0 && shows)
		heap_moved(&queue->fronts, &account->item);
	else if (account->item.at > 0)
		heap_remove(&queue->fronts, &account->item);
	else if (shows)
		heap_add(&queue->fronts, &account->item);
}

/* It has no turns left from before. */
static void
catch_up(const struct queue *queue, struct account *account)
{
	if (!has_turns(queue, account))
		account->turn = 0;
	else if (account->turn < queue->turn)
		account->turn = queue->turn;
}

static void
active_add(struct queue *queue, struct entry *entry)
{
	struct account *account =
	    account_of(queue, entry->pod->class->namespace);

	if (account->pods.n == 0)
		catch_up(queue, account);
	heap_add(&account->pods, &entry->item);
	entry->account = account;
	front_update(queue, account);
}

static void
active_remove(struct queue *queue, struct entry *entry)
{
	struct account *account = entry->account;

	heap_remove(&account->pods, &entry->item);
	entry->account = NULL;
	front_update(queue, account);
	if (account->turn <= queue->turn)
		account_drop(queue, account);
}

/* So many bindings of it more count, as costly or not. */
static void
count_bindings(struct queue *queue, struct account *account, int64_t change)
{
	bool had = account->nbindings > 0;

	account->nbindings += change;
	if (account->is_costly)
		queue->ncostly_bindings += change;
	else
		queue->nbinding += (account->nbindings > 0) - had;
}

/* Its pods wait in a line of their own from now on, or not any more. */
static void
set_costly(struct queue *queue, struct account *account, bool is_costly)
{
	int64_t n = account->nbindings;

	count_bindings(queue, account, -n);
	account->is_costly = is_costly;
	count_bindings(queue, account, n);
	if (is_costly)
		LIST_INSERT_HEAD(&queue->costly, account, costly_ones);
	else
		LIST_REMOVE(account, costly_ones);
	catch_up(queue, account);
	front_update(queue, account);
}

/* Whether it has the bindings that are its share: all that are costly have a tenth. */
static bool
is_full(const struct queue *queue, const struct account *account)
{
	int64_t max = queue->options.max_bindings;

	if (max == 0 || account->nbindings == 0)
		return false;
	if (account->is_costly)
		return queue->ncostly_bindings * 10 >= max;
	return account->nbindings * (queue->nbinding + 1) >= max;
}

/* Of those that are not costly: the first that is not full, or that has pods. */
static struct account *
front(const struct queue *queue)
{
	struct heap_item *first = heap_first(&queue->fronts), *best = NULL;

	if (first == NULL || !is_full(queue, (struct account *)first))
		return (struct account *)first;
	for (size_t i = 1; i < queue->fronts.n; i++) {
		struct heap_item *item = queue->fronts.items[i];

		if (!is_full(queue, (struct account *)item) &&
		    (best == NULL || has_turn_before(item, best)))
			best = item;
	}
	return (struct account *)(best != NULL ? best : first);
}

/* The costly one whose turn it is; NULL: there is none, or it rests. */
static struct account *
costly_turn(struct queue *queue, int64_t now_ms)
{
	struct account *account, *next, *first = NULL;
	int64_t wait_ms = queue->others_ms + OTHERS_MS;

	for (account = LIST_FIRST(&queue->costly); account != NULL;
	     account = next) {
		next = LIST_NEXT(account, costly_ones);
		if (now_ms >= account->costly_ms &&
		    (account->had_turn || account->pods.n == 0))
			set_costly(queue, account, false);
		else if (account->pods.n > 0 &&
		    (queue->fronts.n == 0 || !is_full(queue, account)) &&
		    (first == NULL || account->turn < first->turn))
			first = account;
	}
	if (queue->fronts.n > 0) {
		queue->others_ms = now_ms;
		return now_ms < queue->rest_ms ? NULL : first;
	}
	if (wait_ms > queue->long_rest_ms)
		wait_ms = queue->long_rest_ms;
	if (first == NULL || now_ms >= wait_ms)
		return first;
	queue->resume_ms = wait_ms;
	return NULL;
}

/* NULL: none is active, or all rest. */
static struct entry *
active_pop(struct queue *queue, int64_t now_ms)
{
	struct account *account = costly_turn(queue, now_ms);

	if (account == NULL)
		account = front(queue);
	if (account == NULL)
		return NULL;
	if (queue->turn < account->turn)
		queue->turn = account->turn;
	if (account->is_costly) /* the next of these comes later */
		queue->rest_ms = later(queue->rest_ms, now_ms + 1);
	account->had_turn = true;
	return (struct entry *)heap_first(&account->pods);
}

static void
group_add(struct queue *queue, struct entry *entry)
{
	const struct pod_class *class = entry->pod->class;
	struct group *group = map_get(&queue->groups, (uintptr_t) class);

	if (group == NULL) {
		group = xcalloc(1, sizeof(*group));
		group->watch.class = class;
		term_watch_add(&queue->watches, &group->watch);
		LIST_INIT(&group->entries);
		LIST_INSERT_HEAD(&queue->group_list, group, siblings);
		map_put(&queue->groups, (uintptr_t) class, group);
	}
	LIST_INSERT_HEAD(&group->entries, entry, siblings);
	group->refusers |= entry->refusers;
	entry->group = group;
}

static void
group_remove(struct queue *queue, struct entry *entry)
{
	struct group *group = entry->group;

	LIST_REMOVE(entry, siblings);
	entry->group = NULL;
	if (!LIST_EMPTY(&group->entries))
		return;
	LIST_REMOVE(group, siblings);
	term_watch_remove(&group->watch);
	map_del(&queue->groups, (uintptr_t)group->watch.class);
	free(group);
}

static void
heap_enter(struct entry *entry, struct heap *heap, int64_t due_ms)
{
	entry->due_ms = due_ms;
	entry->heap = heap;
	heap_add(heap, &entry->item);
}

static uintptr_t
count_suspects(const struct queue *queue, const struct pod_class *class)
{
	return (uintptr_t)map_get(&queue->suspects, (uintptr_t) class);
}

static void
claimants_count(struct queue *queue, const struct pod_class *class, int sign)
{
	for (uint32_t i = 0; i < class->nresource_claims; i++) {
		uint64_t key =
		    map_key(class->namespace, class->resource_claims[i].claim);
		uintptr_t n = (uintptr_t)map_get(&queue->claimants, key) +
		    (uintptr_t)sign;

		if (n > 0)
			map_put(&queue->claimants, key, (void *)n);
		else
			map_del(&queue->claimants, key);
	}
}

static void
claimants_add(struct queue *queue, struct entry *entry)
{
	if (entry->pod->class->nresource_claims == 0)
		return;
	entry->claims = entry->pod->class;
	claimants_count(queue, entry->claims, 1);
}

static void
claimants_remove(struct queue *queue, struct entry *entry)
{
	if (entry->claims != NULL)
		claimants_count(queue, entry->claims, -1);
	entry->claims = NULL;
}

static bool
is_heap(enum queue_place place)
{
	return place == QUEUE_ACTIVE || place == QUEUE_BACKOFF ||
	    place == QUEUE_QUARANTINE;
}

/* Of every structure that has it, which are those of its place. */
static void
remove_from_place(struct queue *queue, struct entry *entry)
{
	uintptr_t nsuspects;

	if (queue->reopening == entry)
		queue->reopening = TAILQ_NEXT(entry, neighbours);
	if (entry->line != NULL)
		TAILQ_REMOVE(entry->line, entry, neighbours);
	entry->line = NULL;
	if (entry->account != NULL)
		active_remove(queue, entry);
	if (entry->heap != NULL)
		heap_remove(entry->heap, &entry->item);
	entry->heap = NULL;
	if (entry->suspect != NULL) {
		nsuspects = count_suspects(queue, entry->suspect) - 1;
		if (nsuspects > 0)
			map_put(&queue->suspects, (uintptr_t)entry->suspect,
			    (void *)nsuspects);
		else
			map_del(&queue->suspects, (uintptr_t)entry->suspect);
		entry->suspect = NULL;
	}
	if (entry->group != NULL)
		group_remove(queue, entry);
	claimants_remove(queue, entry);
	queue->count[entry->place]--;
	entry->place = QUEUE_NOWHERE;
	queue->count[QUEUE_NOWHERE]++;
}

/* The entry is nowhere. */
static void
enter(struct queue *queue, struct entry *entry, enum queue_place place)
{
	if (!is_heap(place)) {
		entry->line = &queue->lines[place];
		TAILQ_INSERT_TAIL(entry->line, entry, neighbours);
	}
	switch (place) {
	case QUEUE_ACTIVE:
		active_add(queue, entry);
		break;
	case QUEUE_BACKOFF:
		heap_enter(entry, &queue->backoff, entry->backoff_ends_ms);
		break;
	case QUEUE_UNSCHEDULABLE:
		group_add(queue, entry);
		break;
	case QUEUE_QUARANTINE:
		heap_enter(entry, &queue->quarantine,
		    entry->quarantine_ends_ms);
		entry->suspect = entry->pod->class;
		map_put(&queue->suspects, (uintptr_t)entry->suspect,
		    (void *)(count_suspects(queue, entry->suspect) + 1));
		break;
	case QUEUE_GATED:
		claimants_add(queue, entry);
		break;
	case QUEUE_NOWHERE:
	case QUEUE_IN_FLIGHT:
	case QUEUE_PLACES:
		break;
	}
	queue->count[QUEUE_NOWHERE]--;
	entry->place = place;
	queue->count[place]++;
}

static bool
has_gates(void *arg, const struct pod *pod)
{
	return pod->class->ngates > 0;
}

static bool
is_gated(const struct queue *queue, const struct entry *entry)
{
	return queue->gate(queue->gate_arg, entry->pod);
}

static void
move_ungated(struct queue *queue, struct entry *entry, enum queue_place place,
    enum queue_event event)
{
	remove_from_place(queue, entry);
	enter(queue, entry, place);
	queue->incoming[place][event]++;
}

/* Into one of the queues: that of the gated instead of one from which it would be
 * tried without another event.  Pods of BACKOFF were asked about already. */
static void
move(struct queue *queue, struct entry *entry, enum queue_place place,
    enum queue_event event)
{
	bool asks = place != QUEUE_UNSCHEDULABLE && place != QUEUE_GATED &&
	    event != QUEUE_BACKOFF_COMPLETE;

	if (asks && is_gated(queue, entry))
		place = QUEUE_GATED;
	move_ungated(queue, entry, place, event);
}

static void
stamp(struct queue *queue, struct entry *entry, int64_t now_ms)
{
	entry->queued_ms = now_ms;
	entry->order = ++queue->last_order;
}

/* ---- backoff ---- */

static int64_t
doubled(int64_t ms, int64_t max_ms, uint32_t times)
{
	for (uint32_t i = 0; i < times && ms < max_ms; i++)
		ms *= 2;
	return ms < max_ms ? ms : max_ms;
}

static bool
is_backing_off(const struct entry *entry, int64_t now_ms)
{
	return entry->nbackoffs > 0 && entry->backoff_ends_ms > now_ms;
}

/* ---- quarantine ---- */

/* A pod that has changed is tried again after the shortest quarantine. */
static void
shorten_quarantine(const struct queue *queue, struct entry *entry)
{
	int64_t ends_ms =
	    entry->quarantine_began_ms + queue->options.quarantine_initial_ms;

	if (entry->quarantine_ends_ms > ends_ms)
		entry->quarantine_ends_ms = ends_ms;
}

/* ---- pods come, change and go ---- */

static struct entry *
find(const struct queue *queue, const struct pod *pod)
{
	return strmap_get(&queue->entries, pod->object.uid);
}

static void
entry_free(struct entry *entry)
{
	pod_unref(entry->pod);
	free(entry);
}

/* The gated pod may be let go. */
static void
reopen(struct queue *queue, struct entry *entry, enum queue_event event,
    int64_t now_ms)
{
	if (is_gated(queue, entry))
		return;
	stamp(queue, entry, now_ms);
	if (entry->attempts == 0)
		entry->first_ms = now_ms;
	move_ungated(queue, entry,
	    is_backing_off(entry, now_ms) ? QUEUE_BACKOFF : QUEUE_ACTIVE,
	    event);
}

/* A change of the pod that may make it fit where it did not. */
static void
changed(struct queue *queue, struct entry *entry, const struct pod *before,
    int64_t now_ms)
{
	enum queue_event event = queue_event_of_waiting(before, entry->pod);

	switch (entry->place) {
	case QUEUE_ACTIVE:
		if (is_gated(queue, entry)) {
			move(queue, entry, QUEUE_GATED, event);
		} else if (before->priority != entry->pod->priority) {
			active_remove(queue, entry);
			active_add(queue, entry);
		}
		break;
	case QUEUE_BACKOFF:
		move(queue, entry, QUEUE_ACTIVE, event);
		break;
	case QUEUE_UNSCHEDULABLE:
		if (before->priority == entry->pod->priority &&
		    !hints_of_itself(entry->refusers, before->class,
			entry->pod->class)) {
			group_remove(queue, entry);
			group_add(queue, entry);
			break;
		}
		entry->nbackoffs = 0;
		move(queue, entry, QUEUE_ACTIVE, event);
		break;
	case QUEUE_GATED:
		/* it may name claims now, or none any more */
		claimants_remove(queue, entry);
		claimants_add(queue, entry);
		reopen(queue, entry, event, now_ms);
		break;
	case QUEUE_QUARANTINE:
		shorten_quarantine(queue, entry);
		move(queue, entry, QUEUE_QUARANTINE, event);
		break;
	case QUEUE_IN_FLIGHT:
		entry->changed = true;
		break;
	case QUEUE_NOWHERE:
	case QUEUE_PLACES:
		break;
	}
}

void
queue_add(struct queue *queue, const struct pod *pod, int64_t now_ms)
{
	struct entry *entry = find(queue, pod);
	struct pod *before;

	if (entry == NULL) {
		entry = xcalloc(1, sizeof(*entry));
		entry->pod = pod_ref(pod);
		entry->added_ms = entry->first_ms = now_ms;
		strmap_put(&queue->entries, entry->pod->object.uid, entry);
		queue->count[QUEUE_NOWHERE]++;
		stamp(queue, entry, now_ms);
		move(queue, entry, QUEUE_ACTIVE, QUEUE_POD_ADD);
		return;
	}
	before = entry->pod;
	entry->pod = pod_ref(pod);
	/* the key is the pod's own text */
	strmap_put(&queue->entries, entry->pod->object.uid, entry);
	if (before->class != pod->class || before->priority != pod->priority)
		changed(queue, entry, before, now_ms);
	pod_unref(before);
}

void
queue_delete(struct queue *queue, const struct pod *pod)
{
	struct entry *entry = find(queue, pod);

	if (entry == NULL)
		return;
	remove_from_place(queue, entry);
	queue->count[QUEUE_NOWHERE]--;
	strmap_del(&queue->entries, entry->pod->object.uid);
	entry_free(entry);
}

/* ---- attempts ---- */

struct pod *
queue_pop(struct queue *queue, int64_t now_ms, struct queue_attempt *attempt)
{
	struct entry *entry;

	queue_tick(queue, now_ms);
	entry = active_pop(queue, now_ms);
	if (entry == NULL)
		return NULL;
	remove_from_place(queue, entry);
	enter(queue, entry, QUEUE_IN_FLIGHT);
	entry->cycle = ++queue->cycle;
	entry->attempts++;
	entry->changed = false;
	if (attempt != NULL)
		*attempt = (struct queue_attempt){
			.number = entry->attempts,
			.added_ms = entry->added_ms,
			.first_ms = entry->first_ms,
			.flushed = entry->flushed,
			.suspect = entry->nquarantines == 0 &&
			    count_suspects(queue, entry->pod->class) > 0,
		};
	return pod_ref(entry->pod);
}

bool
queue_refused(struct queue *queue, const struct pod *pod, uint64_t refusers,
    int64_t now_ms)
{
	const struct queue_options *options = &queue->options;
	struct entry *entry = find(queue, pod);

	if (entry == NULL || entry->place != QUEUE_IN_FLIGHT)
		return false;
	stamp(queue, entry, now_ms);
	entry->flushed = false;
	if (entry->changed) {
		move(queue, entry, QUEUE_ACTIVE, QUEUE_POD_UPDATE);
		return true;
	}
	if (!is_backing_off(entry, now_ms)) {
		/* twice: time to wait out the longest backoff and to be tried
		 * again */
		if (now_ms - entry->backoff_began_ms >
		    2 * options->backoff_max_ms)
			entry->nbackoffs = 0;
		entry->backoff_began_ms = now_ms;
		entry->backoff_ends_ms = now_ms +
		    doubled(options->backoff_initial_ms,
			options->backoff_max_ms, entry->nbackoffs++);
	}
	entry->refusers = refusers;
	if (refusers != 0 && queue->move_cycle < entry->cycle)
		move(queue, entry, QUEUE_UNSCHEDULABLE, QUEUE_ATTEMPT_FAILURE);
	else
		move(queue, entry, QUEUE_BACKOFF, QUEUE_ATTEMPT_FAILURE);
	return true;
}

bool
queue_retry(struct queue *queue, const struct pod *pod, int64_t now_ms)
{
	return queue_refused(queue, pod, 0, now_ms);
}

bool
queue_go_on(struct queue *queue, const struct pod *pod, int64_t now_ms)
{
	struct entry *entry = find(queue, pod);

	if (entry == NULL || entry->place != QUEUE_IN_FLIGHT)
		return false;
	stamp(queue, entry, now_ms);
	move(queue, entry, QUEUE_ACTIVE, QUEUE_ATTEMPT_FAILURE);
	return true;
}

int64_t
queue_quarantine(struct queue *queue, const struct pod *pod, int64_t now_ms)
{
	const struct queue_options *options = &queue->options;
	struct entry *entry = find(queue, pod);

	if (entry == NULL || entry->place == QUEUE_QUARANTINE ||
	    entry->place == QUEUE_GATED)
		return 0;
	stamp(queue, entry, now_ms);
	if (now_ms - entry->quarantine_began_ms >
	    2 * options->quarantine_max_ms)
		entry->nquarantines = 0;
	entry->quarantine_began_ms = now_ms;
	entry->quarantine_ends_ms = now_ms +
	    doubled(options->quarantine_initial_ms, options->quarantine_max_ms,
		entry->nquarantines++);
	if (entry->changed)
		shorten_quarantine(queue, entry);
	entry->changed = false;
	move(queue, entry, QUEUE_QUARANTINE, QUEUE_ATTEMPT_FAILURE);
	return entry->place == QUEUE_QUARANTINE ?
	    entry->quarantine_ends_ms - now_ms :
	    0;
}

/* ---- costs ---- */

/* Half of what was used a second ago is forgotten. */
static void
forget_costs(struct account *account, int64_t now_ms)
{
	for (; account->used_ms + 1000 <= now_ms && account->used_us > 0;
	     account->used_ms += 1000) {
		account->nused /= 2;
		account->used_us /= 2;
		if (account->used_us < FREE_US)
			account->used_us = account->nused = 0;
	}
	if (account->used_us == 0)
		account->used_ms = now_ms;
}

/* Whether it is costly from now on. */
static bool
use(struct queue *queue, struct account *account, int64_t us, int64_t now_ms)
{
	int64_t rest_ms = now_ms + COSTLY_REST * us / 1000;

	forget_costs(account, now_ms);
	account->used_us += (double)us;
	account->nused++;
	if (account->used_us < COSTLY_US && !account->is_costly)
		return false;
	queue->rest_ms = later(queue->rest_ms, rest_ms);
	if (us > LONG_US)
		queue->long_rest_ms = later(queue->long_rest_ms, rest_ms);
	account->costly_ms = later(account->costly_ms, rest_ms + OTHERS_MS);
	account->had_turn = false;
	if (account->is_costly)
		return false;
	set_costly(queue, account, true);
	return true;
}

int64_t
queue_charge(struct queue *queue, sym namespace, int64_t cost_us, bool again,
    int64_t now_ms)
{
	bool counts = again || cost_us >= FREE_US;
	struct account *account = counts ? account_of(queue, namespace) :
					   map_get(&queue->accounts, namespace);
	int64_t each_us = 0;

	if (account == NULL)
		return 0;
	if (counts && use(queue, account, cost_us / account->weight, now_ms))
		each_us = (int64_t)(account->used_us * account->weight /
		    account->nused);
	/* its turn is so much later by weight */
	if (has_turns(queue, account)) {
		account->turn +=
		    (uint64_t)cost_us * NAMESPACE_WEIGHT_MAX / account->weight;
		front_update(queue, account);
	}
	return each_us;
}

void
queue_count_bindings(struct queue *queue, sym namespace, int change)
{
	struct account *account = account_of(queue, namespace);

	count_bindings(queue, account, change);
	if (account->turn <= queue->turn)
		account_drop(queue, account);
}

size_t
queue_costly(const struct queue *queue, int64_t now_ms)
{
	const struct account *account;
	size_t n = 0;

	LIST_FOREACH (account, &queue->costly, costly_ones)
		n += now_ms < account->costly_ms || account->pods.n > 0;
	return n;
}

/* ---- gates ---- */

void
queue_set_gate(struct queue *queue, queue_gate *gate, void *arg)
{
	queue->gate = gate;
	queue->gate_arg = arg;
}

/* Asks some of the gated pods again, because of events of claims that they name. */
static void
reopen_claimants(struct queue *queue, int64_t now_ms)
{
	struct entry *entry;

	for (size_t i = 0; i < REOPENED_MAX; i++) {
		if (queue->reopening == NULL && queue->reopen) {
			queue->reopen = false;
			queue->reopening =
			    TAILQ_FIRST(&queue->lines[QUEUE_GATED]);
		}
		entry = queue->reopening;
		if (entry == NULL)
			break;
		queue->reopening = TAILQ_NEXT(entry, neighbours);
		queue->compared++;
		if (entry->claims != NULL)
			reopen(queue, entry, queue->reopen_event, now_ms);
	}
}

/* ---- moves ---- */

static void
wake(struct queue *queue, struct entry *entry, enum queue_event event,
    int64_t now_ms)
{
	move(queue, entry,
	    is_backing_off(entry, now_ms) ? QUEUE_BACKOFF : QUEUE_ACTIVE,
	    event);
}

/* The oldest unschedulable pod, if it is to be moved, and why. */
static struct entry *
first_of_rest(const struct queue *queue, enum queue_event *event)
{
	struct entry *entry = TAILQ_FIRST(&queue->lines[QUEUE_UNSCHEDULABLE]);
	bool moved = entry != NULL && entry->order <= queue->rest_order;

	*event = moved ? queue->rest_event : QUEUE_UNSCHEDULABLE_TIMEOUT;
	return moved || (entry != NULL && entry->queued_ms < queue->old_ms) ?
	    entry :
	    NULL;
}

static void
move_rest(struct queue *queue, int64_t now_ms)
{
	enum queue_event event;
	struct entry *entry;

	for (size_t i = 0;
	     i < STEPS_MAX && (entry = first_of_rest(queue, &event)) != NULL;
	     i++) {
		entry->flushed = event == QUEUE_UNSCHEDULABLE_TIMEOUT;
		wake(queue, entry, event, now_ms);
	}
}

/* All unschedulable pods, from now on. */
static void
move_later(struct queue *queue, enum queue_event event)
{
	queue->rest_order = queue->last_order;
	queue->rest_event = event;
}

void
queue_move_all(struct queue *queue, enum queue_event event, int64_t now_ms)
{
	queue->move_cycle = queue->cycle;
	move_later(queue, event);
	move_rest(queue, now_ms);
}

/* Those that one of these refused.  False: it took more steps than were left. */
static bool
move_group(struct queue *queue, struct group *group, uint64_t refusers,
    enum queue_event event, int64_t now_ms)
{
	struct entry *next;

	for (struct entry *entry = LIST_FIRST(&group->entries); entry != NULL;
	     entry = next) {
		next = LIST_NEXT(entry, siblings);
		if (queue->steps == 0)
			return false;
		queue->steps--;
		if (entry->refusers & refusers)
			wake(queue, entry, event, now_ms);
	}
	return true;
}

/* Moves the pods to which it matters that a pod with a node, which was `before`
 * (NULL: there was none), is now `pod`.  False: it took more steps. */
static bool
assigned_pod(struct queue *queue, const struct pod *before,
    const struct pod *pod, enum queue_event event, int64_t now_ms)
{
	const uint64_t refusers = hints_of_pods();
	struct term_watch *found, *next;

	if (!term_watches_find(&queue->watches,
		before != NULL ? before->class : NULL, pod->class,
		&queue->steps, &found))
		return false;
	for (; found != NULL; found = next) {
		next = found->next;
		if (!move_group(queue, (struct group *)found, refusers, event,
			now_ms))
			return false;
	}
	return true;
}

/* Whether the node may have been of the emptiest domain. */
static bool
spreads_over(const struct pod_class *class, const struct node *node)
{
	for (uint32_t i = 0; i < class->nspread; i++)
		if (class->spread[i].hard &&
		    labels_get(&node->labels, class->spread[i].topology_key) !=
			SYM_NONE)
			return true;
	return false;
}

static bool
any_selects_another(const struct pod_term *terms, uint32_t n,
    const struct labels *before, const struct labels *after)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct selector *s = &terms[i].namespace_selector;

		if (terms[i].selects_namespaces &&
		    selector_matches(s, before) != selector_matches(s, after))
			return true;
	}
	return false;
}

/* Terms about other pods may select the namespace now, or no longer: the pod's
 * own, or those of pods on nodes about pods of the namespace. */
static bool
depends_on_labels(const struct pod_class *class, const struct namespace *before,
    const struct namespace *after)
{
	static const struct labels none;
	const struct labels *was = before != NULL ? &before->labels : &none;
	const struct labels *is = after != NULL ? &after->labels : &none;
	const char *name = (after != NULL ? after : before)->object.name;

	return strcmp(sym_text(class->namespace), name) == 0 ||
	    any_selects_another(class->affinity.required,
		class->affinity.nrequired, was, is) ||
	    any_selects_another(class->anti_affinity.required,
		class->anti_affinity.nrequired, was, is);
}

/* Or a pod for whose extended resources the claim was made. */
static bool
frees_devices(const struct resource_claim *before,
    const struct resource_claim *after)
{
	return after == NULL ? before->allocated || before->for_resources :
			       before->allocated && !after->allocated;
}

/* Whether pods of the class may fit because of the event, but for their terms about
 * a pod that was added or changed. */
static bool
helps(enum queue_event event, const struct pod_class *class,
    const struct object *before, const struct object *after)
{
	const void *was = before, *is = after;

	switch (event) {
	case QUEUE_ASSIGNED_POD_ADD:
	case QUEUE_ASSIGNED_POD_UPDATE:
		return false;
	case QUEUE_ASSIGNED_POD_SCALE_DOWN: /* and they request some of it */
		return resources_shrink(((const struct pod *)was)
					    ->class->from_32.held,
		    ((const struct pod *)is)->class->from_32.held,
		    class->from_32.pending);
	case QUEUE_NODE_DELETE:
		return spreads_over(class, was);
	case QUEUE_NAMESPACE_CHANGE:
		return depends_on_labels(class, was, is);
	case QUEUE_RESOURCE_CLAIM_UPDATE:
	case QUEUE_RESOURCE_CLAIM_DELETE:
		if (frees_devices(was, is))
			return class->nresource_claims + class->nextended > 0;
		return queue_event_concerns(is != NULL ? is : was, class);
	default:
		return queue_event_concerns(is != NULL ? is : was, class);
	}
}

/* False: it took more steps than were left. */
static bool
move_helped(struct queue *queue, const struct object *before,
    const struct object *after, enum queue_event event, int64_t now_ms)
{
	struct group *next;
	uint64_t refusers;
	size_t cost;

	for (struct group *group = LIST_FIRST(&queue->group_list);
	     group != NULL; group = next) {
		next = LIST_NEXT(group, siblings);
		cost = 1 + group->watch.class->charge / STEP_BYTES;
		if (queue->steps < cost)
			return false;
		queue->steps -= cost;
		if (!helps(event, group->watch.class, before, after))
			continue;
		refusers = hints_of(group->refusers, group->watch.class, before,
		    after);
		if (refusers != 0 &&
		    !move_group(queue, group, refusers, event, now_ms))
			return false;
	}
	return true;
}

void
queue_object_changed(struct queue *queue, const struct object *before,
    const struct object *after, int64_t now_ms)
{
	enum queue_event event = queue_event_of(before, after);
	bool of_pod = after != NULL && after->kind == OBJECT_POD;
	bool done = true;

	if ((event == QUEUE_RESOURCE_CLAIM_ADD ||
		event == QUEUE_RESOURCE_CLAIM_UPDATE) &&
	    map_get(&queue->claimants,
		map_key(after->namespace, sym_find(after->name))) != NULL) {
		/* gated pods wait for this claim */
		queue->reopen = true;
		queue->reopen_event = event;
		reopen_claimants(queue, now_ms);
	}
	if (event != QUEUE_NO_EVENT ||
	    (before != NULL && after != NULL && after->kind == OBJECT_NODE &&
		queue->count[QUEUE_UNSCHEDULABLE] == 0))
		queue->move_cycle = queue->cycle;
	if (event == QUEUE_NO_EVENT)
		return;
	queue->steps = STEPS_MAX;
	if (of_pod)
		done = assigned_pod(queue, (const struct pod *)before,
		    (const struct pod *)after,
		    before != NULL ? QUEUE_ASSIGNED_POD_UPDATE : event, now_ms);
	if (done && (!of_pod || event == QUEUE_ASSIGNED_POD_SCALE_DOWN))
		done = move_helped(queue, before, after, event, now_ms);
	if (!done)
		move_later(queue, event);
	queue->compared += STEPS_MAX - queue->steps;
}

/* ---- time ---- */

void
queue_set_limits(struct queue *queue, int64_t unschedulable_age_ms,
    int64_t max_bindings)
{
	queue->options.unschedulable_age_ms = unschedulable_age_ms;
	queue->options.max_bindings = max_bindings;
}

/* The first tick that is later than this. */
static int64_t
tick_after(const struct queue *queue, int64_t ms, int64_t every_ms)
{
	return queue->begin_ms +
	    ((ms - queue->begin_ms) / every_ms + 1) * every_ms;
}

void
queue_tick(struct queue *queue, int64_t now_ms)
{
	/* backoffs that were over at the last tick end */
	int64_t tick_ms =
	    tick_after(queue, now_ms, BACKOFF_TICK_MS) - BACKOFF_TICK_MS;
	struct account *account, *next;
	enum queue_event event;
	struct entry *entry;

	while ((entry = (struct entry *)heap_first(&queue->backoff)) != NULL &&
	    !is_backing_off(entry, tick_ms))
		move(queue, entry, QUEUE_ACTIVE, QUEUE_BACKOFF_COMPLETE);
	while (
	    (entry = (struct entry *)heap_first(&queue->quarantine)) != NULL &&
	    now_ms >= entry->quarantine_ends_ms)
		move(queue, entry, QUEUE_ACTIVE, QUEUE_BACKOFF_COMPLETE);
	if (now_ms >= queue->resume_ms)
		queue->resume_ms = QUEUE_NO_DEADLINE;
	if (now_ms >= queue->age_tick_ms) {
		for (account = LIST_FIRST(&queue->account_list);
		     account != NULL; account = next) {
			next = LIST_NEXT(account, all);
			forget_costs(account, now_ms);
			account_drop(queue, account);
		}
		queue->old_ms = now_ms - queue->options.unschedulable_age_ms;
		if (first_of_rest(queue, &event) != NULL)
			queue->move_cycle = queue->cycle;
		queue->age_tick_ms = tick_after(queue, now_ms, AGE_TICK_MS);
	}
	move_rest(queue, now_ms);
	reopen_claimants(queue, now_ms);
}

int64_t
queue_next_deadline(const struct queue *queue)
{
	const struct entry *first =
	    (const struct entry *)heap_first(&queue->backoff);
	int64_t deadline = QUEUE_NO_DEADLINE;
	enum queue_event event;

	if (first_of_rest(queue, &event) != NULL || queue->reopen ||
	    queue->reopening != NULL)
		return queue->begin_ms;
	if (first != NULL)
		deadline = tick_after(queue, first->backoff_ends_ms - 1,
		    BACKOFF_TICK_MS);
	if (queue->count[QUEUE_UNSCHEDULABLE] > 0 &&
	    queue->age_tick_ms < deadline)
		deadline = queue->age_tick_ms;
	first = (const struct entry *)heap_first(&queue->quarantine);
	if (first != NULL && first->quarantine_ends_ms < deadline)
		deadline = first->quarantine_ends_ms;
	return deadline < queue->resume_ms ? deadline : queue->resume_ms;
}

/* ---- looking ---- */

size_t
queue_count(const struct queue *queue, enum queue_place place)
{
	return queue->count[place];
}

uint64_t
queue_compared(const struct queue *queue)
{
	return queue->compared;
}

uint64_t
queue_incoming(const struct queue *queue, enum queue_place place,
    enum queue_event event)
{
	return queue->incoming[place][event];
}

const struct pod *
queue_find(const struct queue *queue, const char *uid, enum queue_place *place)
{
	const struct entry *entry = strmap_get(&queue->entries, uid);

	if (place != NULL)
		*place = entry != NULL ? entry->place : QUEUE_NOWHERE;
	return entry != NULL ? entry->pod : NULL;
}

struct pod **
queue_pods(const struct queue *queue, size_t *n)
{
	struct pod **pods = xcalloc(queue->entries.n + 1, sizeof(*pods));

	*n = 0;
	EACH_VALUE (&queue->entries, struct entry, entry)
		pods[(*n)++] = pod_ref(entry->pod);
	return pods;
}

/* ---- for people ---- */

/* When the pod is tried again at the latest. */
static int64_t
next_try_ms(const struct queue *queue, const struct entry *entry)
{
	switch (entry->place) {
	case QUEUE_ACTIVE:
	case QUEUE_IN_FLIGHT:
		return entry->queued_ms;
	case QUEUE_BACKOFF:
		return tick_after(queue, entry->backoff_ends_ms - 1,
		    BACKOFF_TICK_MS);
	case QUEUE_UNSCHEDULABLE:
		return tick_after(queue,
		    entry->queued_ms + queue->options.unschedulable_age_ms,
		    AGE_TICK_MS);
	case QUEUE_QUARANTINE:
		return entry->quarantine_ends_ms;
	case QUEUE_GATED:
	case QUEUE_NOWHERE:
	case QUEUE_PLACES:
		break;
	}
	return QUEUE_NO_DEADLINE;
}

static struct queue_waiting
waiting_of(const struct queue *queue, const struct entry *entry)
{
	return (struct queue_waiting){ .pod = entry->pod,
		.place = entry->place,
		.attempts = entry->attempts,
		.added_ms = entry->added_ms,
		.queued_ms = entry->queued_ms,
		.next_ms = next_try_ms(queue, entry) };
}

/* A place in a heap of entries that is to be looked at. */
struct spot {
	struct heap_item item; /* first: cast to each other */
	const struct heap *heap;
	size_t at;
};

static bool
leaves_before(const struct heap_item *a, const struct heap_item *b)
{
	const struct spot *x = (const struct spot *)a;
	const struct spot *y = (const struct spot *)b;

	return x->heap->before(x->heap->items[x->at], y->heap->items[y->at]);
}

static struct spot *
look_at(struct heap *front, struct spot *spot, const struct heap *heap,
    size_t at)
{
	if (at >= heap->n)
		return spot;
	*spot = (struct spot){ .heap = heap, .at = at };
	heap_add(front, &spot->item);
	return spot + 1;
}

/* Of one heap of entries; NULL: of the accounts. */
static size_t
list_heap(const struct queue *queue, const struct heap *heap, size_t offset,
    size_t limit, struct queue_waiting *out)
{
	size_t nheaps = queue->accounts.n + 1, n = 0;
	struct spot *spots =
	    xmalloc((2 * (offset + limit) + nheaps) * sizeof(*spots));
	struct heap front = HEAP_INIT(leaves_before);
	struct spot *free_spot = spots, *spot;
	const struct account *account;

	if (heap != NULL)
		free_spot = look_at(&front, free_spot, heap, 0);
	else
		LIST_FOREACH (account, &queue->account_list, all)
			free_spot =
			    look_at(&front, free_spot, &account->pods, 0);
	for (size_t i = 0; front.n > 0 && i < offset + limit; i++) {
		spot = (struct spot *)heap_first(&front);
		heap_remove(&front, &spot->item);
		if (i >= offset)
			out[n++] = waiting_of(queue,
			    (const struct entry *)spot->heap->items[spot->at]);
		free_spot =
		    look_at(&front, free_spot, spot->heap, 2 * spot->at + 1);
		free_spot =
		    look_at(&front, free_spot, spot->heap, 2 * spot->at + 2);
	}
	heap_fini(&front);
	free(spots);
	return n;
}

static size_t
list_line(const struct queue *queue, const struct line *line, size_t offset,
    size_t limit, struct queue_waiting *out)
{
	const struct entry *entry;
	size_t i = 0, n = 0;

	TAILQ_FOREACH (entry, line, neighbours) {
		if (i >= offset + limit)
			break;
		if (i++ >= offset)
			out[n++] = waiting_of(queue, entry);
	}
	return n;
}

size_t
queue_list(const struct queue *queue, enum queue_place place, size_t offset,
    size_t limit, struct queue_waiting *out)
{
	if (offset >= QUEUE_LISTED)
		return 0;
	if (limit > QUEUE_LISTED - offset)
		limit = QUEUE_LISTED - offset;
	switch (place) {
	case QUEUE_ACTIVE:
		return list_heap(queue, NULL, offset, limit, out);
	case QUEUE_BACKOFF:
		return list_heap(queue, &queue->backoff, offset, limit, out);
	case QUEUE_QUARANTINE:
		return list_heap(queue, &queue->quarantine, offset, limit, out);
	case QUEUE_NOWHERE:
	case QUEUE_UNSCHEDULABLE:
	case QUEUE_GATED:
	case QUEUE_IN_FLIGHT:
		return list_line(queue, &queue->lines[place], offset, limit,
		    out);
	case QUEUE_PLACES:
		break;
	}
	return 0;
}

size_t
queue_walk(const struct queue *queue, size_t from, size_t most,
    bool (*each)(const struct queue_waiting *waiting, void *arg), void *arg)
{
	size_t nslots = queue->entries.nslots;
	bool goes_on = true;
	size_t i = from;

	for (; i < nslots && i - from < most && goes_on; i++) {
		const struct entry *entry = queue->entries.slots[i].value;
		struct queue_waiting waiting;

		if (entry == NULL)
			continue;
		waiting = waiting_of(queue, entry);
		goes_on = each(&waiting, arg);
	}
	return i < nslots ? i : 0;
}

/* One that may be tried soon goes to the gated if it may not any more. */
static void
ask_again(struct queue *queue, struct entry *entry, enum queue_event event,
    int64_t now_ms)
{
	switch (entry->place) {
	case QUEUE_GATED:
		reopen(queue, entry, event, now_ms);
		break;
	case QUEUE_ACTIVE:
	case QUEUE_BACKOFF:
	case QUEUE_QUARANTINE:
		if (is_gated(queue, entry))
			move(queue, entry, QUEUE_GATED, event);
		break;
	case QUEUE_UNSCHEDULABLE: /* it is asked when they move */
	case QUEUE_IN_FLIGHT:
	case QUEUE_NOWHERE:
	case QUEUE_PLACES:
		break;
	}
}

void
queue_pod_gate_changed(struct queue *queue, const struct pod *pod,
    enum queue_event event, int64_t now_ms)
{
	struct entry *entry = find(queue, pod);

	if (entry != NULL)
		ask_again(queue, entry, event, now_ms);
}

void
queue_gate_changed(struct queue *queue, int64_t now_ms)
{
	EACH_VALUE (&queue->entries, struct entry, entry)
		ask_again(queue, entry, QUEUE_POLICY_CHANGE, now_ms);
}

/* Whether the entry is where it says it is, and there alone. */
static bool
is_in_place(const struct queue *queue, const struct entry *entry,
    bool (*held)(const struct pod *pod, void *arg), void *arg)
{
	bool active = entry->account != NULL;
	bool due = entry->heap != NULL;
	bool grouped = entry->group != NULL;
	int places = active + due + grouped;

	if (places + (entry->claims != NULL) > 1 ||
	    entry->line !=
		(is_heap(entry->place) ? NULL : &queue->lines[entry->place]))
		return false;
	switch (entry->place) {
	case QUEUE_ACTIVE:
		return active;
	case QUEUE_BACKOFF:
		return entry->heap == &queue->backoff;
	case QUEUE_UNSCHEDULABLE:
		return grouped;
	case QUEUE_QUARANTINE:
		return entry->heap == &queue->quarantine;
	case QUEUE_GATED:
		return places == 0 &&
		    (entry->claims != NULL) ==
		    (entry->pod->class->nresource_claims > 0);
	case QUEUE_IN_FLIGHT:
		return places == 0 && entry->claims == NULL &&
		    held(entry->pod, arg);
	case QUEUE_NOWHERE:
	case QUEUE_PLACES:
		break;
	}
	return false;
}

size_t
queue_sweep(struct queue *queue, bool (*held)(const struct pod *pod, void *arg),
    void *arg)
{
	size_t lost = 0;

	EACH_VALUE (&queue->entries, struct entry, entry) {
		if (is_in_place(queue, entry, held, arg))
			continue;
		remove_from_place(queue, entry);
		entry->item.at = 0;
		move(queue, entry, QUEUE_ACTIVE, QUEUE_SWEEP);
		lost++;
	}
	assert(queue->backoff.n == queue->count[QUEUE_BACKOFF]);
	assert(queue->quarantine.n == queue->count[QUEUE_QUARANTINE]);
	assert(queue->count[QUEUE_NOWHERE] == 0);
	return lost;
}

/* ---- life ---- */

struct queue *
queue_new(const struct queue_options *options, int64_t now_ms)
{
	struct queue *queue = xcalloc(1, sizeof(*queue));

	assert(options->backoff_initial_ms > 0 &&
	    options->backoff_max_ms >= options->backoff_initial_ms);
	queue->options = *options;
	LIST_INIT(&queue->account_list);
	LIST_INIT(&queue->costly);
	queue->fronts = (struct heap)HEAP_INIT(has_turn_before);
	queue->resume_ms = QUEUE_NO_DEADLINE;
	queue->others_ms = queue->rest_ms = queue->long_rest_ms =
	    now_ms - OTHERS_MS;
	queue->backoff = (struct heap)HEAP_INIT(due_before);
	queue->quarantine = (struct heap)HEAP_INIT(due_before);
	LIST_INIT(&queue->group_list);
	queue->old_ms = INT64_MIN;
	for (size_t i = 0; i < QUEUE_PLACES; i++)
		TAILQ_INIT(&queue->lines[i]);
	queue->gate = has_gates;
	queue->begin_ms = now_ms;
	queue->age_tick_ms = now_ms + AGE_TICK_MS;
	return queue;
}

void
queue_free(struct queue *queue)
{
	struct account *account;

	if (queue == NULL)
		return;
	EACH_VALUE (&queue->entries, struct entry, entry) {
		remove_from_place(queue, entry);
		entry_free(entry);
	}
	strmap_fini(&queue->entries);
	while ((account = LIST_FIRST(&queue->account_list)) != NULL)
		account_free(queue, account);
	map_fini(&queue->accounts);
	heap_fini(&queue->fronts);
	heap_fini(&queue->backoff);
	heap_fini(&queue->quarantine);
	map_fini(&queue->suspects);
	map_fini(&queue->claimants);
	map_fini(&queue->groups);
	free(queue);
}
