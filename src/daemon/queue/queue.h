/*
 * The scheduling queue: every pod that waits for a node, and when it is tried
 * again.
 *
 * A pure data structure: time is handed in, as milliseconds of a clock that
 * never goes back; there is no I/O.  The places and timings are those of
 * kube-scheduler 1.15 (internal/queue); where we differ on purpose it says ≠.
 *
 *	                 add                          delete: out of any place
 *	                  |   \ PreEnqueue says no
 *	                  |    `------> GATED
 *	                  v               |
 *	  .---------> ACTIVE <------------'  it does not any more
 *	  |               | pop
 *	  |               v
 *	  |           IN_FLIGHT --------------> (bound: deleted)
 *	  |               | failed: starts or keeps the pod's backoff
 *	  |               |
 *	  | backoff       +-- nothing moved since the pop ---> UNSCHEDULABLE
 *	  | is over       |                                         |
 *	  |               | something moved since,                  | move, age
 *	  |               | or queue_retry()                        |
 *	  |               v                                         |
 *	  +---------- BACKOFF <--------------- backoff not over ----+
 *	  |                                                         |
 *	  `------------------------------------ backoff over -------'
 *
 * ACTIVE         to be popped: higher priority first, then the one queued earlier,
 *                where those that were tried before count as queued 10 s later (≠:
 *                kube-scheduler makes no difference, and pods that fail again and
 *                again delay new ones).
 * BACKOFF        its last attempt failed; on to ACTIVE when its backoff is
 *                over, which is checked every second.
 * UNSCHEDULABLE  fitted nowhere.  Waits for an event of the cluster (a "move")
 *                that may help, for a change of its own, or to be older than 60 s (from
 *                1.24 on 5 minutes), which is checked every 30 s.
 * GATED          not tried while PreEnqueue (queue_set_gate()) keeps it out.  That
 *                is asked on the way to ACTIVE, BACKOFF and QUARANTINE, and again
 *                when the pod, a ResourceClaim that it names or the gate itself
 *                changes (kube-scheduler 1.36, moveToActiveQ).
 * QUARANTINE     held the scheduler up: see queue_quarantine().
 * IN_FLIGHT      popped: being decided or bound.  The queue keeps its place
 *                until queue_refused(), queue_retry() or queue_delete(), so that
 *                no pod is lost.
 *
 * A pod that changes so that a rule may see it (another class or priority) goes
 * to ACTIVE at once, out of UNSCHEDULABLE with its backoff forgotten.  Other
 * changes, such as our own condition in its status, only replace the object
 * that is held (≠: 1.15 lets any update end a backoff; later releases do not.
 * ≠: 1.15 also takes a change of annotations for one that matters).  In flight
 * a change is remembered: when the attempt fails the pod is tried again at
 * once.
 *
 * Backoff: 1, 2, 4, 8, 10, 10, … seconds, counted from the failure.  A failure
 * before the backoff is over does not make it longer.  The count starts again
 * when the last backoff began more than 20 s ago (≠: 10 s in 1.15, where the
 * sixth failure thus counts as the first; 20 s from 1.17).  It belongs to the
 * uid and dies with the pod (≠: in 1.15 to the name, and a pod deleted while
 * ACTIVE leaves it to the next of that name).
 *
 * Quarantine: 10, 20, 40, … seconds, at most 10 minutes, doubled each time the
 * pod holds the scheduler up again.  Only time ends it: events of the cluster do
 * not, and a change of the pod only shortens it to 10 s.  Then the pod goes to
 * ACTIVE.  The count belongs to the uid and dies with the pod; it starts again
 * when the last quarantine began more than 20 minutes ago.
 *
 * Costs: what attempts take of a processor is charged to the pod's namespace
 * (queue_charge()).  The first of a pod is free if it takes less than 2 ms.  A
 * namespace that has used 100 ms, of which half is forgotten each second, is costly:
 * while pods of namespaces wait that are not, its own pods wait, whatever their
 * priority, nine times as long as the last attempt of a costly one took; after one
 * above 20 ms also if such a pod was tried within the last second.  So all costly
 * ones together take a tenth of the time from others; they take turns by what they
 * have cost (≠: kube-scheduler charges nobody).  It ends a second after the rest
 * of its own last attempt, but not before the next if pods wait for that.
 * Without a costly namespace the order of pods is as above.
 *
 * Bindings: while pods of other namespaces wait, one that has as many bindings under
 * way as each would have if they, and one more, shared all that there may be, waits
 * until one of its own is answered, whatever the priority of its pods: an API server
 * that is slow does not serve it alone.  All that are costly have a tenth together.
 *
 * Invariants (queue_sweep() checks them):
 *  - a pod, by uid, is in exactly one place;
 *  - the pods of ACTIVE, BACKOFF and QUARANTINE are in these heaps, those of
 *    UNSCHEDULABLE in the group of their class, and no others are;
 *  - a pod is in the list of gated claimants exactly when it is GATED and names
 *    ResourceClaims.
 *
 * Pods nominated to a node are the cluster's business (cluster/cluster.h).
 */
