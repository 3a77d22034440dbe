/* What policy_source.c and policy_openshift.c share. */
#ifndef SOURCE_POLICY_SOURCE_INTERNAL_H
#define SOURCE_POLICY_SOURCE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "source/policy_source.h"

struct config_map;
struct event;
struct file_watch;
struct openshift;

#define POLICY_KEY "policy.cfg"

/* The options, with what they leave out filled in. */
struct place {
	struct policy_options policy;
	bool openshift;
	/* At most one of these two; with openshift the second is what the
	 * Scheduler object names. */
	char *file;
	char *config_map;
	char *namespace;
	char *provider;
	char *component;
	char *origin;
};

/* What the Scheduler object says; texts are "" when it does not. */
struct openshift_wish {
	struct openshift *watch; /* NULL: not looked at (yet) */
	bool heard;   /* something has been said, even if it is nothing */
	bool exists;  /* and once made sense */
	bool refused; /* it made no sense; the rest is what it said before */
	char *config_map, *policy_name, *profile, *node_selector;
};

struct policy_source {
	struct event_base *base;
	struct api_client *client;
	struct policy_source_ops ops;
	void *arg;
	int kubernetes_minor; /* 0: not known yet */

	struct place place;

	/* What was read last: the hash of a text, or why there was none. */
	char *seen;
	bool refused;        /* it was no good */
	bool aloud;          /* a refusal is to be said again */
	uint64_t generation; /* 0: there is no policy yet */
	/* Which one is in force. */
	enum policy_from from;
	char *origin;
	char hash[41];

	struct event *look;
	struct file_watch *watch;
	struct config_map *map;
	struct openshift_wish wish;
};

/* Whom a refusal or its end concerns. */
enum policy_about {
	ABOUT_TEXT,      /* the ConfigMap, and the Scheduler that names it */
	ABOUT_SCHEDULER, /* that alone */
};

/* policy_source.c */

/* An event about these objects, as far as there are any. */
void policy_source_event(struct policy_source *source, enum policy_about about,
    const char *type, const char *reason, const char *message);
/* There is no policy to be had; why.  Once, unless asked for again. */
void policy_source_nothing(struct policy_source *source,
    enum policy_about about, const char *why);
/* Takes the profile, which has no text. */
void policy_source_take(struct policy_source *source, struct profile *profile,
    enum policy_from from, const char *origin);
/* The provider that was asked for; NULL: err. */
struct profile *policy_source_provider(const struct policy_source *source,
    struct err *err);
/* Follows another ConfigMap in place->namespace, NULL for none. */
void policy_source_follow(struct policy_source *source, const char *name);

/* policy_openshift.c */

void policy_openshift_start(struct policy_source *source);
void policy_openshift_stop(struct policy_source *source);
/* Looks again at what is not in a ConfigMap. */
void policy_openshift_take(struct policy_source *source);
/* What applies while there is no policy to be had, and there never was one. */
void policy_openshift_fall_back(struct policy_source *source);
void policy_openshift_warn(struct policy_source *source);

#endif
