/* Shared by policy_source.c and policy_openshift.c. */
#ifndef POLICY_SOURCE_INTERNAL_H
#define POLICY_SOURCE_INTERNAL_H

#include "wire/api/event_correlator.h"
#include "base/log.h"
#include "daemon/policy_source/policy_source.h"

struct config_map;
struct event;
struct file_watch;
struct reflector;

#define POLICY_KEY "policy.cfg"
#define POLICY_KEY_MISSING                                                     \
	"missing policy config map value at key \"" POLICY_KEY "\""

#define OPENSHIFT_RESOURCE "schedulers.config.openshift.io"
#define OPENSHIFT_OBJECT OPENSHIFT_RESOURCE "/cluster"

/* The options, with defaults filled in. */
struct place {
	struct policy_options policy;
	bool openshift;
	bool any_kind; /* of file */
	/* At most one of these two; with openshift the second is the ConfigMap
	 * that the Scheduler object names. */
	char *file;
	char *config_map;
	char *namespace;
	char *config; /* NULL: none */
	char *provider;
	char *component;
	char *origin;
};

/* Fields of the Scheduler object; texts are "" if absent. */
struct openshift_request {
	struct reflector *watch;    /* NULL: not looked at (yet) */
	struct object *object;      /* as last seen; NULL: there is none */
	struct event *gone;         /* after that it counts as absent */
	char *problem;              /* the watch's last, which is logged once */
	struct trouble trouble;     /* of the watch */
	struct api_call *ask_ready; /* whether the API server has started, */
	bool ready;                 /* which it has */
	bool heard;   /* something has been said, even if it is nothing */
	bool exists;  /* and once made sense */
	bool refused; /* it was not valid; the other fields are from before */
	/* The profile will be taken once it is known which release renders it. */
	enum { WAITS_NOT, WAITS_TO_TAKE, WAITS_TO_FALL_BACK } waits;
	char *config_map, *policy_name, *profile, *node_selector;
};

struct policy_source {
	struct event_base *base;
	struct api_client *client;
	struct policy_source_ops ops;
	void *arg;
	int kubernetes_minor; /* 0: not known yet */
	/* As the members of the profile in use. */
	int release, first, last;

	struct place place;

	/* The last result: the hash of a text, or why there was none. */
	char *seen;
	bool refused;        /* it was no good */
	bool report_again;   /* a refusal must be reported again */
	uint64_t generation; /* 0: before the first policy */
	/* Which one is in force. */
	enum policy_from from;
	char *origin;
	char hash[41];
	int64_t since; /* in seconds */
	size_t nrules;
	char *
	    problem; /* the first of a refused text; NULL: none, or without one */

	struct event *look;
	struct file_watch *watch;
	struct config_map *map;
	struct openshift_request request;
};

/* The object that an Event about a refusal concerns. */
enum policy_about {
	ABOUT_TEXT,      /* the ConfigMap, and the Scheduler that names it */
	ABOUT_SCHEDULER, /* that alone */
};

/* policy_source.c */

/* An event about these objects, as far as there are any. */
void policy_source_event(struct policy_source *source, enum policy_about about,
    const char *type, const char *reason, const char *message);
/* No policy is available; why.  Reported once, unless requested again. */
void policy_source_nothing(struct policy_source *source,
    enum policy_about about, const char *why);
/* The text of the ConfigMap as it is now, which may be the same again. */
void policy_source_text(struct policy_source *source, const char *text,
    size_t len);
/* Takes the profile, which has no text. */
void policy_source_take(struct policy_source *source, struct profile *profile,
    enum policy_from from, const char *origin);
/* The provider that was asked for; NULL: err. */
struct profile *policy_source_provider(const struct policy_source *source,
    struct err *err);
/* Reads the configuration, which there is, and watches it from now on. */
void policy_source_take_config(struct policy_source *source);
/* Follows another ConfigMap in place->namespace, NULL for none. */
void policy_source_follow(struct policy_source *source, const char *name);

/* policy_config_map.c */

/* The one that place names; starts at once. */
struct config_map *config_map_new(struct policy_source *source);
void config_map_free(struct config_map *map); /* accepts NULL */
/* Reads it once more, now. */
void config_map_look(struct config_map *map);
/* An event about it; event has all but the object. */
void config_map_send_event(const struct config_map *map,
    struct api_event event);

/* policy_openshift.c */

void policy_openshift_start(struct policy_source *source);
void policy_openshift_stop(struct policy_source *source);
/* Reads a source other than a ConfigMap again. */
void policy_openshift_take(struct policy_source *source);
/* The policy that applies until the first good one is available. */
void policy_openshift_fall_back(struct policy_source *source);
/* The release is known, or another than before. */
void policy_openshift_release(struct policy_source *source);

#endif
