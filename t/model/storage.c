/* PersistentVolumes, PersistentVolumeClaims, StorageClasses, CSINodes. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/xmalloc.h"
#include "objects/storage.h"
#include "t/lib/decode.h"
#include "t/lib/t.h"

#define META "\"metadata\":{\"name\":\"n\"}"
#define CLASS "volume.beta.kubernetes.io/storage-class"

static bool
selects(const struct selector *s, const char *key, const char *value)
{
	struct label label = { sym_intern(key), sym_intern(value) };

	return selector_matches(s, &(struct labels){ 1, &label });
}

static bool
reaches(const struct persistent_volume *pv, const char *zone)
{
	struct label label = { sym_intern("zone"), sym_intern(zone) };

	return node_selector_matches(&pv->node_affinity,
	    &(struct labels){ 1, &label }, SYM_NONE);
}

static void
every_field_of_a_volume(void)
{
	static const char text[] =
	    "{\"metadata\":{\"name\":\"pv\",\"labels\":{\"a\":\"b\"},"
	    "\"deletionTimestamp\":\"2019-08-01T00:00:38Z\"},"
	    "\"spec\":{\"capacity\":{\"storage\":\"1Gi\"},"
	    "\"accessModes\":[\"ReadWriteOnce\",\"ReadOnlyMany\"],"
	    "\"storageClassName\":\"fast\",\"volumeMode\":\"Block\","
	    "\"csi\":{\"driver\":\"d.example\",\"volumeHandle\":\"h1\"},"
	    "\"claimRef\":{\"namespace\":\"ns\",\"name\":\"c\","
	    "\"uid\":\"u-1\"},"
	    "\"nodeAffinity\":{\"required\":{\"nodeSelectorTerms\":["
	    "{\"matchExpressions\":[{\"key\":\"zone\",\"operator\":\"In\","
	    "\"values\":[\"z1\"]}]}]}}},"
	    "\"status\":{\"phase\":\"Available\"}}";
	struct persistent_volume *pv =
	    t_must_decode("volume", OBJECT_PERSISTENT_VOLUME, text);

	if (pv == NULL)
		return;
	t_str("name", pv->object.name, "pv");
	t_int("it is in no namespace", pv->object.namespace, SYM_EMPTY);
	t_true("deleting", pv->object.deleting);
	t_str("label", sym_text(labels_get(&pv->labels, sym_intern("a"))), "b");
	t_int("capacity", pv->capacity, 1073741824);
	t_int("access modes", pv->naccess_modes, 2);
	t_str("mode 0", sym_text(pv->access_modes[0]), "ReadWriteOnce");
	t_str("mode 1", sym_text(pv->access_modes[1]), "ReadOnlyMany");
	t_str("class", sym_text(pv->class), "fast");
	t_str("volume mode", sym_text(pv->volume_mode), "Block");
	t_int("kind", pv->kind, VOLUME_OTHER);
	t_int("id", pv->id, SYM_EMPTY);
	t_true("csi", pv->is_csi);
	t_str("driver", sym_text(pv->csi_driver), "d.example");
	t_str("handle", sym_text(pv->csi_handle), "h1");
	t_true("claim", pv->has_claim);
	t_str("claim namespace", sym_text(pv->claim_namespace), "ns");
	t_str("claim name", sym_text(pv->claim_name), "c");
	t_str("claim uid", pv->claim_uid, "u-1");
	t_true("available", pv->available);
	t_true("node affinity", pv->has_node_affinity);
	t_true("a node in its zone", reaches(pv, "z1"));
	t_true("a node elsewhere", !reaches(pv, "z2"));
	object_unref(&pv->object);
}

static void
a_volume_that_says_nothing(void)
{
	struct persistent_volume *pv =
	    t_must_decode("volume", OBJECT_PERSISTENT_VOLUME,
		"{" META ",\"spec\":{\"nfs\":{\"server\":\"s\"},"
		"\"nodeAffinity\":{},\"claimRef\":null}}");

	if (pv == NULL)
		return;
	t_int("kind", pv->kind, VOLUME_OTHER);
	t_true("csi", !pv->is_csi);
	t_int("class", pv->class, SYM_EMPTY);
	t_int("class of the spec", pv->spec_class, SYM_EMPTY);
	t_str("volume mode", sym_text(pv->volume_mode), "Filesystem");
	t_int("access modes", pv->naccess_modes, 0);
	t_int("capacity", pv->capacity, 0);
	t_true("available", !pv->available);
	t_true("claim", !pv->has_claim);
	t_str("claim uid", pv->claim_uid, "");
	t_true("node affinity", !pv->has_node_affinity);
	object_unref(&pv->object);
}

static void
required_node_affinity_without_terms_reaches_no_node(void)
{
	struct persistent_volume *pv =
	    t_must_decode("volume", OBJECT_PERSISTENT_VOLUME,
		"{" META ",\"spec\":{\"nodeAffinity\":{\"required\":{}}}}");

	if (pv == NULL)
		return;
	t_true("it is there", pv->has_node_affinity);
	t_true("no node", !reaches(pv, "z1"));
	object_unref(&pv->object);
}

static void
sources_of_volumes(void)
{
	static const struct {
		const char *spec;
		enum volume_kind kind;
		const char *id;
	} rows[] = {
		/* clang-format off */
		{ "{\"gcePersistentDisk\":{\"pdName\":\"x\"}}",
		  VOLUME_GCE_PD, "x" },
		{ "{\"awsElasticBlockStore\":{\"volumeID\":\"x\"}}",
		  VOLUME_AWS_EBS, "x" },
		{ "{\"azureDisk\":{\"diskName\":\"x\",\"diskURI\":\"y\"}}",
		  VOLUME_AZURE_DISK, "x" },
		{ "{\"cinder\":{\"volumeID\":\"x\"}}", VOLUME_CINDER, "x" },
		{ "{\"iscsi\":{\"iqn\":\"x\",\"lun\":1}}", VOLUME_ISCSI, "x" },
		{ "{\"rbd\":{\"image\":\"x\",\"monitors\":[]}}",
		  VOLUME_RBD, "x" },
		{ "{\"cinder\":{}}", VOLUME_CINDER, "" },
		{ "{\"cinder\":null}", VOLUME_OTHER, "" },
		{ "{\"local\":{\"path\":\"/x\"}}", VOLUME_OTHER, "" },
		{ "{\"csi\":{\"driver\":\"d\"}}", VOLUME_OTHER, "" },
		{ "{\"rbd\":{\"image\":\"y\"},"
		  "\"gcePersistentDisk\":{\"pdName\":\"x\"}}",
		  VOLUME_GCE_PD, "x" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[256];
		struct persistent_volume *pv;

		snprintf(text, sizeof(text), "{" META ",\"spec\":%s}",
		    rows[i].spec);
		pv = t_must_decode(text, OBJECT_PERSISTENT_VOLUME, text);
		if (pv == NULL)
			continue;
		t_int(text, pv->kind, rows[i].kind);
		t_str(text, sym_text(pv->id), rows[i].id);
		object_unref(&pv->object);
	}
}

