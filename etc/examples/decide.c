/*
 * Where a pod of a dump goes, and the whole explanation in JSON:
 *
 *	cc decide.c $(pkg-config --cflags --libs predicated) -o decide
 *	./decide cluster.yaml shop forecast policy.cfg
 *
 * Instead of a policy, it may be a KubeSchedulerConfiguration.
 */
#include <predicated.h>
#include <stdio.h>
#include <stdlib.h>

/* The length of the file, of which text gets 16 MiB. */
static size_t
read_file(const char *path, char *text)
{
	FILE *in = fopen(path, "r");
	size_t len;

	if (in == NULL) {
		perror(path);
		exit(2);
	}
	len = fread(text, 1, 1 << 24, in);
	fclose(in);
	return len;
}

int
main(int argc, char **argv)
{
	struct predicated *p = predicated_new("1.29");
	struct predicated_decision d;
	char *text = malloc(1 << 24), *json;

	if (p == NULL || text == NULL || argc != 5) {
		fprintf(stderr, "usage: decide DUMP NAMESPACE POD RULES\n");
		return 2;
	}
	if (predicated_rules(p, argv[4], text, read_file(argv[4], text)) != 0 ||
	    predicated_put(p, argv[1], text, read_file(argv[1], text)) < 0 ||
	    predicated_decide(p, argv[2], argv[3], 0, &d) != 0) {
		fprintf(stderr, "%s\n", predicated_error(p));
		return 1;
	}
	fprintf(stderr, "%s: %s\n", argv[3], d.node ? d.node : d.message);
	json = predicated_explain(p, argv[2], argv[3], 0);
	puts(json);
	free(json);
	free(text);
	predicated_free(p);
	return 0;
}