#ifndef QUEUE_QUEUE_H
#define QUEUE_QUEUE_H

#include "base/sym.h"
#include "daemon/queue/hints.h"
#include "daemon/queue/queue_event.h"

struct object;
struct pod;
struct queue;

enum queue_place {
	QUEUE_NOWHERE, /* not in this queue at all */
	QUEUE_ACTIVE,
	QUEUE_BACKOFF,
	QUEUE_UNSCHEDULABLE,
	QUEUE_GATED,
	QUEUE_QUARANTINE,
	QUEUE_IN_FLIGHT,
	QUEUE_PLACES,
};

/* "active", "backoff", "unschedulable", "gated": label `queue` of the metrics
 * pending_pods and queue_incoming_pods_total; also "quarantine",
 * "in-flight", "nowhere". */
const char *queue_place_name(enum queue_place place);

struct queue_options {
	int64_t backoff_initial_ms; /* > 0 */
	int64_t backoff_max_ms;     /* >= backoff_initial_ms */
	int64_t unschedulable_age_ms;
	int64_t quarantine_initial_ms; /* > 0 */
	int64_t quarantine_max_ms;     /* >= quarantine_initial_ms */
	/* Namespaces share the time within a priority (namespace_weights.h), and are
	 * charged the less; "": none is given.  Lives as long as the queue. */
	const char *namespace_weights;
	int64_t
	    max_bindings; /* that wait for an answer at a time; 0: no limit */
};

/* 1 s, 10 s, 60 s, 10 s, 10 min. */
extern const struct queue_options queue_options_default;

#define QUEUE_NO_DEADLINE INT64_MAX

/* options are copied.  You own it. */
struct queue *queue_new(const struct queue_options *options, int64_t now_ms);
void queue_free(struct queue *queue);
/* Both options, from now on. */
void queue_set_limits(struct queue *queue, int64_t unschedulable_age_ms,
    int64_t max_bindings);

/*
 * Whether PreEnqueue keeps a pod out of the queue: that of arg.  It may look at the
 * cluster, but not at the queue.  Without it, pods with scheduling gates are kept
 * out.
 */
typedef bool queue_gate(void *arg, const struct pod *pod);
void queue_set_gate(struct queue *queue, queue_gate *gate, void *arg);
/* The gate may answer differently: it is asked about all pods but those in flight
 * and the unschedulable. */
void queue_gate_changed(struct queue *queue, int64_t now_ms);
/* The same for one pod, because of this event. */
void queue_pod_gate_changed(struct queue *queue, const struct pod *pod,
    enum queue_event event, int64_t now_ms);

/*
 * A pod that waits for a node has appeared or changed.  The queue takes
 * references of its own.  The pod has no node and is ours: the caller sees to
 * that.
 */
void queue_add(struct queue *queue, const struct pod *pod, int64_t now_ms);

/*
 * The pod is gone, or has a node.  Not to be called when a bind was merely
 * accepted: until the watch has said so, an older version of the pod may still
 * arrive and would be taken for a new pod.  Unknown pods are passed over.
 */
void queue_delete(struct queue *queue, const struct pod *pod);

/* How often a pod was tried. */
struct queue_attempt {
	uint32_t number;  /* 1: the first time it is popped */
	int64_t added_ms; /* when the queue first saw it */
	int64_t first_ms; /* the same, or when it was GATED no longer */
	bool flushed; /* it left UNSCHEDULABLE for its age, not for an event */
	/* A pod of its class is in quarantine and this one never was: it is
	 * likely to cost as much. */
	bool suspect;
};

/*
 * The next pod to try, which is in flight from now on; you own the reference.
 * NULL when none is active, or the costly rest.  Does the work of queue_tick() first.  attempt
 * may be NULL.  A pod being deleted (pod->object.deleting) is popped like any
 * other: the caller skips it and drops it with queue_delete().
 */
struct pod *queue_pop(struct queue *queue, int64_t now_ms,
    struct queue_attempt *attempt);

/*
 * The attempt with a popped pod came to nothing.  queue_refused(): no node fits,
 * by these rules (PLUGIN_BIT()s, or PLUGINS_UNKNOWN);
 * the pod waits for something to change, or only for its backoff when something
 * did since it was popped (a move or an assigned pod, whether or not it moved
 * anything).  queue_retry(): something went wrong that no change of the cluster
 * would mend, such as the API server refusing a bind; the pod waits for its
 * backoff alone (≠: 1.15 treats these alike, newer releases as here).
 * False when the pod is not in flight, because it was deleted meanwhile; then
 * nothing happens.
 */
bool queue_refused(struct queue *queue, const struct pod *pod,
    uint64_t refusers, int64_t now_ms);
bool queue_retry(struct queue *queue, const struct pod *pod, int64_t now_ms);
/* The attempt is to go on in a later turn: likewise, without backoff. */
bool queue_go_on(struct queue *queue, const struct pod *pod, int64_t now_ms);

/*
 * Moves a pod that held the scheduler up, or a suspect, to QUARANTINE, from any
 * place.  Returns for how long; 0 when the pod is unknown, gated now or there
 * already.
 */
