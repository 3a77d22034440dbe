/*
 * Watches OpenShift's Scheduler object, schedulers.config.openshift.io/cluster,
 * wherever there is one: the API that serves it may appear later, and go.
 *
 * When the API is not served any more although the object was not deleted, what
 * it said last counts for another fifteen seconds: an API server that has just
 * started does not serve it yet, either.  For the same reason it is not taken
 * for missing at once when the API server could not be reached before.  Where we
 * are not allowed to read the object there is none, after ten seconds.
 */
#ifndef SOURCE_OPENSHIFT_H
#define SOURCE_OPENSHIFT_H

struct api_client;
struct object;
struct openshift;
struct openshift_scheduler;

#define OPENSHIFT_RESOURCE "schedulers.config.openshift.io"
#define OPENSHIFT_OBJECT OPENSHIFT_RESOURCE "/cluster"

struct openshift_ops {
	/* What it says, first and whenever it changes, valid during the call;
	 * NULL: there is no such object. */
	void (*says)(void *arg, const struct openshift_scheduler *scheduler);
	/* It makes no sense; why. */
	void (*nonsense)(void *arg, const char *why);
};

/* Starts at once.  Callbacks come from the event loop; none may call
 * openshift_free(). */
struct openshift *openshift_new(struct api_client *client,
    const struct openshift_ops *ops, void *arg);
void openshift_free(struct openshift *openshift); /* accepts NULL */

/* The object as it was last seen; NULL: there is none. */
const struct object *openshift_object(const struct openshift *openshift);

#endif
