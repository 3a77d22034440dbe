#include "config.h"

#include "base/xmalloc.h"
#include "objects/steering.h"
#include "predicates/registry.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define GROUP                                                                  \
	"spec.schedulingGroup is not supported: its pods would be placed one " \
	"by one, not as a group"
#define WORKLOAD                                                               \
	"spec.workloadRef is not supported: its pods would be placed one by "  \
	"one, not as a group"
#define ALL (UNSUPPORTED_BIT(UNSUPPORTED_FIELDS) - 1)

static void
a_pod_with_an_unsupported_field_fits_nowhere(void)
{
	static const struct {
		const char *name, *spec;
		int release;
		bool strict;
		uint32_t ignored;
		enum verdict verdict;
		const char *why;
	} rows[] = {
		{ "no such field", "", 36, false, 0, FITS, "" },
		{ "a field", "schedulingGroup: {podGroupName: g}", 36, false, 0,
		    UNFIT_FOREVER, GROUP },
		{ "both",
		    "schedulingGroup: {podGroupName: g}, "
		    "workloadRef: {name: w}",
		    36, false, 0, UNFIT_FOREVER, GROUP "; " WORKLOAD },
		{ "one of them is ignored",
		    "schedulingGroup: {podGroupName: g}, "
		    "workloadRef: {name: w}",
		    36, false, UNSUPPORTED_BIT(UNSUPPORTED_SCHEDULING_GROUP),
		    UNFIT_FOREVER, WORKLOAD },
		{ "all are ignored", "schedulingGroup: {podGroupName: g}", 36,
		    false, ALL, FITS, "" },
		{ "before its release", "schedulingGroup: {podGroupName: g}",
		    35, false, 0, FITS, "" },
		{ "--strict-policy", "schedulingGroup: {podGroupName: g}", 36,
		    true, 0, FITS, "" },
		{ "a resource of a device class",
		    W_REQUESTS("deviceclass.resource.kubernetes.io/gpu: 1"), 34,
		    false, 0, UNFIT_FOREVER,
		    "spec.containers[].resources.requests["
		    "deviceclass.resource.kubernetes.io/*] is not supported: "
		    "devices are not allocated for resource requests" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct world *w = world_new(W_NODE("n1", "", ""));
		AUTOFREE char *pod =
		    xasprintf(W_POD("p", "", "", "%s"), rows[i].spec);
		struct outcome o;

		w->cluster->kubernetes_minor = rows[i].release;
		w->profile->strict = rows[i].strict;
		w->cluster->allocates_devices = false;
		w->profile->ignored_fields = rows[i].ignored;
		world_pod(w, pod);
		o = world_check(w, &predicate_unsupported_fields, NULL, "n1");
		t_int(rows[i].name, o.verdict, rows[i].verdict);
		t_str(rows[i].name, o.why, rows[i].why);
		world_free(w);
	}
}

/* A pod without such a field is not asked. */
static void
other_pods_cost_nothing(void)
{
	struct world *w = world_new(W_NODE("n1", "", ""));

	w->cluster->kubernetes_minor = 36;
	world_pod(w, W_POD("p", "", "", W_REQUESTS("cpu: 1")));
	t_true("no prep",
	    world_prepare(w, &predicate_unsupported_fields, NULL) == NULL);
	world_free(w);
}

T_MAIN(T(a_pod_with_an_unsupported_field_fits_nowhere),
    T(other_pods_cost_nothing))