static void
the_class_annotation_counts_before_the_field(void)
{
	static const struct {
		const char *name, *annotations, *spec;
		bool has_class, has_spec_class;
		const char *class, *spec_class;
	} rows[] = {
		/* clang-format off */
		{ "neither", "{}", "{}", false, false, "", "" },
		{ "null is neither", "null", "{\"storageClassName\":null}",
		  false, false, "", "" },
		{ "the field", "{}", "{\"storageClassName\":\"f\"}",
		  true, true, "f", "f" },
		{ "an empty field", "{}", "{\"storageClassName\":\"\"}",
		  true, true, "", "" },
		{ "the annotation", "{\"" CLASS "\":\"a\"}", "{}",
		  true, false, "a", "" },
		{ "both", "{\"" CLASS "\":\"a\"}",
		  "{\"storageClassName\":\"f\"}", true, true, "a", "f" },
		{ "an empty annotation is one", "{\"" CLASS "\":\"\"}",
		  "{\"storageClassName\":\"f\"}", true, true, "", "f" },
		{ "so is null", "{\"" CLASS "\":null}",
		  "{\"storageClassName\":\"f\"}", true, true, "", "f" },
		{ "the GA annotation means nothing",
		  "{\"volume.kubernetes.io/storage-class\":\"a\"}", "{}",
		  false, false, "", "" },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;
		char text[256];
		struct persistent_volume_claim *pvc;
		struct persistent_volume *pv;

		snprintf(text, sizeof(text),
		    "{\"metadata\":{\"name\":\"n\",\"annotations\":%s},"
		    "\"spec\":%s}",
		    rows[i].annotations, rows[i].spec);
		pvc = t_must_decode(name, OBJECT_PERSISTENT_VOLUME_CLAIM, text);
		pv = t_must_decode(name, OBJECT_PERSISTENT_VOLUME, text);
		if (pvc != NULL) {
			t_int(name, pvc->has_class, rows[i].has_class);
			t_int(name, pvc->has_spec_class,
			    rows[i].has_spec_class);
			t_str(name, sym_text(pvc->class), rows[i].class);
			t_str(name, sym_text(pvc->spec_class),
			    rows[i].spec_class);
			object_unref(&pvc->object);
		}
		if (pv != NULL) {
			t_str(name, sym_text(pv->class), rows[i].class);
			t_str(name, sym_text(pv->spec_class),
			    rows[i].spec_class);
			object_unref(&pv->object);
		}
	}
}

