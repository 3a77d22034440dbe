#include "config.h"

#include "daemon/scheduler/sticky_jobs.h"

#include <sys/queue.h>

#include "wire/api/client.h"
#include "wire/api/paths.h"
#include "wire/api/writes.h"
#include "daemon/scheduler/flight.h"
#include "base/json_out.h"
#include "base/log.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "objects/sticky_job.h"

/* A request under way. */
struct sticky_write {
	LIST_ENTRY(sticky_write) all;
	struct flights *flights;
	struct object *job; /* held */
	sym node, next;     /* next: to be written then; SYM_NONE: none */
	struct api_call *call;
};

static void
write_free(struct sticky_write *write)
{
	LIST_REMOVE(write, all);
	api_cancel(write->call);
	object_unref(write->job);
	sym_unref(write->node);
	sym_unref(write->next);
	free(write);
}

void
sticky_jobs_give_up(struct flights *flights)
{
	while (!LIST_EMPTY(&flights->sticky_writes))
		write_free(LIST_FIRST(&flights->sticky_writes));
}

static void send_write(struct sticky_write *write);

static void
on_written(void *arg, const struct api_response *response)
{
	struct sticky_write *write = arg;
	struct err err;

	write->call = NULL;
	if (response->status < 200 || response->status > 299) {
		AUTOFREE char *name = object_full_name(write->job);

		api_explain(response, &err);
		log_warning("writing the last node %s of %s: %s",
		    sym_text(write->node), name, err.text);
	}
	if (write->next == SYM_NONE) {
		write_free(write);
		return;
	}
	sym_unref(write->node);
	write->node = write->next;
	write->next = SYM_NONE;
	send_write(write);
}

static void
send_write(struct sticky_write *write)
{
	const struct object *job = write->job;
	AUTOFREE char *path =
	    path_of_object(STICKY_JOB_VERSION, sym_text(job->namespace),
		STICKY_JOB_RESOURCE, job->name, "/status");
	struct text body = { 0 };

	json_put(&body, "{'metadata':{'uid':%s},'status':{'lastNode':%s}}",
	    job->uid, sym_text(write->node));
	write->call = api_send(write->flights->client,
	    &(struct api_request){ .lane = API_REST,
		.method = "PATCH",
		.path = path,
		.body = body.bytes,
		.content_type = "application/merge-patch+json",
		.retry_ms = WRITE_RETRY_MS,
		.of_leader = true,
		.on_done = on_written,
		.arg = write });
	text_fini(&body);
}

static struct sticky_write *
write_to(const struct flights *flights, const struct object *job)
{
	struct sticky_write *write;

	LIST_FOREACH (write, &flights->sticky_writes, all)
		if (strcmp(write->job->uid, job->uid) == 0)
			return write;
	return NULL;
}

/* NULL: it is a pod of none that is known. */
static struct sticky_job *
job_of(const struct cluster *cluster, const struct pod *pod)
{
	const struct pod_class *class = pod->class;
	const struct sticky_job *job = class->sticky_job != SYM_NONE ?
	    cluster_sticky_job(cluster, class->namespace, class->sticky_job) :
	    NULL;

	if (job == NULL ||
	    strcmp(job->object.uid, sym_text(class->sticky_job_uid)) != 0)
		return NULL;
	return (struct sticky_job *)job;
}

void
sticky_jobs_bound(struct flights *flights, const struct pod *pod, sym node)
{
	struct sticky_job *job = job_of(flights->cluster, pod);
	struct sticky_write *write;

	if (job == NULL)
		return;
	write = write_to(flights, &job->object);
	if (write != NULL) {
		sym_unref(write->next);
		write->next = sym_ref(node);
		return;
	}
	if (job->last_node == node)
		return;
	write = xcalloc(1, sizeof(*write));
	write->flights = flights;
	write->job = object_ref(&job->object);
	write->node = sym_ref(node);
	write->next = SYM_NONE;
	LIST_INSERT_HEAD(&flights->sticky_writes, write, all);
	send_write(write);
}
