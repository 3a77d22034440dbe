/*
 * A plugin: a rule as the queue, metrics and configurations know it, by the name that
 * kube-scheduler 1.36 gives it, or 1.20 if 1.36 has it no more.  What it answers is in
 * its predicates and its priority.
 */
#ifndef FRAMEWORK_PLUGIN_H
#define FRAMEWORK_PLUGIN_H

#include "model/object.h"

struct node;
struct pod_class;

/* PLUGIN_NODE_PORTS, ...: the number of a row of all_plugins[]. */
enum plugin_number {
#define PLUGIN(number, x) PLUGIN_##number,
#include "framework/plugin_table.h"
#undef PLUGIN
	PLUGINS,
};

/* Sets of them. */
#define PLUGIN_BIT(number) (UINT64_C(1) << (number))
#define PLUGINS_UNKNOWN UINT64_MAX /* any of them */

/* An object that was added, changed or removed. */
struct object_change {
	enum object_kind kind;
	/* If it is a node: as it was and is; NULL: it was not there, it is gone. */
	const struct node *was, *is;
	/* Of a pod that has left its node; else NULL. */
	const struct pod_class *left;
	const struct object *before, *after; /* likewise NULL */
};

static inline bool
change_adds_node(const struct object_change *change)
{
	return change->was == NULL && change->is != NULL;
}

/* Pools of devices, their classes and taints. */
static inline bool
change_is_of_devices(const struct object_change *change)
{
	return change->kind == OBJECT_RESOURCE_SLICE ||
	    change->kind == OBJECT_DEVICE_CLASS ||
	    change->kind == OBJECT_DEVICE_TAINT_RULE;
}

struct plugin {
	const char *name;

	/*
	 * Optional: whether the change may bring round the rule that refused a pod of
	 * this class: EventsToRegister() and isSchedulableAfter...() of kube-scheduler
	 * 1.36.  Where these miss a change that can help, or depend on arguments of the
	 * plugin, it may.  NULL: any change may.  A pod with a node that was added or
	 * relabelled is not asked about (queue/term_watch.h), nor is a Service, which
	 * may help anyone.
	 */
	bool (*wakes)(const struct pod_class *class,
	    const struct object_change *change);

	/* The aspects of the pod (model/pod.h) whose change may; 0: any of them. */
	unsigned aspects;

	/* Pods with a node that are added or relabelled may (queue/term_watch.h). */
	bool of_pods;
};

#define PLUGIN(number, x) extern const struct plugin plugin_##x;
#include "framework/plugin_table.h"
#undef PLUGIN

/* By number. */
extern const struct plugin *const all_plugins[PLUGINS];

#endif