static void
every_field_of_a_claim(void)
{
	static const char text[] =
	    "{\"metadata\":{\"name\":\"c\",\"annotations\":{"
	    "\"pv.kubernetes.io/bind-completed\":\"no\","
	    "\"kosmos-io/cluster-owners\":\"m1\","
	    "\"volume.kubernetes.io/selected-node\":\"node-1\"}},"
	    "\"spec\":{\"volumeName\":\"pv\",\"volumeMode\":\"Block\","
	    "\"accessModes\":[\"ReadWriteMany\"],"
	    "\"resources\":{\"requests\":{\"storage\":\"1500M\"}},"
	    "\"selector\":{\"matchLabels\":{\"a\":\"b\"}}}}";
	struct persistent_volume_claim *pvc =
	    t_must_decode("claim", OBJECT_PERSISTENT_VOLUME_CLAIM, text);

	if (pvc == NULL)
		return;
	t_str("name", pvc->object.name, "c");
	t_str("namespace", sym_text(pvc->object.namespace), "default");
	t_str("volume", sym_text(pvc->volume_name), "pv");
	t_true("bound, whatever the value", pvc->bind_completed);
	t_true("node selected", pvc->has_selected_node);
	t_str("node", sym_text(pvc->selected_node), "node-1");
	t_str("member cluster", sym_text(pvc->cluster_owner), "m1");
	t_str("volume mode", sym_text(pvc->volume_mode), "Block");
	t_int("access modes", pvc->naccess_modes, 1);
	t_str("mode", sym_text(pvc->access_modes[0]), "ReadWriteMany");
	t_int("request", pvc->request, 1500000000);
	t_true("selector", pvc->has_selector);
	t_true("selects", selects(&pvc->selector, "a", "b"));
	t_true("does not select", !selects(&pvc->selector, "a", "c"));
	object_unref(&pvc->object);
}

static void
a_claim_that_says_nothing(void)
{
	struct persistent_volume_claim *pvc = t_must_decode("claim",
	    OBJECT_PERSISTENT_VOLUME_CLAIM, "{" META "}");

	if (pvc == NULL)
		return;
	t_int("volume", pvc->volume_name, SYM_EMPTY);
	t_true("not bound", !pvc->bind_completed);
	t_true("no node", !pvc->has_selected_node);
	t_int("node", pvc->selected_node, SYM_EMPTY);
	t_str("volume mode", sym_text(pvc->volume_mode), "Filesystem");
	t_int("access modes", pvc->naccess_modes, 0);
	t_int("request", pvc->request, 0);
	t_true("selector", !pvc->has_selector);
	object_unref(&pvc->object);
}

