#include "config.h"

#include "cluster/csi_use.h"

#include "base/arena.h"
#include "cluster/cluster.h"
#include "cluster/volume_users.h"
#include "objects/in_tree.h"

/* The release from which on volumes written into pods count as their driver's. */
#define WRITTEN_FROM 25
#define ATTACHMENTS_FROM 32

static void
add(struct arena *arena, struct volume_set *set, sym driver, sym handle)
{
	if (driver != SYM_EMPTY && handle != SYM_EMPTY)
		volume_set_add(arena, set, map_key(driver, handle), driver);
}

struct csi_rules
csi_rules_on(const struct cluster *cluster, int release, sym node)
{
	struct csi_rules rules = { release, in_tree_migrated_in(release) };
	const struct csi_node *csi = cluster_csi_node(cluster, node);

	if (csi != NULL)
		rules.migrated |= csi->migrated;
	return rules;
}

/* The driver of an in-tree volume; SYM_EMPTY: none. */
static sym
driver_of_kind(enum volume_kind kind, uint32_t migrated)
{
	const char *driver =
	    (migrated >> kind & 1) != 0 ? in_tree_driver(kind) : NULL;

	return driver != NULL ? sym_intern(driver) : SYM_EMPTY;
}

/* The driver of the volumes that the class makes; SYM_EMPTY: none. */
static sym
driver_of_class(const struct storage_class *class, uint32_t migrated)
{
	enum volume_kind kind = in_tree_kind(sym_text(class->provisioner));

	return kind == VOLUME_OTHER ? class->provisioner :
				      driver_of_kind(kind, migrated);
}

static const struct persistent_volume *
volume_of(const struct cluster *cluster,
    const struct persistent_volume_claim *claim)
{
	return claim->volume_name != SYM_EMPTY ?
	    cluster_volume(cluster, claim->volume_name) :
	    NULL;
}

static void
add_claim(const struct cluster *cluster, struct arena *arena, uint32_t migrated,
    const struct persistent_volume_claim *claim, struct volume_set *set)
{
	const struct persistent_volume *volume = volume_of(cluster, claim);
	const struct storage_class *class = NULL;

	if (volume != NULL) {
		add(arena, set,
		    volume->is_csi ? volume->csi_driver :
				     driver_of_kind(volume->kind, migrated),
		    volume->csi_handle);
		return;
	}
	if (claim->class != SYM_EMPTY)
		class = cluster_storage_class(cluster, claim->class);
	/* It has no volume yet: no handle begins like this. */
	if (class != NULL)
		add(arena, set, driver_of_class(class, migrated),
		    sym_in(arena,
			arena_printf(arena, "\1%s/%s",
			    sym_text(claim->object.namespace),
			    claim->object.name)));
}

static bool
is_foreign(const struct volume *volume,
    const struct persistent_volume_claim *claim)
{
	return volume->kind == VOLUME_EPHEMERAL &&
	    (volume->owner == SYM_NONE || claim->controller != volume->owner);
}

struct csi_problems
csi_volumes_add(const struct cluster *cluster, struct arena *arena,
    const struct csi_rules *rules, const struct pod_class *class,
    struct volume_set *set)
{
	struct csi_problems problems = { NULL, NULL };

	for (uint32_t i = 0; i < class->nvolumes; i++) {
		const struct volume *volume = &class->volumes[i];
		const struct persistent_volume_claim *claim;

		if (rules->release >= WRITTEN_FROM)
			add(arena, set,
			    driver_of_kind(volume->kind, rules->migrated),
			    volume->handle);
		if (!volume_is_claim(volume->kind, rules->release))
			continue;
		claim = cluster_claim(cluster, class->namespace, volume->id);
		if (claim != NULL && !is_foreign(volume, claim))
			add_claim(cluster, arena, rules->migrated, claim, set);
		else if (claim == NULL && problems.missing == NULL)
			problems.missing = volume;
		else if (claim != NULL && problems.foreign == NULL)
			problems.foreign = volume;
	}
	return problems;
}

static void
add_attached(const struct cluster *cluster, struct arena *arena,
    const struct node_info *node, struct volume_set *set)
{
	const struct users *attached = cluster_attachments(cluster, node->name);

	for (size_t i = 0; attached != NULL && i < attached->n; i++) {
		const struct volume_attachment *a = attached->at[i].who;
		const struct persistent_volume *volume = NULL;

		if (a->volume != SYM_EMPTY)
			volume = cluster_volume(cluster, a->volume);
		if (volume != NULL && volume->is_csi &&
		    a->attacher != SYM_EMPTY)
			volume_set_add(arena, set,
			    map_key(a->attacher, volume->csi_handle),
			    a->attacher);
	}
}

