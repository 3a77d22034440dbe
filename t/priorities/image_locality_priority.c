#include "config.h"

#include "t/priorities/rows.h"

#define IMAGE(name, mib) "{names: ['" name "'], sizeBytes: " mib "}"
#define HAS(name, images) W_NODE_STATUS(name, "", "", "images: [" images "]")
#define RUNS1(a) W_POD("p", "", "", "containers: [{name: a, image: '" a "'}]")
#define RUNS(a, b)                                                             \
	W_POD("p", "", "",                                                     \
	    "containers: [{name: a, image: '" a "'}, {name: b, image: '" b     \
	    "'}]")

/* 40, 300, 2000 MiB; 250, 10 MiB */
#define NODES                                                                  \
	HAS("n1",                                                              \
	    IMAGE("gcr.io/40:latest",                                          \
		"41943040") ", " IMAGE("gcr.io/300:latest",                    \
		"314572800") ", " IMAGE("gcr.io/2000:latest", "2097152000"))   \
	HAS("n2",                                                              \
	    IMAGE("gcr.io/250:latest",                                         \
		"262144000") ", " IMAGE("gcr.io/10:latest", "10485760"))

/* clang-format off */
static const struct row rows[] = {
	{ "half of 40 MiB is below the least, half of 250 counts", NODES,
	    RUNS("gcr.io/40", "gcr.io/250"), "n1=0 n2=1", "n1=0 n2=10" },
	{ "images add up", NODES,
	    RUNS("gcr.io/40", "gcr.io/300"), "n1=1 n2=0", "n1=15 n2=0" },
	{ "1000 MiB is the most", NODES,
	    RUNS("gcr.io/10", "gcr.io/2000"), "n1=10 n2=0", "n1=100 n2=0" },
	{ "no such images", NODES,
	    RUNS("gcr.io/1", "gcr.io/2"), "n1=0 n2=0", "n1=0 n2=0" },
	{ "no containers", NODES, NO_CONTAINERS, "n1=0 n2=0", "n1=0 n2=0" },
	{ "an image that two containers use counts twice", NODES,
	    RUNS("gcr.io/250", "gcr.io/250"), "n1=0 n2=2", "n1=0 n2=23" },
	{ "init containers do not count", NODES,
	    W_POD("p", "", "", "initContainers: "
		"[{name: i, image: 'gcr.io/2000'}], "
		"containers: [{name: a, image: 'gcr.io/250'}]"),
	    "n1=0 n2=1", "n1=0 n2=10" },
	{ "a tag that is there is kept", NODES,
	    RUNS1("gcr.io/2000:v1"), "n1=0 n2=0", "n1=0 n2=0" },
	{ "the colon of a port is no tag",
	    HAS("n1", IMAGE("gcr.io:5000/root:latest", "1048576000")),
	    RUNS1("gcr.io:5000/root"), "n1=10", "n1=100" },
	{ "a digest needs no tag",
	    HAS("n1", IMAGE("root@sha256:abc", "1048576000")),
	    RUNS1("root@sha256:abc"), "n1=10", "n1=100" },
	{ "an image on more nodes attracts more",
	    HAS("n1", IMAGE("a:latest", "524288000"))
	    HAS("n2", IMAGE("a:latest", "524288000"))
	    HAS("n3", IMAGE("b:latest", "524288000")), RUNS("a", "b"),
	    "n1=3 n2=3 n3=1", "n1=31 n2=31 n3=14" },
	{ "the size is the one recorded first",
	    HAS("n1", IMAGE("a:latest", "1048576000"))
	    HAS("n2", IMAGE("a:latest", "1")), RUNS1("a"),
	    "n1=10 n2=10", "n1=100 n2=100" },
};
/* clang-format on */

static void
nodes_with_big_images_win(void)
{
	check_rows(&priority_image_locality_priority, NULL, rows);
}

#define A500 IMAGE("a:latest", "524288000")
#define B500 IMAGE("b:latest", "524288000")
#define TWO HAS("n1", A500 ", " B500) HAS("n2", "")
#define INIT                                                                   \
	W_POD("p", "", "",                                                     \
	    "initContainers: [{name: i, image: b}], "                          \
	    "containers: [{name: a, image: a}]")
#define VOLUME                                                                 \
	W_POD("p", "", "",                                                     \
	    "volumes: [{name: v, image: {reference: b}}], "                    \
	    "containers: [{name: a, image: a}]")

/* clang-format off */
static const struct plugin_row of_20[] = {
	{ "half of 500 MiB of at most 1000", TWO, RUNS1("a"), "n1=23 n2=0" },
	{ "of at most 2000 for two containers", TWO, RUNS("a", "c"),
	    "n1=11 n2=0" },
	{ "init containers do not count", TWO, INIT, "n1=23 n2=0" },
	{ "nor do volumes", TWO, VOLUME, "n1=23 n2=0" },
};

static const struct plugin_row of_36[] = {
	{ "half of 500 MiB of at most 1000", TWO, RUNS1("a"), "n1=23 n2=0" },
	{ "init containers are containers", TWO, INIT, "n1=24 n2=0" },
	{ "volumes count, and do not raise the bound", TWO, VOLUME,
	    "n1=48 n2=0" },
	{ "no containers", TWO, NO_CONTAINERS, "n1=0 n2=0" },
};
/* clang-format on */

static void
profiles_have_a_bound_for_each_container(void)
{
	check_plugin_rows(20, &priority_image_locality_priority, NULL, of_20);
	check_plugin_rows(36, &priority_image_locality_priority, NULL, of_36);
}

T_MAIN(T(nodes_with_big_images_win),
    T(profiles_have_a_bound_for_each_container))
