/*
 * MaxEBSVolumeCount, MaxGCEPDVolumeCount, MaxAzureDiskVolumeCount and
 * MaxCinderVolumeCount: one rule about four kinds of volumes, so every row is
 * checked for every kind.
 */
#include "config.h"

#include <string.h>

#include "base/arena.h"
#include "base/xmalloc.h"
#include "predicates/registry.h"
#include "t/predicates/volumes.h"

enum { AWS_EBS, GCE_PD, AZURE_DISK, CINDER_VOLUME, NKINDS };

static const struct kind {
	const char *name;
	const struct predicate *unit;
	const char *source; /* of a volume, up to its id */
	const char *limit;  /* the name of the resource in allocatable */
	const char *volume; /* of a pod, one of the kind */
	int usual;          /* the limit of a node that states none */
} kinds[NKINDS] = {
	/* clang-format off */
	[AWS_EBS] = { "EBS", &predicate_max_ebs_volume_count,
	    "awsElasticBlockStore: {volumeID", "attachable-volumes-aws-ebs",
	    EBS("a"), 39 },
	[GCE_PD] = { "GCE PD", &predicate_max_gce_pd_volume_count,
	    "gcePersistentDisk: {pdName", "attachable-volumes-gce-pd",
	    GCE("a"), 16 },
	[AZURE_DISK] = { "Azure disk", &predicate_max_azure_disk_volume_count,
	    "azureDisk: {diskName", "attachable-volumes-azure-disk",
	    AZURE("a"), 16 },
	[CINDER_VOLUME] = { "Cinder", &predicate_max_cinder_volume_count,
	    "cinder: {volumeID", "attachable-volumes-cinder",
	    CINDER("a"), 256 },
	/* clang-format on */
};

/*
 * Rows are written with these letters, which expand() replaces by a kind's
 * texts: @ source, # limit, ? another kind's limit, ! a volume of each other
 * kind.
 */
#define NODE(limit) W_NODE_STATUS("n1", "", "", "allocatable: {#: " limit "}")
#define OWN(id) "{name: v, @: " id "}},"
#define OWN_VOLUME(name, id) VOLUME(name, "@: " id "}")
#define OTHERS "!"

static const char *
expand(struct arena *arena, const struct kind *kind, const char *text)
{
	const struct kind *next = &kinds[(kind - kinds + 1) % NKINDS];
	const char *out = "", *others = "";

	for (size_t i = 0; i < NKINDS; i++)
		if (&kinds[i] != kind)
			others = arena_printf(arena, "%s%s", others,
			    kinds[i].volume);
	while (text[0] != '\0') {
		size_t plain = strcspn(text, "@#?!");
		const char *value = text[plain] == '@' ? kind->source :
		    text[plain] == '#'                 ? kind->limit :
		    text[plain] == '?'                 ? next->limit :
		    text[plain] == '!'                 ? others :
							 "";

		out = arena_printf(arena, "%s%.*s%s", out, (int)plain, text,
		    value);
		text += plain + (text[plain] != '\0');
	}
	return out;
}

static void
check_rows(size_t n, const struct world_row *rows)
{
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < n * NKINDS; i++) {
		const struct kind *kind = &kinds[i % NKINDS];
		struct world_row row = rows[i / NKINDS];

		row.name = arena_printf(&arena, "%s: %s", kind->name, row.name);
		row.objects = expand(&arena, kind, row.objects);
		row.pod = expand(&arena, kind, row.pod);
		t_predicate_(__FILE__, __LINE__, kind->unit, NULL, 1, &row);
	}
	arena_fini(&arena);
}