static void
annotations_count_by_being_there(void)
{
	struct persistent_volume_claim *pvc =
	    t_must_decode("claim", OBJECT_PERSISTENT_VOLUME_CLAIM,
		"{\"metadata\":{\"name\":\"c\",\"annotations\":{"
		"\"pv.kubernetes.io/bind-completed\":\"\","
		"\"volume.kubernetes.io/selected-node\":\"\"}}}");

	if (pvc == NULL)
		return;
	t_true("bound", pvc->bind_completed);
	t_true("node selected", pvc->has_selected_node);
	t_int("node", pvc->selected_node, SYM_EMPTY);
	object_unref(&pvc->object);
}

static void
an_invalid_selector_of_a_claim_is_kept(void)
{
	struct persistent_volume_claim *pvc =
	    t_must_decode("claim", OBJECT_PERSISTENT_VOLUME_CLAIM,
		"{" META ",\"spec\":{\"selector\":{\"matchExpressions\":["
		"{\"key\":\"a\",\"operator\":\"Gt\",\"values\":[\"1\"]}]}}}");

	if (pvc == NULL)
		return;
	t_true("selector", pvc->has_selector);
	t_true("error", pvc->selector.error != NULL);
	object_unref(&pvc->object);
}

static void
bytes(void)
{
	static const struct {
		const char *text;
		int64_t want;
	} rows[] = {
		{ "\"1Gi\"", 1073741824 },
		{ "\"1e9\"", 1000000000 },
		{ "1024", 1024 },
		{ "\"1500m\"", 2 },
		{ "\"0\"", 0 },
		{ "null", 0 },
		{ "\"-1Ki\"", -1024 },
		{ "\"9223372036854775807\"", INT64_MAX },
		{ "\"9223372036854775808\"", INT64_MAX },
		{ "\"16Ei\"", INT64_MAX },
		{ "\"1e300\"", INT64_MAX },
		{ "\"-1e300\"", INT64_MIN },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[256];
		struct persistent_volume *pv;
		struct persistent_volume_claim *pvc;

		snprintf(text, sizeof(text),
		    "{" META ",\"spec\":{\"capacity\":{\"storage\":%s},"
		    "\"resources\":{\"requests\":{\"storage\":%s}}}}",
		    rows[i].text, rows[i].text);
		pv = t_must_decode(text, OBJECT_PERSISTENT_VOLUME, text);
		pvc = t_must_decode(text, OBJECT_PERSISTENT_VOLUME_CLAIM, text);
		if (pv != NULL) {
			t_int(text, pv->capacity, rows[i].want);
			object_unref(&pv->object);
		}
		if (pvc != NULL) {
			t_int(text, pvc->request, rows[i].want);
			object_unref(&pvc->object);
		}
	}
}

static void
storage_classes(void)
{
	static const struct {
		const char *name, *text;
		const char *provisioner;
		bool has_mode, waits;
	} rows[] = {
		/* clang-format off */
		{ "nothing said", "{" META "}", "", false, false },
		{ "null", "{" META ",\"volumeBindingMode\":null}",
		  "", false, false },
		{ "WaitForFirstConsumer",
		  "{" META ",\"provisioner\":\"p\","
		  "\"volumeBindingMode\":\"WaitForFirstConsumer\"}",
		  "p", true, true },
		{ "Immediate", "{" META ",\"volumeBindingMode\":\"Immediate\"}",
		  "", true, false },
		{ "an unknown mode is one", "{" META
		  ",\"volumeBindingMode\":\"\"}", "", true, false },
		{ "its fields are not under spec",
		  "{" META ",\"spec\":{\"provisioner\":\"p\","
		  "\"volumeBindingMode\":\"WaitForFirstConsumer\"}}",
		  "", false, false },
		/* clang-format on */
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *name = rows[i].name;
		struct storage_class *sc =
		    t_must_decode(name, OBJECT_STORAGE_CLASS, rows[i].text);

		if (sc == NULL)
			continue;
		t_str(name, sym_text(sc->provisioner), rows[i].provisioner);
		t_int(name, sc->has_binding_mode, rows[i].has_mode);
		t_int(name, sc->waits_for_consumer, rows[i].waits);
		t_int(name, sc->ntopologies, 0);
		object_unref(&sc->object);
	}
}

