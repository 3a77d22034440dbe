/* Copies of a node, on which pods come and go in simulations. */
#include "config.h"

#include <string.h>

#include "cluster/node_info.h"
#include "t/lib/t.h"
#include "t/lib/world.h"

#define REQUESTS(name, node, resources)                                        \
	W_POD(name, "", node, W_REQUESTS(resources))

static int64_t
requested(const struct node_info *node, const char *name)
{
	const struct scalar *scalar =
	    resources_scalar(&node->requested, sym_intern(name));

	return scalar != NULL ? scalar->amount : 0;
}

static void
a_copy_grows_apart(void)
{
	static const char zeros[64];
	struct world *w = world_new(
	    W_NODE("n1", "", "") REQUESTS("p", "n1", "example.com/a: 1"));
	struct pod *q = world_decode_pod(REQUESTS("q", "",
	    "example.com/b: 2, example.com/c: 3, "
	    "memory: -9223372036854775808"));
	const struct node_info *node = world_node(w, "n1");
	struct arena arena = ARENA_INIT;
	struct node_info *copy = node_info_copy(&arena, node);
	char *next = arena_zalloc(&arena, 64);

	node_info_add(&arena, copy, 0, q);
	t_int("what was there", requested(copy, "example.com/a"), 1);
	t_int("what came", requested(copy, "example.com/b"), 2);
	t_int("what came, too", requested(copy, "example.com/c"), 3);
	t_int("pods", copy->npods, 2);
	t_true("nothing else has changed", memcmp(next, zeros, 64) == 0);
	t_int("the node has what it had", requested(node, "example.com/b"), 0);
	t_int("and its pods", node->npods, 1);

	t_true("it goes again", node_info_remove(&arena, copy, 0, q));
	t_int("with what it held", requested(copy, "example.com/b"), 0);
	t_int("however much", copy->scored[0].memory, node->scored[0].memory);
	t_true("only once", !node_info_remove(&arena, copy, 0, q));
	pod_unref(q);
	arena_fini(&arena);
	world_free(w);
}

static void
volumes_are_counted(void)
{
	struct world *w = world_new(W_NODE("n1", "", "") W_POD("p", "", "n1",
	    "volumes: [{name: a, persistentVolumeClaim: {claimName: c}},"
	    " {name: b, gcePersistentDisk: {pdName: d}}]"));
	struct pod *q = world_decode_pod(W_POD("q", "", "",
	    "volumes:"
	    " [{name: a, persistentVolumeClaim: {}}, {name: b, emptyDir: {}},"
	    " {name: c, nfs: {}}]"));
	const struct node_info *node = world_node(w, "n1");
	struct arena arena = ARENA_INIT;
	struct node_info *copy = node_info_copy(&arena, node);

	t_int("attachable", node->nattachable, 2);
	t_int("none is nameless", node->nnameless, 0);
	node_info_add(&arena, copy, 0, q);
	t_int("attachable with another pod", copy->nattachable, 3);
	t_int("nameless", copy->nnameless, 1);
	node_info_remove(&arena, copy, 0, q);
	t_int("attachable without it", copy->nattachable, 2);
	t_int("nameless without it", copy->nnameless, 0);
	pod_unref(q);
	arena_fini(&arena);
	world_free(w);
}

T_MAIN(T(a_copy_grows_apart), T(volumes_are_counted))