static void
no_more_volumes_than_the_limit(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "no volumes, even on a node with too many",
		    NODE("0") THERE("q", OWN("a")), POD(""), FITS, "", NULL },
		{ "volumes of other kinds do not count", NODE("0"),
		    POD(OTHERS SECRET), FITS, "", NULL },
		{ "nor do those on the node",
		    NODE("1") THERE("q", OTHERS), POD(OWN("b")), FITS, "",
		    NULL },
		{ "nor does another kind's limit",
		    W_NODE_STATUS("n1", "", "", "allocatable: {?: 0}"),
		    POD(OWN("b")), FITS, "", NULL },
		{ "up to the limit", NODE("2") THERE("q", OWN("a")),
		    POD(OWN("b")), FITS, "", NULL },
		{ "at the limit", NODE("1") THERE("q", OWN("a")),
		    POD(OWN("b")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 1" },
		{ "one more", NODE("2") THERE("q", OWN("a")),
		    POD(OWN("b") OWN("c")), UNFIT, MAX_VOLUMES,
		    "1 volume over the limit of 2" },
		{ "a volume that is there already",
		    NODE("1") THERE("q", OWN("a")), POD(OWN("a")), FITS, "",
		    NULL },
		{ "twice in the pod is once", NODE("1"),
		    POD(OWN("a") OWN("a")), FITS, "", NULL },
		{ "in two pods there is once",
		    NODE("2") THERE("q", OWN("a")) THERE("r", OWN("a")),
		    POD(OWN("b")), FITS, "", NULL },
		{ "too many there and nothing new is refused, too",
		    NODE("1") THERE("q", OWN("a") OWN("b")), POD(OWN("a")),
		    UNFIT, MAX_VOLUMES, "1 volume over the limit of 1" },
		{ "volumes on other nodes do not count",
		    NODE("1") W_NODE("n2", "", "")
			W_POD("q", "", "n2", VOLUMES(OWN("a"))),
		    POD(OWN("b")), FITS, "", NULL },
		{ "a negative limit", NODE("-1"), POD(OWN("a")), UNFIT,
		    MAX_VOLUMES, "2 volumes over the limit of -1" },
	};
	/* clang-format on */

	check_rows(LENGTH(rows), rows);
}

static void
claims_count_as_their_volume(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "of the kind", NODE("0") CLAIM("c", "v")
			OWN_VOLUME("v", "a"), POD(USE("c")), UNFIT,
		    MAX_VOLUMES, "1 volume over the limit of 0" },
		{ "of another kind", NODE("0") CLAIM("c", "v")
			VOLUME("v", "nfs: {server: s}"),
		    POD(USE("c")), FITS, "", NULL },
		{ "the same volume written into a pod",
		    NODE("1") CLAIM("c", "v") OWN_VOLUME("v", "a")
			THERE("q", OWN("a")), POD(USE("c")), FITS, "", NULL },
		{ "a missing claim might be of the kind", NODE("0"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "so might an unbound one", NODE("0") CLAIM("c", ""),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "and one whose volume is missing", NODE("0") CLAIM("c", "v"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "one such claim counts once", NODE("1")
			THERE("q", USE("c")) THERE("r", USE("c")),
		    POD(USE("c")), FITS, "", NULL },
		{ "claims of other namespaces are others", NODE("1")
			W_POD_IN("other", "q", "", "n1",
			    VOLUMES(USE("c")), ""),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "a claim without name matters to pods with volumes of the"
		    " kind alone", NODE("9") THERE("q", USE("")), POD(OTHERS),
		    FITS, "", NULL },
	};
	/* clang-format on */

	check_rows(LENGTH(rows), rows);
}

static void
a_volume_of_each_other_kind_counts_for_its_own_limit(void)
{
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < NKINDS * NKINDS; i++) {
		const struct kind *kind = &kinds[i / NKINDS];
		const struct kind *of = &kinds[i % NKINDS];
		struct world_row row = {
			.name = arena_printf(&arena,
			    "%s, bound to a volume"
			    " of %s",
			    kind->name, of->name),
			.objects = arena_printf(&arena, "%s%s",
			    expand(&arena, kind, NODE("0") CLAIM("c", "v")),
			    expand(&arena, of, OWN_VOLUME("v", "a"))),
			.pod = POD(USE("c")),
			.verdict = kind == of ? UNFIT : FITS,
			.why = kind == of ? MAX_VOLUMES : "",
		};

		t_predicate_(__FILE__, __LINE__, kind->unit, NULL, 1, &row);
	}
	arena_fini(&arena);
}

static void
a_claim_without_name_is_an_error(void)
{
	/* clang-format off */
	static const struct broken_row rows[] = {
		{ "of the pod", NODE("9"), POD(OWN("a") USE("")), NAMELESS },
		{ "of a pod there", NODE("9") THERE("q", USE("")),
		    POD(OWN("a")), NAMELESS },
	};
	/* clang-format on */
	struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < LENGTH(rows) * NKINDS; i++) {
		const struct kind *kind = &kinds[i % NKINDS];
		struct broken_row row = rows[i / NKINDS];

		row.name = arena_printf(&arena, "%s: %s", kind->name, row.name);
		row.objects = expand(&arena, kind, row.objects);
		row.pod = expand(&arena, kind, row.pod);
		t_broken_(15, 0, kind->unit, 1, &row);
	}
	arena_fini(&arena);
}

