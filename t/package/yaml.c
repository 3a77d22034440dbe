/* yaml FILE: its documents as JSON, one a line; for tests in shell. */
#include "config.h"

#include <stdio.h>

#include "base/doc.h"
#include "base/err.h"
#include "base/json_out.h"

int
main(int argc, char **argv)
{
	struct err err = { "" };
	struct doc_reader *reader = argc == 2 ?
	    doc_open_file(argv[1], &doc_limits_people, false, &err) :
	    NULL;
	const struct doc_node *root;
	int got = -1;

	while (reader != NULL && (got = doc_next(reader, &root, &err)) == 1) {
		struct text text = { 0 };

		json_put_node(&text, root);
		text_put(&text, "\n");
		text_flush(&text, stdout);
		text_fini(&text);
	}
	if (got != 0)
		fprintf(stderr, "yaml: %s\n", err.text);
	doc_close(reader);
	return got != 0;
}