void
csi_use_of(const struct cluster *cluster, struct arena *arena, int release,
    const struct node_info *node, struct csi_use *use)
{
	struct csi_rules rules = csi_rules_on(cluster, release, node->name);

	use->pods.n = use->attached.n = 0;
	use->broken = NULL;
	use->foreign = NULL;
	for (uint32_t i = 0; node->nattachable > 0 && i < node->npods; i++) {
		const struct volume *foreign = csi_volumes_add(cluster, arena,
		    &rules, node->pods[i]->class, &use->pods)
						   .foreign;

		if (foreign != NULL && use->foreign == NULL) {
			use->broken = node->pods[i];
			use->foreign = foreign;
		}
	}
	if (release >= ATTACHMENTS_FROM)
		add_attached(cluster, arena, node, &use->attached);
	volume_set_settle(&use->pods);
	volume_set_settle(&use->attached);
}

int64_t
csi_use_count(const struct csi_use *use, sym driver)
{
	int64_t n = 0;

	for (size_t i = 0; i < use->pods.n; i++)
		n += use->pods.at[i].limit == driver;
	for (size_t i = 0; i < use->attached.n; i++)
		n += use->attached.at[i].limit == driver &&
		    !volume_set_has(&use->pods, use->attached.at[i].id);
	return n;
}

/* The only claim that names its volume, of which there is only one, and not as a
 * volume that pods have without a claim. */
static bool
is_sole(const struct cluster *cluster,
    const struct persistent_volume_claim *claim,
    const struct persistent_volume *volume)
{
	return volume->is_csi && volume->has_claim &&
	    cluster_claims_naming(cluster, claim->volume_name) == 1 &&
	    cluster_volumes_called(cluster, volume->csi_handle) == 1 &&
	    cluster->nin_tree == 0;
}

bool
csi_volume_is_new(const struct cluster *cluster, const struct pod_class *class,
    const struct volume *volume, int release)
{
	const struct persistent_volume_claim *claim;
	const struct persistent_volume *bound;

	if (!volume_is_claim(volume->kind, release))
		return driver_of_kind(volume->kind, EVERY_KIND) == SYM_EMPTY;
	claim = cluster_claim(cluster, class->namespace, volume->id);
	if (claim == NULL ||
	    cluster_claim_is_used(cluster, class->namespace, volume->id))
		return false;
	bound = volume_of(cluster, claim);
	return bound == NULL || is_sole(cluster, claim, bound);
}

bool
csi_use_is_same(const struct cluster *cluster, int release)
{
	int own = cluster->kubernetes_minor;

	return volume_is_claim(VOLUME_EPHEMERAL, own) ==
	    volume_is_claim(VOLUME_EPHEMERAL, release) &&
	    (own >= WRITTEN_FROM) == (release >= WRITTEN_FROM) &&
	    in_tree_migrated_in(own) == in_tree_migrated_in(release) &&
	    ((own >= ATTACHMENTS_FROM) == (release >= ATTACHMENTS_FROM) ||
		cluster->named[OBJECT_VOLUME_ATTACHMENT].n == 0);
}

int32_t
csi_room(const struct cluster *cluster, const struct node_info *node,
    sym *driver)
{
	const struct csi_node *csi = cluster_csi_node(cluster, node->name);
	int64_t room = CSI_ROOM_ANY, limit;
	bool any = false;
	struct csi_use use = { 0 };
	struct arena arena = ARENA_INIT;

	*driver = SYM_NONE;
	if (csi == NULL)
		return CSI_ROOM_ANY;
	if (node->nnameless > 0)
		return CSI_ROOM_UNKNOWN;
	csi_use_of(cluster, &arena, cluster->kubernetes_minor, node, &use);
	for (uint32_t i = 0; i < csi->ndrivers; i++) {
		sym name = csi->drivers[i].driver;

		if (!csi_limit(csi, name, &limit))
			continue;
		limit -= csi_use_count(&use, name);
		*driver = !any || *driver == name ? name : SYM_NONE;
		any = true;
		room = limit < room ? limit : room;
	}
	arena_fini(&arena);
	if (any && use.foreign != NULL)
		return CSI_ROOM_UNKNOWN;
	return room > INT32_MIN ? (int32_t)room : INT32_MIN + 1;
}