static void
allowed_topologies(void)
{
	static const char text[] =
	    "{" META ",\"allowedTopologies\":["
	    "{\"matchLabelExpressions\":["
	    "{\"key\":\"zone\",\"values\":[\"z1\",\"z2\"]},"
	    "{\"key\":\"rack\",\"values\":[\"a\"]}]},"
	    "{\"matchLabelExpressions\":[]},"
	    "{},"
	    "null,"
	    "{\"matchLabelExpressions\":[{\"key\":\"zone\",\"values\":[]}]},"
	    /* The first expression is good, but the second spoils the term. */
	    "{\"matchLabelExpressions\":["
	    "{\"key\":\"zone\",\"values\":[\"z1\"]},"
	    "{\"key\":\"-/-\",\"values\":[\"x\"]}]},"
	    "{\"matchLabelExpressions\":[{\"key\":\"zone\","
	    "\"values\":[\"z3\"]}]}]}";
	static const uint32_t want[] = { 2, 0, 0, 0, 0, 0, 1 };
	struct storage_class *sc =
	    t_must_decode("class", OBJECT_STORAGE_CLASS, text);
	struct label label = { sym_intern("zone"), sym_intern("z2") };
	struct labels z2 = { 1, &label };

	if (sc == NULL)
		return;
	t_int("terms", sc->ntopologies, LENGTH(want));
	for (size_t i = 0; i < sc->ntopologies && i < LENGTH(want); i++)
		t_int("expressions", sc->topologies[i].n, want[i]);
	t_true("one of the values",
	    requirement_matches(&sc->topologies[0].at[0], &z2));
	t_true("all expressions must hold",
	    !requirement_matches(&sc->topologies[0].at[1], &z2));
	t_true("another term",
	    !requirement_matches(&sc->topologies[6].at[0], &z2));
	object_unref(&sc->object);
}

static void
drivers_of_a_node(void)
{
	struct csi_node *node = t_must_decode("node", OBJECT_CSI_NODE,
	    "{" META ",\"spec\":{\"drivers\":["
	    "{\"name\":\"a\",\"nodeID\":\"i\",\"topologyKeys\":null,"
	    "\"allocatable\":{\"count\":25}},"
	    "{\"name\":\"b\",\"allocatable\":{}},"
	    "{\"name\":\"c\",\"allocatable\":{\"count\":null}},"
	    "{\"name\":\"d\"},"
	    "{\"name\":\"e\",\"allocatable\":{\"count\":0}},"
	    "null]}}");
	static const struct {
		const char *name;
		bool has_count;
		int64_t count;
	} want[] = { { "a", true, 25 }, { "b", false, 0 }, { "c", false, 0 },
		{ "d", false, 0 }, { "e", true, 0 }, { "", false, 0 } };

	if (node == NULL)
		return;
	t_int("drivers", node->ndrivers, LENGTH(want));
	for (size_t i = 0; i < node->ndrivers && i < LENGTH(want); i++) {
		const struct csi_driver_limit *d = &node->drivers[i];

		t_str(want[i].name, sym_text(d->driver), want[i].name);
		t_int(want[i].name, d->has_count, want[i].has_count);
		t_int(want[i].name, d->count, want[i].count);
	}
	object_unref(&node->object);

	node = t_must_decode("no spec", OBJECT_CSI_NODE, "{" META "}");
	if (node == NULL)
		return;
	t_int("no drivers", node->ndrivers, 0);
	object_unref(&node->object);
}

