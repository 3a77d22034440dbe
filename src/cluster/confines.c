#include "config.h"

#include "cluster/confines.h"

#include "cluster/cluster.h"
#include "cluster/distribution.h"
#include "objects/confines.h"
#include "objects/pod.h"
#include "objects/sticky_job.h"

static const struct labels nothing;

/* As OpenShift's admission chooses (podNodeEnvironment). */
static const struct labels *
selector_in(const struct cluster *cluster, const struct namespace *ns)
{
	if (!cluster->has_default_node_selector)
		return &nothing;
	return ns != NULL && ns->has_node_selector ?
	    &ns->node_selector :
	    &cluster->default_node_selector;
}

bool
confines_changed(const struct cluster *cluster, const struct namespace *before,
    const struct namespace *after)
{
	return !labels_equal(selector_in(cluster, before),
	    selector_in(cluster, after));
}

void
cluster_set_default_node_selector(struct cluster *cluster,
    const struct labels *labels)
{
	struct label *at = NULL;

	if (cluster->has_default_node_selector == (labels != NULL) &&
	    (labels == NULL ||
		labels_equal(labels, &cluster->default_node_selector)))
		return;
	if (labels != NULL && labels->n > 0) {
		at = xcalloc(labels->n, sizeof(*at));
		/* the cluster's administrator chose these: permanent */
		for (uint32_t i = 0; i < labels->n; i++)
			at[i] = (struct label){
				sym_intern(sym_text(labels->at[i].key)),
				sym_intern(sym_text(labels->at[i].value)),
			};
	}
	free((struct label *)cluster->default_node_selector.at);
	cluster->has_default_node_selector = labels != NULL;
	cluster->default_node_selector =
	    (struct labels){ labels != NULL ? labels->n : 0, at };
	cluster->confines++;
}

bool
sticky_jobs_equal(const struct sticky_job *a, const struct sticky_job *b)
{
	return a != NULL && b != NULL &&
	    strcmp(a->object.uid, b->object.uid) == 0 &&
	    a->last_node == b->last_node && a->required == b->required;
}

/* Texts are held by the arena. */
static struct sticky
sticky_of(const struct cluster *cluster, const struct pod *pod,
    struct arena *arena)
{
	const struct pod_class *class = pod->class;
	const struct sticky_job *job = class->sticky_job != SYM_NONE ?
	    cluster_sticky_job(cluster, class->namespace, class->sticky_job) :
	    NULL;
	AUTOFREE char *name = NULL;

	if (job == NULL || job->last_node == SYM_EMPTY ||
	    strcmp(job->object.uid, sym_text(class->sticky_job_uid)) != 0)
		return (struct sticky){ 0 };
	name = object_full_name(&job->object);
	return (struct sticky){ sym_in(arena, name), job->last_node,
		job->required };
}

struct pod *
cluster_confined(const struct cluster *cluster, struct pod *takes)
{
	struct arena arena = ARENA_INIT;
	struct confines confines = {
		.node_selector = *selector_in(cluster,
		    cluster_namespace_object(cluster, takes->object.namespace)),
		.distribution = distribution_of(cluster, takes),
		.sticky = sticky_of(cluster, takes, &arena),
	};
	struct pod *pod = pod_confined(takes, &confines);

	arena_fini(&arena);
	pod_unref(takes);
	return pod;
}
