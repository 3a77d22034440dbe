#include "config.h"

#include "daemon/dump.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "cluster/cluster.h"
#include "objects/pod.h"
#include "daemon/queue/queue.h"

static void
put_pod(struct text *out, const struct pod *pod)
{
	static const char *const phases[] = { "Pending", "Running", "Succeeded",
		"Failed" };

	text_printf(out,
	    "name: %s, namespace: %s, uid: %s, phase: %s, nominated node: %s",
	    pod->object.name, sym_text(pod->object.namespace), pod->object.uid,
	    phases[pod->phase], sym_text(pod->nominated));
}

static void
put_pods(struct text *out, const char *what, size_t n,
    const struct pod *const *pods)
{
	text_printf(out, ", %s Pods(number: %zu)", what, n);
	for (size_t i = 0; i < n; i++) {
		text_put(out, i > 0 ? "; " : ": ");
		put_pod(out, pods[i]);
	}
}

/* CPU in thousandths, as kube-scheduler has it. */
static void
put_resources(struct text *out, const char *what, const struct resources *r)
{
	const char *name;

	text_printf(out, ", %s Resources: {", what);
	for (uint32_t i = 0; (name = resources_name(r, i)) != NULL; i++)
		text_printf(out, "%s%s:%lld", i > 0 ? " " : "", name,
		    (long long)resources_get(r, name));
	text_put(out, "}");
}

static void
write_node(const struct node_info *node)
{
	struct text line = { 0 };

	text_printf(&line, "Node name: %s, Deleted: %s", sym_text(node->name),
	    node->node == NULL ? "true" : "false");
	put_resources(&line, "Requested", &node->requested);
	if (node->node != NULL)
		put_resources(&line, "Allocatable", &node->node->allocatable);
	put_pods(&line, "Scheduled", node->npods, node->pods);
	if (node->nnominated > 0)
		put_pods(&line, "Nominated", node->nnominated, node->nominated);
	log_info("Dump of cached NodeInfo: %s", line.bytes);
	text_fini(&line);
}

static bool
write_waiting(const struct queue_waiting *waiting, void *arg)
{
	struct text line = { 0 };

	put_pod(&line, waiting->pod);
	log_info("Dump of scheduling queue: %s, %s",
	    queue_place_name(waiting->place), line.bytes);
	text_fini(&line);
	return true;
}

void
dump_to_log(const struct cluster *cluster, const struct queue *queue)
{
	static pid_t writer; /* of the last dump */

	if (writer > 0 && waitpid(writer, NULL, WNOHANG) == 0)
		return; /* it has not ended */
	writer = fork();
	if (writer < 0)
		log_error("cannot dump the cache and the queue: %s",
		    strerror(errno));
	if (writer != 0)
		return;
	EACH_VALUE (&cluster->node_infos, const struct node_info, node)
		write_node(node);
	queue_walk(queue, 0, SIZE_MAX, write_waiting, NULL);
	_exit(0);
}
