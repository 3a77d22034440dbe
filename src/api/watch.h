/* clang-format off */
/*
 * A reflector keeps its owner's picture of all objects of one resource equal to
 * the API server's: it lists them page by page, then watches, and goes on from
 * where it was whenever a watch ends.
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
 * owner hears of each change once, and of nothing twice: of objects that
 * vanished, objects whose resourceVersion is another one, and of an object that
 * was deleted and made again under its name as of two objects.  Events that a
 * broken intermediary repeats or delays are passed over.
 *
 * An object that cannot be decoded is left out, and nothing else with it: the
 * list and the watch go on.  Its owner hears of it once for each of its versions,
 * with as much of it as can be read (model/object.h), and says whether that
 * takes the place of what was known of it.  It is left out until a version of it
 * can be decoded, or it is gone.
 */
/* clang-format on */
#ifndef API_WATCH_H
#define API_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api_client;
struct doc_node;
struct object;

struct reflector_spec {
	const char *resource; /* "pods", as in the path */
	/* NULL-terminated, preferred first: "v1", "policy/v1", … */
	const char *const *versions;
	const char *namespace; /* NULL: all of them, or none exist */
	const char *field_selector, *label_selector; /* NULL: everything */
	/* The objects are no model objects: struct object is then all there
	 * is (its kind means nothing), and put() reads the document. */
	bool raw;
	bool namespaced;   /* raw only: whether they live in namespaces */
	int64_t absent_ms; /* look again for what is not served; 0: 30 s */
};

struct reflector_ops {
	/* New or changed.  Take a reference to keep the object; root is its
	 * document, valid during the call; NULL: the whole one was asked for and
	 * is broken in what is not decoded. */
	void (*put)(
	    void *arg, struct object *object, const struct doc_node *root);
	/* Gone; the object as it was last put. */
	void (*removed)(void *arg, struct object *object);
	/* All that exists has been put: after each complete list, and when
	 * the resource turns out not to be served at all. */
	void (*synced)(void *arg);
	/*
	 * It cannot be decoded, and why says so.  before: as it was last put, or
	 * left out and taken; NULL: not at all.  true: what is there of it is
	 * taken, and removed() will give that; false: before stays.  May be NULL:
	 * it is then a problem, and before stays.
	 */
	bool (*left_out)(void *arg, struct object *object,
	    struct object *before, const char *why);
	/* It is left out no more; before it is put, or after it was removed. */
	void (*let_in)(void *arg, const struct object *object);
	/* Whether put() needs the whole document now; otherwise that has only the
	 * fields that are decoded (model/fields.h).  May be NULL: it does not.
	 * Of raw objects it always is the whole one. */
	bool (*whole)(void *arg);
	/* For the log: something failed and is being repeated.  May be NULL. */
	void (*problem)(void *arg, const char *text);
	/* An object will be decoded, or reported as gone.  May be NULL. */
	void (*next)(void *arg);
};

struct reflector_stats {
	uint64_t lists;	  /* complete ones */
	uint64_t watches; /* begun */
	uint64_t events;  /* bookmarks included */
	uint64_t ignored; /* repeated or late */
	uint64_t left_out; /* versions of objects, so far */
	uint64_t problems;
	int status; /* of HTTP, of the last problem; 0: it had none */
};

struct reflector;

/* Starts at once; spec and ops are copied, the texts in spec, too.  All
 * callbacks come from the event loop; none may call reflector_free(). */
struct reflector *reflector_new(struct api_client *client,
    const struct reflector_spec *spec, const struct reflector_ops *ops,
    void *arg);
/* Reports nothing any more; accepts NULL. */
void reflector_free(struct reflector *reflector);

bool reflector_synced(const struct reflector *reflector);
/* How many objects exist. */
size_t reflector_count(const struct reflector *reflector);
/* How many of them are left out. */
size_t reflector_left_out(const struct reflector *reflector);
/* "policy/v1"; NULL: not known (yet), or none. */
const char *reflector_version(const struct reflector *reflector);
const struct reflector_stats *reflector_stats(
    const struct reflector *reflector);

/* For tests: cuts the watch and resumes from this resourceVersion; NULL: from
 * the one it has come to. */
void reflector_resume_from(
    struct reflector *reflector, const char *resource_version);

/* Whom to watch as kube-scheduler does: pods that have not ended. */
#define REFLECTOR_LIVE_PODS "status.phase!=Succeeded,status.phase!=Failed"

#endif
