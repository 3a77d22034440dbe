#include "config.h"

#include "objects/in_tree.h"

#include <strings.h>

#include "base/arena.h"
#include "objects/decode.h"

const struct volume_source volume_sources[] = {
	{ "persistentVolumeClaim", VOLUME_CLAIM, "claimName" },
	{ "gcePersistentDisk", VOLUME_GCE_PD, "pdName" },
	{ "awsElasticBlockStore", VOLUME_AWS_EBS, "volumeID" },
	{ "azureDisk", VOLUME_AZURE_DISK, "diskName" },
	{ "cinder", VOLUME_CINDER, "volumeID" },
	{ "iscsi", VOLUME_ISCSI, "iqn" },
	{ "rbd", VOLUME_RBD, "image" },
	{ "portworxVolume", VOLUME_PORTWORX, "volumeID" },
	{ "ephemeral", VOLUME_EPHEMERAL, NULL },
	{ NULL, VOLUME_OTHER, NULL },
};

static const struct {
	enum volume_kind kind;
	/* The provisioner is the plugin's name. */
	const char *provisioner, *driver, *zone_label;
	/* The release of in_tree_migrated_in(). */
	int migrated_from;
} plugins[] = {
	{ VOLUME_AWS_EBS, "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
	    "topology.ebs.csi.aws.com/zone", 27 },
	{ VOLUME_GCE_PD, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
	    "topology.gke.io/zone", 28 },
	/* The affinity of its volumes is not translated. */
	{ VOLUME_AZURE_DISK, "kubernetes.io/azure-disk", "disk.csi.azure.com",
	    NULL, 27 },
	{ VOLUME_CINDER, "kubernetes.io/cinder", "cinder.csi.openstack.org",
	    "topology.cinder.csi.openstack.org/zone", 25 },
	{ VOLUME_PORTWORX, "kubernetes.io/portworx-volume", "pxd.portworx.com",
	    NULL, 36 },
};

const char *
in_tree_driver(enum volume_kind kind)
{
	for (size_t i = 0; i < LENGTH(plugins); i++)
		if (plugins[i].kind == kind)
			return plugins[i].driver;
	return NULL;
}

sym
in_tree_zone_label(enum volume_kind kind)
{
	for (size_t i = 0; i < LENGTH(plugins); i++)
		if (plugins[i].kind == kind && plugins[i].zone_label != NULL)
			return sym_intern(plugins[i].zone_label);
	return SYM_NONE;
}

uint32_t
in_tree_migrated(const char *annotation)
{
	uint32_t kinds = 0;
	size_t len;

	for (; *annotation != '\0';
	     annotation += len + (annotation[len] != 0)) {
		len = strcspn(annotation, ",");
		for (size_t i = 0; i < LENGTH(plugins); i++)
			if (strlen(plugins[i].provisioner) == len &&
			    memcmp(plugins[i].provisioner, annotation, len) ==
				0)
				kinds |= (uint32_t)1 << plugins[i].kind;
	}
	return kinds;
}

uint32_t
in_tree_migrated_in(int release)
{
	uint32_t kinds = 0;

	for (size_t i = 0; i < LENGTH(plugins); i++)
		if (release >= plugins[i].migrated_from)
			kinds |= (uint32_t)1 << plugins[i].kind;
	return kinds;
}

enum volume_kind
in_tree_kind(const char *provisioner)
{
	for (size_t i = 0; i < LENGTH(plugins); i++)
		if (strcmp(plugins[i].provisioner, provisioner) == 0)
			return plugins[i].kind;
	return VOLUME_OTHER;
}

/* "aws://ZONE/ID" or the ID alone. */
static sym
ebs_handle(struct arena *arena, const char *id)
{
	const char *end;

	if (strncmp(id, "aws://", 6) != 0)
		return sym_in_n(arena, id, strlen(id));
	id = strchr(id + 6, '/');
	while (id != NULL && *id == '/')
		id++;
	end = id != NULL ? id + strlen(id) : NULL;
	while (end != NULL && end > id && end[-1] == '/')
		end--;
	if (id == NULL || strncmp(id, "vol-", 4) != 0 ||
	    memchr(id, '/', (size_t)(end - id)) != NULL)
		return SYM_EMPTY;
	return sym_in_n(arena, id, (size_t)(end - id));
}