#define PV OBJECT_PERSISTENT_VOLUME
#define PVC OBJECT_PERSISTENT_VOLUME_CLAIM
#define SC OBJECT_STORAGE_CLASS
#define CSI OBJECT_CSI_NODE
#define ANNOTATED "{\"metadata\":{\"name\":\"n\",\"annotations\":"

static const struct t_field fields[] = {
	/* clang-format off */
	{ PV, "{\"metadata\":{\"name\":\"n\",\"labels\":", "}}",
	  "metadata.labels", "an object" },
	{ PV, "{\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":", "}}}",
	  "metadata.labels.a", "a string" },
	{ PV, ANNOTATED, "}}", "metadata.annotations", "an object" },
	{ PV, ANNOTATED "{\"" CLASS "\":", "}}}",
	  "metadata.annotations." CLASS, "a string" },
	{ PV, "{" META ",\"spec\":", "}", "spec", "an object" },
	{ PV, "{" META ",\"status\":", "}", "status", "an object" },
	{ PV, "{" META ",\"status\":{\"phase\":", "}}",
	  "status.phase", "a string" },
	{ PV, "{" META ",\"spec\":{\"storageClassName\":", "}}",
	  "spec.storageClassName", "a string" },
	{ PV, "{" META ",\"spec\":{\"volumeMode\":", "}}",
	  "spec.volumeMode", "a string" },
	{ PV, "{" META ",\"spec\":{\"accessModes\":", "}}",
	  "spec.accessModes", "an array" },
	{ PV, "{" META ",\"spec\":{\"accessModes\":[\"a\",", "]}}",
	  "spec.accessModes[]", "a string" },
	{ PV, "{" META ",\"spec\":{\"capacity\":", "}}",
	  "spec.capacity", "an object" },
	{ PV, "{" META ",\"spec\":{\"capacity\":{\"storage\":", "}}}",
	  "spec.capacity.storage", "a string or a number" },
	{ PV, "{" META ",\"spec\":{\"gcePersistentDisk\":", "}}",
	  "spec.gcePersistentDisk", "an object" },
	{ PV, "{" META ",\"spec\":{\"gcePersistentDisk\":{\"pdName\":", "}}}",
	  "spec.gcePersistentDisk.pdName", "a string" },
	{ PV, "{" META ",\"spec\":{\"awsElasticBlockStore\":", "}}",
	  "spec.awsElasticBlockStore", "an object" },
	{ PV, "{" META ",\"spec\":{\"awsElasticBlockStore\":{\"volumeID\":",
	  "}}}", "spec.awsElasticBlockStore.volumeID", "a string" },
	{ PV, "{" META ",\"spec\":{\"azureDisk\":", "}}",
	  "spec.azureDisk", "an object" },
	{ PV, "{" META ",\"spec\":{\"azureDisk\":{\"diskName\":", "}}}",
	  "spec.azureDisk.diskName", "a string" },
	{ PV, "{" META ",\"spec\":{\"cinder\":", "}}",
	  "spec.cinder", "an object" },
	{ PV, "{" META ",\"spec\":{\"cinder\":{\"volumeID\":", "}}}",
	  "spec.cinder.volumeID", "a string" },
	{ PV, "{" META ",\"spec\":{\"iscsi\":", "}}",
	  "spec.iscsi", "an object" },
	{ PV, "{" META ",\"spec\":{\"iscsi\":{\"iqn\":", "}}}",
	  "spec.iscsi.iqn", "a string" },
	{ PV, "{" META ",\"spec\":{\"rbd\":", "}}", "spec.rbd", "an object" },
	{ PV, "{" META ",\"spec\":{\"rbd\":{\"image\":", "}}}",
	  "spec.rbd.image", "a string" },
	{ PV, "{" META ",\"spec\":{\"csi\":", "}}", "spec.csi", "an object" },
	{ PV, "{" META ",\"spec\":{\"csi\":{\"driver\":", "}}}",
	  "spec.csi.driver", "a string" },
	{ PV, "{" META ",\"spec\":{\"csi\":{\"volumeHandle\":", "}}}",
	  "spec.csi.volumeHandle", "a string" },
	{ PV, "{" META ",\"spec\":{\"claimRef\":", "}}",
	  "spec.claimRef", "an object" },
	{ PV, "{" META ",\"spec\":{\"claimRef\":{\"namespace\":", "}}}",
	  "spec.claimRef.namespace", "a string" },
	{ PV, "{" META ",\"spec\":{\"claimRef\":{\"name\":", "}}}",
	  "spec.claimRef.name", "a string" },
	{ PV, "{" META ",\"spec\":{\"claimRef\":{\"uid\":", "}}}",
	  "spec.claimRef.uid", "a string" },
	{ PV, "{" META ",\"spec\":{\"nodeAffinity\":", "}}",
	  "spec.nodeAffinity", "an object" },
	{ PV, "{" META ",\"spec\":{\"nodeAffinity\":{\"required\":", "}}}",
	  "spec.nodeAffinity.required", "an object" },
	{ PV, "{" META ",\"spec\":{\"nodeAffinity\":{\"required\":"
	  "{\"nodeSelectorTerms\":", "}}}}",
	  "spec.nodeAffinity.required.nodeSelectorTerms", "an array" },
	{ PV, "{" META ",\"spec\":{\"nodeAffinity\":{\"required\":"
	  "{\"nodeSelectorTerms\":[", "]}}}}",
	  "spec.nodeAffinity.required.nodeSelectorTerms[]", "an object" },

	{ PVC, ANNOTATED "{\"" CLASS "\":", "}}}",
	  "metadata.annotations." CLASS, "a string" },
	{ PVC, ANNOTATED "{\"pv.kubernetes.io/bind-completed\":", "}}}",
	  "metadata.annotations.pv.kubernetes.io/bind-completed", "a string" },
	{ PVC, ANNOTATED "{\"volume.kubernetes.io/selected-node\":", "}}}",
	  "metadata.annotations.volume.kubernetes.io/selected-node",
	  "a string" },
	{ PVC, ANNOTATED "{\"kosmos-io/cluster-owners\":", "}}}",
	  "metadata.annotations.kosmos-io/cluster-owners", "a string" },
	{ PVC, "{" META ",\"spec\":", "}", "spec", "an object" },
	{ PVC, "{" META ",\"spec\":{\"volumeName\":", "}}",
	  "spec.volumeName", "a string" },
	{ PVC, "{" META ",\"spec\":{\"storageClassName\":", "}}",
	  "spec.storageClassName", "a string" },
	{ PVC, "{" META ",\"spec\":{\"volumeMode\":", "}}",
	  "spec.volumeMode", "a string" },
	{ PVC, "{" META ",\"spec\":{\"accessModes\":", "}}",
	  "spec.accessModes", "an array" },
	{ PVC, "{" META ",\"spec\":{\"accessModes\":[", "]}}",
	  "spec.accessModes[]", "a string" },
	{ PVC, "{" META ",\"spec\":{\"resources\":", "}}",
	  "spec.resources", "an object" },
	{ PVC, "{" META ",\"spec\":{\"resources\":{\"requests\":", "}}}",
	  "spec.resources.requests", "an object" },
	{ PVC, "{" META ",\"spec\":{\"resources\":{\"requests\":"
	  "{\"storage\":", "}}}}",
	  "spec.resources.requests.storage", "a string or a number" },
	{ PVC, "{" META ",\"spec\":{\"selector\":", "}}",
	  "spec.selector", "an object" },
	{ PVC, "{" META ",\"spec\":{\"selector\":{\"matchLabels\":", "}}}",
	  "spec.selector.matchLabels", "an object" },

	{ SC, "{" META ",\"provisioner\":", "}", "provisioner", "a string" },
	{ SC, "{" META ",\"volumeBindingMode\":", "}",
	  "volumeBindingMode", "a string" },
	{ SC, "{" META ",\"allowedTopologies\":", "}",
	  "allowedTopologies", "an array" },
	{ SC, "{" META ",\"allowedTopologies\":[{},", "]}",
	  "allowedTopologies[]", "an object" },
	{ SC, "{" META ",\"allowedTopologies\":[{\"matchLabelExpressions\":",
	  "}]}", "allowedTopologies[].matchLabelExpressions", "an array" },
	{ SC, "{" META ",\"allowedTopologies\":[{\"matchLabelExpressions\":[",
	  "]}]}", "allowedTopologies[].matchLabelExpressions[]",
	  "an object" },
	{ SC, "{" META ",\"allowedTopologies\":[{\"matchLabelExpressions\":["
	  "{\"key\":", "}]}]}",
	  "allowedTopologies[].matchLabelExpressions[].key", "a string" },
	{ SC, "{" META ",\"allowedTopologies\":[{\"matchLabelExpressions\":["
	  "{\"key\":\"a\",\"values\":", "}]}]}",
	  "allowedTopologies[].matchLabelExpressions[].values", "an array" },

	{ CSI, "{" META ",\"spec\":", "}", "spec", "an object" },
	{ CSI, "{" META ",\"spec\":{\"drivers\":", "}}",
	  "spec.drivers", "an array" },
	{ CSI, "{" META ",\"spec\":{\"drivers\":[", "]}}",
	  "spec.drivers[]", "an object" },
	{ CSI, "{" META ",\"spec\":{\"drivers\":[{\"name\":", "}]}}",
	  "spec.drivers[].name", "a string" },
	{ CSI, "{" META ",\"spec\":{\"drivers\":[{\"allocatable\":", "}]}}",
	  "spec.drivers[].allocatable", "an object" },
	{ CSI, "{" META ",\"spec\":{\"drivers\":[{\"allocatable\":{\"count\":",
	  "}}]}}", "spec.drivers[].allocatable.count", "a number" },
	/* clang-format on */
};

