#include "config.h"

#include "objects/in_tree.h"

#include "base/arena.h"
#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
each_plugin_has_a_driver(void)
{
	static const struct {
		enum volume_kind kind;
		const char *provisioner, *driver;
	} rows[] = {
		{ VOLUME_AWS_EBS, "kubernetes.io/aws-ebs", "ebs.csi.aws.com" },
		{ VOLUME_GCE_PD, "kubernetes.io/gce-pd",
		    "pd.csi.storage.gke.io" },
		{ VOLUME_AZURE_DISK, "kubernetes.io/azure-disk",
		    "disk.csi.azure.com" },
		{ VOLUME_CINDER, "kubernetes.io/cinder",
		    "cinder.csi.openstack.org" },
		{ VOLUME_PORTWORX, "kubernetes.io/portworx-volume",
		    "pxd.portworx.com" },
		{ VOLUME_RBD, "kubernetes.io/rbd", NULL },
		{ VOLUME_CLAIM, "ebs.csi.aws.com", NULL },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		t_str(rows[i].provisioner, in_tree_driver(rows[i].kind),
		    rows[i].driver);
		t_int(rows[i].provisioner, in_tree_kind(rows[i].provisioner),
		    rows[i].driver != NULL ? rows[i].kind : VOLUME_OTHER);
	}
}

static void
plugins_are_migrated_one_by_one(void)
{
	static const struct {
		enum volume_kind kind;
		int from;
	} rows[] = {
		{ VOLUME_CINDER, 25 },
		{ VOLUME_AWS_EBS, 27 },
		{ VOLUME_AZURE_DISK, 27 },
		{ VOLUME_GCE_PD, 28 },
		{ VOLUME_PORTWORX, 36 },
	};

	for (int release = 15; release < 40; release++)
		for (size_t i = 0; i < LENGTH(rows); i++)
			t_int(in_tree_driver(rows[i].kind),
			    in_tree_migrated_in(release) >> rows[i].kind & 1,
			    release >= rows[i].from);
	t_int("others", in_tree_migrated_in(36) >> VOLUME_RBD & 1, 0);
}

static void
drivers_have_names_of_their_own(void)
{
	static const struct {
		struct in_tree volume;
		const char *handle;
	} rows[] = {
		{ { VOLUME_AWS_EBS, "vol-1", NULL, "" }, "vol-1" },
		{ { VOLUME_AWS_EBS, "disk", NULL, "" }, "disk" },
		{ { VOLUME_AWS_EBS, "aws://zone/vol-1", NULL, "" }, "vol-1" },
		{ { VOLUME_AWS_EBS, "aws:///vol-1/", NULL, "" }, "vol-1" },
		{ { VOLUME_AWS_EBS, "aws://zone/disk", NULL, "" }, "" },
		{ { VOLUME_AWS_EBS, "aws://zone/vol-1/x", NULL, "" }, "" },
		{ { VOLUME_AWS_EBS, "aws://zone", NULL, "" }, "" },
		{ { VOLUME_GCE_PD, "d", NULL, "" },
		    "projects/UNSPECIFIED/zones/UNSPECIFIED/disks/d" },
		{ { VOLUME_GCE_PD, "d", NULL, "e-w1-b" },
		    "projects/UNSPECIFIED/zones/e-w1-b/disks/d" },
		{ { VOLUME_GCE_PD, "d", NULL, "e-w1-b__e-w1-c" },
		    "projects/UNSPECIFIED/regions/e-w1/disks/d" },
		{ { VOLUME_GCE_PD, "d", NULL, "e-w1-b__e-w2-c" }, "" },
		{ { VOLUME_GCE_PD, "d", NULL, "e-w1-b__e-w11-c" }, "" },
		{ { VOLUME_GCE_PD, "d", NULL, "b__c" }, "" },
		{ { VOLUME_GCE_PD, "d", NULL, "e-w1-b-x__e-w1-b-x" }, "" },
		{ { VOLUME_AZURE_DISK, "/u", NULL, "" }, "/u" },
		{ { VOLUME_AZURE_DISK, "/u", "mAnaged", "" }, "/u" },
		{ { VOLUME_AZURE_DISK, "/u", "Shared", "" }, "" },
		{ { VOLUME_CINDER, "c", NULL, "" }, "c" },
		{ { VOLUME_PORTWORX, "p", NULL, "" }, "p" },
		{ { VOLUME_ISCSI, "i", NULL, "" }, "" },
	};
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].volume.id,
		    sym_text(in_tree_handle(&arena, &rows[i].volume)),
		    rows[i].handle);
	arena_fini(&arena);
}

T_MAIN(T(each_plugin_has_a_driver), T(plugins_are_migrated_one_by_one),
    T(drivers_have_names_of_their_own))
