#include "config.h"

#include "model/sticky_job.h"

#include "base/doc.h"

static int
read_job(struct sticky_job *job, const struct doc_node *root, struct err *err)
{
	const struct doc_node *spec = NULL, *status = NULL;
	const char *node = "";

	if (doc_get_object(root, "spec", "spec", &spec, err) != 0 ||
	    doc_get_bool(spec, "required", "spec.required", &job->required,
		err) != 0 ||
	    doc_get_object(root, "status", "status", &status, err) != 0 ||
	    doc_get_string(status, "lastNode", "status.lastNode", &node, err) !=
		0)
		return -1;
	job->last_node = sym_in(&job->object.arena, node);
	return 0;
}

int
sticky_job_decode(const struct doc_node *root, struct sticky_job **out,
    struct err *err)
{
	struct sticky_job *job =
	    object_new(OBJECT_STICKY_JOB, sizeof(*job), root, NULL, err);

	if (job == NULL)
		return -1;
	if (read_job(job, root, err) != 0) {
		object_unref(&job->object);
		return -1;
	}
	*out = job;
	return 0;
}