static void
wrong_types_are_errors_with_position_and_path(void)
{
	t_fields(LENGTH(fields), fields);
}

static void
wrong_values_are_errors_too(void)
{
	static const struct t_refusal rows[] = {
		{ PV, "{" META ",\"spec\":{\"capacity\":{\"storage\":\"x\"}}}",
		    "storage" },
		{ PVC,
		    "{" META ",\"spec\":{\"resources\":{\"requests\":"
		    "{\"storage\":\"1GB\"}}}}",
		    "storage" },
		{ CSI,
		    "{" META ",\"spec\":{\"drivers\":[{\"allocatable\":"
		    "{\"count\":2147483648}}]}}",
		    "spec.drivers[].allocatable.count must be between" },
		{ CSI,
		    "{" META ",\"spec\":{\"drivers\":[{\"allocatable\":"
		    "{\"count\":0.5}}]}}",
		    "spec.drivers[].allocatable.count must be a whole" },
	};

	t_refusals(LENGTH(rows), rows);
}

static void
what_is_no_object_is_refused(void)
{
	static const enum object_kind kinds[] = { PV, PVC, SC, CSI };

	t_no_objects(LENGTH(kinds), kinds);
}

T_MAIN(T(every_field_of_a_volume), T(a_volume_that_says_nothing),
    T(required_node_affinity_without_terms_reaches_no_node),
    T(sources_of_volumes), T(the_class_annotation_counts_before_the_field),
    T(every_field_of_a_claim), T(a_claim_that_says_nothing),
    T(annotations_count_by_being_there),
    T(an_invalid_selector_of_a_claim_is_kept), T(bytes), T(storage_classes),
    T(allowed_topologies), T(drivers_of_a_node),
    T(wrong_types_are_errors_with_position_and_path),
    T(wrong_values_are_errors_too), T(what_is_no_object_is_refused))
