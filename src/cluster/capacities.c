#include "config.h"

#include "cluster/capacities.h"

#include "cluster/cluster.h"
#include "cluster/pinned.h"

void
capacities_changed(struct cluster *cluster,
    const struct csi_storage_capacity *before,
    const struct csi_storage_capacity *now)
{
	struct map *lists = &cluster->capacities_of;

	if (before != NULL)
		pinned_remove(lists, before->class,
		    pinned_by(&before->nodes, before), NULL);
	if (now != NULL)
		pinned_add(lists, now->class, pinned_by(&now->nodes, now),
		    NULL);
}

bool
cluster_checks_capacity(const struct cluster *cluster,
    const struct storage_class *class)
{
	const struct csi_driver *driver =
	    cluster_csi_driver(cluster, class->provisioner);

	return driver != NULL && driver->storage_capacity;
}

const struct csi_storage_capacity *
cluster_find_capacity(const struct cluster *cluster,
    const struct storage_class *class, int64_t bytes, const struct labels *node)
{
	sym name = sym_find(class->object.name);
	const struct pinned_list *list = map_get(&cluster->capacities_of, name);

	/* One key after the other, of each the node's value alone. */
	for (size_t i = 0; list != NULL && i < list->n;) {
		sym key = list->at[i].pin.key;
		struct label pin = { key,
			key != SYM_NONE ? labels_get(node, key) : SYM_NONE };

		for (i = pinned_first(list, &pin);
		     i < list->n && pinned_compare(&list->at[i].pin, &pin) == 0;
		     i++) {
			const struct csi_storage_capacity *c =
			    list->at[i].object;

			if (c->has_limit && c->limit >= bytes &&
			    selector_matches(&c->nodes, node))
				return c;
		}
		if (key == SYM_NONE)
			break;
		i = pinned_first(list, &(struct label){ key + 1, 0 });
	}
	return NULL;
}