/* Exactly `want` volumes fit on a node that states no limit itself. */
static void
check_usual_limit(const struct kind *kind, const char *type, int want)
{
	struct arena arena = ARENA_INIT;
	const char *name = arena_printf(&arena, "%s on '%s'", kind->name, type);
	struct world *world = world_new(arena_printf(&arena,
	    W_NODE("n1", "beta.kubernetes.io/instance-type: '%s'", ""), type));
	const char *volumes = "";
	struct outcome o;

	for (int i = 0; i < want; i++)
		volumes = arena_printf(&arena, "%s{name: v, %s: v%d}},",
		    volumes, kind->source, i);
	world_pod(world, arena_printf(&arena, POD("%s"), volumes));
	o = world_check(world, kind->unit, NULL, "n1");
	t_int(name, o.verdict, FITS);
	world_pod(world,
	    arena_printf(&arena, POD("%s{name: v, %s: more}},"), volumes,
		kind->source));
	o = world_check(world, kind->unit, NULL, "n1");
	t_int(name, o.verdict, UNFIT);
	t_str(name, o.miss,
	    arena_printf(&arena, "1 volume over the limit of %d", want));
	world_free(world);
	arena_fini(&arena);
}

static void
a_node_without_a_limit_has_the_usual_one(void)
{
	/* EBS: Nitro instances take fewer */
	static const struct {
		const char *type;
		int ebs;
	} rows[] = {
		{ "", 39 },
		{ "m4.large", 39 },
		{ "m5.large", 25 },
		{ "c5d.large", 25 },
		{ "r5.large", 25 },
		{ "t2.large", 39 },
		{ "t3.large", 25 },
		{ "z1d.large", 25 },
		{ "x1.m5", 39 },
		{ "at3", 25 },
		{ "a-z1d", 25 },
		{ "m", 39 },
		{ "i3.large", 39 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		check_usual_limit(&kinds[AWS_EBS], rows[i].type, rows[i].ebs);
	for (size_t i = 0; i < NKINDS; i++)
		check_usual_limit(&kinds[i], "", kinds[i].usual);
	check_usual_limit(&kinds[GCE_PD], "m5.large", kinds[GCE_PD].usual);
}

static void
without_the_gate_allocatable_does_not_count(void)
{
	for (size_t i = 0; i < NKINDS; i++) {
		struct arena arena = ARENA_INIT;
		struct world *world =
		    world_new(expand(&arena, &kinds[i], NODE("0")));

		world->profile->gates.attach_volume_limit = false;
		world_pod(world, expand(&arena, &kinds[i], POD(OWN("a"))));
		t_int(kinds[i].name,
		    world_check(world, kinds[i].unit, NULL, "n1").verdict,
		    FITS);
		world_free(world);
		arena_fini(&arena);
	}
}

static void
in_a_profile_of_1_20_the_provisioner_counts(void)
{
	/* clang-format off */
	static const struct world_row rows[] = {
		{ "a missing claim does not count",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}"),
		    POD(USE("c")), FITS, "", NULL },
		{ "nor one without class",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}")
			CLAIM("c", ""), POD(USE("c")), FITS, "", NULL },
		{ "nor one of another provisioner",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}")
			CLASS("k", "provisioner: kubernetes.io/gce-pd")
			CLAIM_OF("c", "", "storageClassName: k"),
		    POD(USE("c")), FITS, "", NULL },
		{ "one of this provisioner does",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}")
			CLASS("k", "provisioner: kubernetes.io/aws-ebs")
			CLAIM_OF("c", "", "storageClassName: k"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
		{ "also if its volume is missing",
		    W_NODE_STATUS("n1", "", "",
			"allocatable: {attachable-volumes-aws-ebs: 0}")
			CLASS("k", "provisioner: kubernetes.io/aws-ebs")
			CLAIM_OF("c", "", "storageClassName: k, "
			    "volumeName: gone"),
		    POD(USE("c")), UNFIT, MAX_VOLUMES, NULL },
	};
	/* clang-format on */

	t_predicate_of(20, &predicate_max_ebs_volume_count, NULL, rows);
	/* and under a policy in such a cluster */
	t_predicate_in(16, &predicate_max_ebs_volume_count, NULL, rows);
}

T_MAIN(T(no_more_volumes_than_the_limit), T(claims_count_as_their_volume),
    T(a_volume_of_each_other_kind_counts_for_its_own_limit),
    T(a_claim_without_name_is_an_error),
    T(a_node_without_a_limit_has_the_usual_one),
    T(without_the_gate_allocatable_does_not_count),
    T(in_a_profile_of_1_20_the_provisioner_counts))
