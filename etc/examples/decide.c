/*
 * Where a pod of a dump goes, and the whole explanation in JSON:
 *
 *	cc decide.c $(pkg-config --cflags --libs predicated) -o decide
 *	./decide cluster.yaml shop forecast
 */
#include <predicated.h>
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	struct predicated *p = predicated_new("1.29");
	struct predicated_decision d;
	char *text = malloc(1 << 24), *json = NULL;
	FILE *in = argc == 4 ? fopen(argv[1], "r") : NULL;

	if (p == NULL || text == NULL || in == NULL) {
		fprintf(stderr, "usage: decide DUMP NAMESPACE POD\n");
		return 2;
	}
	if (predicated_put(p, argv[1], text, fread(text, 1, 1 << 24, in)) < 0 ||
	    predicated_decide(p, argv[2], argv[3], 0, &d) != 0) {
		fprintf(stderr, "%s\n", predicated_error(p));
		return 1;
	}
	fprintf(stderr, "%s: %s\n", argv[3], d.node ? d.node : d.message);
	json = predicated_explain(p, argv[2], argv[3], 0);
	puts(json);
	free(json);
	free(text);
	fclose(in);
	predicated_free(p);
	return 0;
}
