/*
 * compare_encodings object|list|watch JSON PROTOBUF: whether two files with an
 * answer of the API server are equal; prints the first difference.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json_out.h"
#include "t/lib/encodings.h"

int
main(int argc, char **argv)
{
	struct text json, protobuf;
	char *found;

	if (argc != 4 || !encodings_load(argv[2], &json) ||
	    !encodings_load(argv[3], &protobuf)) {
		fprintf(stderr, "compare_encodings: cannot read the files\n");
		return 2;
	}
	found = encodings_difference(argv[1], &json, &protobuf);
	if (found != NULL)
		printf("%s\n", found);
	free(found);
	text_fini(&json);
	text_fini(&protobuf);
	return 0;
}
