/* clang-format off */
/*
 * A reflector keeps its owner's view of all objects of one resource equal to
 * the API server's: it lists them page by page, then watches, and resumes
 * whenever a watch ends.
 *
 *	      ┌───── absent ◀── no version is served; asks again
 *	      ▼         ▲
 *	  discovering ──┘
 *	      │ the newest version that is served
 *	      ▼
 *	  ┌▶ listing ──▶ watching ◀─┐  ended: on from the last version
 *	  │   ▲             │  └────┘  seen, after a pause if it failed
 *	  │   └─────────────┘ that version is too old (410), or the
 *	  │                   stream makes no sense
 *	  └─ 404 anywhere: discovering
 *
 * It remembers every object it has reported.  So after any interruption its
 * owner is notified of each change exactly once: of deleted objects, of objects
 * with another resourceVersion, and of an object that was deleted and created
 * again under its name as of two objects.  Events that a broken intermediary
 * repeats or delays are ignored.
 *
 * Only an object that cannot be decoded, or whose namespace has used up its budget
 * (objects/budget.h), is left out: the list and the watch continue.  The owner is notified once for each version of the object, with
 * its decodable part (objects/object.h), and decides whether that part replaces
 * the previous version.  The object is left out until a version of it can be
 * decoded, or it is deleted.
 */
/* clang-format on */
#ifndef API_WATCH_H
#define API_WATCH_H

#include "wire/api/consistency.h"

struct api_client;
struct decode_settings;
struct doc_node;
struct object;

struct reflector_spec {
	const char *resource; /* "pods", as in the path */
	/* NULL-terminated, preferred first: "v1", "policy/v1", … */
	const char *const *versions;
	const char *namespace;      /* NULL: all of them, or none exist */
	const char *field_selector; /* NULL: everything */
	/* The objects are not model objects: they are a plain struct object
	 * (its kind has no meaning), and put() reads the document. */
	bool raw;
	bool namespaced; /* raw only: whether they live in namespaces */
	/* Of model objects; NULL: decode_defaults.  It must outlive the
	 * reflector. */
	const struct decode_settings *settings;
};

struct reflector_ops {
	/* New or changed.  Take a reference to keep the object; root is its
	 * document, valid during the call; NULL: the caller needs the complete
	 * object, and a field that is not decoded is malformed. */
	void (*put)(void *arg, struct object *object,
	    const struct doc_node *root);
	/* It was deleted; object is the version that was last put. */
	void (*removed)(void *arg, struct object *object);
	/* All existing objects have been put: after each complete list, and
	 * when the resource is found not to be served. */
	void (*synced)(void *arg);
	/*
	 * It cannot be decoded; why is the reason.  before: the version that
	 * was last put, or left out and taken; NULL: none.  Returns true if it
	 * takes the decoded part, which removed() will then pass; false: before
	 * stays.  May be NULL: it is then reported as a problem, and before
	 * stays.
	 */
	bool (*left_out)(void *arg, struct object *object,
	    struct object *before, const char *why);
	/* It is no longer left out; called before it is put, or after it was
	 * removed. */
	void (*readmit)(void *arg, const struct object *object);
	/* Whether put() needs the whole document now; otherwise that has only the
	 * fields that are decoded (objects/fields.h).  May be NULL: it does not.
	 * Of raw objects it always is the whole one. */
	bool (*whole)(void *arg);
	/* An object has been decoded, as far as it can be, from the document of
	 * this root; it may still turn out to be late or known.  May be NULL. */
	void (*decoded)(void *arg, const struct object *object,
	    const struct doc_node *root);
	/* For the log: a request failed and will be repeated.  May be NULL. */
	void (*problem)(void *arg, const char *text);
	/* An object will be decoded, or reported as deleted.  May be NULL. */
	void (*next)(void *arg);
};

struct reflector_stats {
	uint64_t lists;    /* complete ones */
	uint64_t watches;  /* begun */
	uint64_t events;   /* bookmarks included */
	uint64_t ignored;  /* repeated or late */
	uint64_t left_out; /* versions of objects, so far */
	uint64_t problems;
	uint64_t checks[CONSISTENCY_RESULTS]; /* by result */
	int status; /* of HTTP, of the last problem; 0: it had none */
};

struct reflector;

/* Starts immediately; spec and ops are copied, and the selector.  resource,
 * versions and namespace must outlive it.  All callbacks come from the event loop;
 * none may call reflector_free(). */
struct reflector *reflector_new(struct api_client *client,
    const struct reflector_spec *spec, const struct reflector_ops *ops,
    void *arg);
/* Reports nothing any more; accepts NULL. */
void reflector_free(struct reflector *reflector);

/* How many objects exist. */
size_t reflector_count(const struct reflector *reflector);
/* How many of them are left out. */
size_t reflector_left_out(const struct reflector *reflector);
/* "policy/v1"; NULL: not known (yet), or none. */
const char *reflector_version(const struct reflector *reflector);
/* For how long the objects have not been known to be those of the server: 0 while a watch
 * is open, and when no version is served. */
int64_t reflector_behind_ms(const struct reflector *reflector);
const struct reflector_stats *reflector_stats(
    const struct reflector *reflector);

/* Lists all objects instead of watching on: one that was set aside may have room now.
 * Does nothing if no watch is under way. */
void reflector_list_again(struct reflector *reflector);

/* Compares the cached objects with a list from the API server at the resourceVersion of
 * the last event, while the watch continues; if they differ, reports a problem and lists
 * all objects again.  Does nothing if no watch or another comparison is under way. */
void reflector_check(struct reflector *reflector);

/* Begins after ms, instead of the pause after a failure or while no version is served; does
 * nothing if there is no such pause. */
void reflector_retry(struct reflector *reflector, int64_t ms);

/* For tests: cuts the watch and resumes it. */
void reflector_resume(struct reflector *reflector);

/* Whom to watch as kube-scheduler does: pods that have not ended. */
#define REFLECTOR_LIVE_PODS "status.phase!=Succeeded,status.phase!=Failed"

#endif