/* The length of the region's name in a zone's, "REGION-a" with one more "-" in it;
 * 0: it is none. */
static size_t
region_length(const char *zone, size_t len)
{
	const char *first = memchr(zone, '-', len);
	const char *last = memrchr(zone, '-', len);

	if (first == NULL || first == last ||
	    memchr(first + 1, '-', len - (size_t)(first + 1 - zone)) != last)
		return 0;
	return (size_t)(last - zone);
}

/* The length of the name of the one region in which the zones lie, with which
 * they begin; 0: there is none. */
static size_t
common_region(const char *zones)
{
	const char *zone = zones, *end;
	size_t common = 0;

	for (;; zone = end + 2) {
		size_t len;

		end = strstr(zone, "__");
		len = region_length(zone,
		    end != NULL ? (size_t)(end - zone) : strlen(zone));
		if (common == 0)
			common = len;
		if (len == 0 || len != common || strncmp(zones, zone, len) != 0)
			return 0;
		if (end == NULL)
			return common;
	}
}

static sym
gce_handle(struct arena *arena, const struct in_tree *volume)
{
	const char *zones =
	    volume->zones[0] != '\0' ? volume->zones : "UNSPECIFIED";
	bool regional = strstr(zones, "__") != NULL;
	size_t len = regional ? common_region(zones) : strlen(zones);
	AUTOFREE char *text = xasprintf("projects/UNSPECIFIED/%s/%.*s/disks/%s",
	    regional ? "regions" : "zones", (int)len, zones, volume->id);

	return len > 0 ? sym_in_n(arena, text, strlen(text)) : SYM_EMPTY;
}

static bool
is_unmanaged(const struct in_tree *disk)
{
	return disk->form != NULL && strcasecmp(disk->form, "Managed") != 0;
}

struct in_tree
in_tree_read(struct decoder *d, const struct doc_node *source,
    enum volume_kind kind, sym id)
{
	struct in_tree volume = { kind, sym_text(id), NULL, "" };

	if (kind == VOLUME_AZURE_DISK) {
		volume.id = decode_text(d, source, "diskURI", "");
		volume.form = decode_text(d, source, "kind", NULL);
	}
	return volume;
}

sym
in_tree_handle(struct arena *arena, const struct in_tree *volume)
{
	switch (volume->kind) {
	case VOLUME_AWS_EBS:
		return ebs_handle(arena, volume->id);
	case VOLUME_GCE_PD:
		return gce_handle(arena, volume);
	case VOLUME_AZURE_DISK:
		if (is_unmanaged(volume))
			return SYM_EMPTY;
		return sym_in_n(arena, volume->id, strlen(volume->id));
	case VOLUME_CINDER:
	case VOLUME_PORTWORX:
		return sym_in_n(arena, volume->id, strlen(volume->id));
	case VOLUME_CLAIM:
	case VOLUME_ISCSI:
	case VOLUME_RBD:
	case VOLUME_EPHEMERAL:
	case VOLUME_OTHER:
		break;
	}
	return SYM_EMPTY;
}

const char *
in_tree_obstacle(struct arena *arena, const struct in_tree *volume)
{
	if (volume->kind == VOLUME_AZURE_DISK && is_unmanaged(volume))
		return arena_printf(arena,
		    "kind(%s) is not supported in csi migration", volume->form);
	if (volume->kind == VOLUME_GCE_PD &&
	    in_tree_handle(arena, volume) == SYM_EMPTY)
		return "failed to get region from zones";
	if (volume->kind == VOLUME_AWS_EBS && *volume->id != '\0' &&
	    in_tree_handle(arena, volume) == SYM_EMPTY)
		return "failed to translate Kubernetes ID to EBS Volume ID";
	return NULL;
}
