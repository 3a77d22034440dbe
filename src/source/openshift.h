/*
 * Watches OpenShift's Scheduler object, schedulers.config.openshift.io/cluster,
 * wherever there is one: the API that serves it may appear later, and go.
 *
 * When the API is no longer served although the object was not deleted, the last
 * version counts for another fifteen seconds: an API server that has just started
 * does not serve the API yet.  For the same reason the object does not count as
 * absent at once after the API server could not be reached.  An object that we
 * are not allowed to read counts as absent, after ten seconds.
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
	/* The object's fields, first and after each change, valid during the
	 * call; NULL: the object does not exist. */
	void (*says)(void *arg, const struct openshift_scheduler *scheduler);
	/* It makes no sense; why. */
	void (*nonsense)(void *arg, const char *why);
};

/* Starts at once.  Callbacks come from the event loop; none may call
 * openshift_free(). */
struct openshift *openshift_new(struct api_client *client,
    const struct openshift_ops *ops, void *arg);
void openshift_free(struct openshift *openshift); /* accepts NULL */

/* The last version seen; NULL: the object does not exist. */
const struct object *openshift_object(const struct openshift *openshift);

#endif