int64_t queue_quarantine(struct queue *queue, const struct pod *pod,
    int64_t now_ms);

/*
 * An attempt with a pod of the namespace, or an event of one, took cost_us of a
 * processor's time; again: the pod was tried before.  Returns, if the namespace is
 * costly from now on, what each of the last took, in microseconds; else 0.
 */
int64_t queue_charge(struct queue *queue, sym namespace, int64_t cost_us,
    bool again, int64_t now_ms);
/* So many bindings more of the namespace's pods wait for an answer: 1 or -1. */
void queue_count_bindings(struct queue *queue, sym namespace, int change);
/* Namespaces that are costly now. */
size_t queue_costly(const struct queue *queue, int64_t now_ms);

/* Moves all unschedulable pods; many of them in later calls of queue_tick(). */
void queue_move_all(struct queue *queue, enum queue_event event,
    int64_t now_ms);

/*
 * Any object of the cluster was added (before is NULL), changed or deleted
 * (after is NULL); pods are those that have a node.  A ResourceClaim lets gated pods
 * that name it go.  Moves pods when
 * queue_event_of() knows why: all unschedulable ones that queue_event_concerns()
 * names, except that
 *  - a pod that was added or changed moves those whose terms about it are
 *    answered differently now (term_watch.h);
 *  - one that requests less also moves those that request some of that;
 *  - a node that goes moves those with a hard spread constraint over its labels;
 *  - a namespace's labels move its own pods and those whose terms selected it
 *    before and do not now, or the other way round.
 * Of these only pods move that a rule has refused which may answer otherwise
 * (hints.h).
 * An update of a node that changes nothing also
 * counts as a move while no pod is unschedulable, for the pods in flight
 * (kube-scheduler 1.15, updateNodeInCache).  Call it after the cluster was
 * updated.
 *
 * The work of a call is bounded: where more comparisons and moves would be needed,
 * all unschedulable pods move, a part of them at each queue_tick().
 */
void queue_object_changed(struct queue *queue, const struct object *before,
    const struct object *after, int64_t now_ms);

/* Moves pods whose backoff or quarantine is over, and unschedulable ones that
 * are too old.  May be called at any time; does nothing before the deadline. */
void queue_tick(struct queue *queue, int64_t now_ms);

/* When queue_tick() has something to do, or active pods, of which queue_pop() gave
 * none, have rested; or QUEUE_NO_DEADLINE.  Other active pods are not waited for: see
 * queue_count(). */
int64_t queue_next_deadline(const struct queue *queue);

/* Pods in this place now. */
size_t queue_count(const struct queue *queue, enum queue_place place);
/* Comparisons and moves that queue_object_changed() ever made. */
uint64_t queue_compared(const struct queue *queue);
/* Pods that ever came to this place because of this event. */
uint64_t queue_incoming(const struct queue *queue, enum queue_place place,
    enum queue_event event);

/* The version of the pod that is held, and unless NULL where it is; NULL when
 * it is unknown.  Valid until the pod is updated or deleted. */
const struct pod *queue_find(const struct queue *queue, const char *uid,
    enum queue_place *place);

/* All pods, in no order.  You own the array and a reference to each. */
struct pod **queue_pods(const struct queue *queue, size_t *n);
/* A pod that waits, for people; pod as long as the queue has it. */
struct queue_waiting {
	const struct pod *pod;
	enum queue_place place;
	uint32_t attempts;
	int64_t added_ms;  /* when the queue first saw it */
	int64_t queued_ms; /* when it was added, or its last attempt failed */
	/* When it is tried at the latest; in the past: it is its turn.
	 * QUEUE_NO_DEADLINE: not before something changes. */
	int64_t next_ms;
};

/* The pods of a place from number offset on, at most limit: those of ACTIVE,
 * BACKOFF and QUARANTINE in the order in which they leave it (but for the turns
 * of namespaces), others in that in which they came.  Of each place the first QUEUE_LISTED can be listed, so that a
 * call has a bounded cost.  out has room for limit; returns how many there are. */
#define QUEUE_LISTED 5000
size_t queue_list(const struct queue *queue, enum queue_place place,
    size_t offset, size_t limit, struct queue_waiting *out);

/* Calls each, which does not change the queue, for pods, in no order, until it returns
 * false or `most` places of the
 * queue's memory were looked at.  Returns where to go on (`from` of the next
 * call), 0: at the end.  A pod that comes or goes between two calls may be missing
 * or come twice. */
size_t queue_walk(const struct queue *queue, size_t from, size_t most,
    bool (*each)(const struct queue_waiting *waiting, void *arg), void *arg);

/*
 * Checks that every pod is in exactly one place, and that every pod in flight is
 * being decided or bound: held() is true for these.  Other pods are put back to
 * ACTIVE (or GATED), ordered by when they were queued last.  Returns their
 * number: other than 0 is a bug, here or in the caller.
 */
size_t queue_sweep(struct queue *queue,
    bool (*held)(const struct pod *pod, void *arg), void *arg);

#endif
