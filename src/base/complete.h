/*
 * Completion of command lines in a shell, in two halves.
 *
 * A program that is called as "PROGRAM __complete WORD..." prints the candidates for
 * the last word, which may be empty.  The output is that of kubectl's plugins
 * (kubectl_complete-NAME): a line "CANDIDATE" or "CANDIDATE<TAB>DESCRIPTION" each, and
 * a last line ":N", the sum of enum complete_directive.
 *
 * The script of a shell calls that.  It knows no option itself, so it does not grow
 * old.
 */
#ifndef BASE_COMPLETE_H
#define BASE_COMPLETE_H

#include <stdio.h>

#include "base/text.h"

#define COMPLETE_COMMAND "__complete"
#define COMPLETE_SHELLS "bash|zsh|fish"

enum complete_directive {
	COMPLETE_NO_SPACE = 2, /* more of the word follows */
	COMPLETE_NO_FILES = 4, /* without candidates, files are none either */
};

struct complete {
	const char *word; /* the last one, as far as it was typed */
	unsigned directive;
	struct text lines;
};

/* Adds the candidate "PREFIX NAME SUFFIX" (without spaces) if it begins as the word;
 * of description (NULL: none) the first line. */
void complete_put(struct complete *c, const char *prefix, const char *name,
    const char *suffix, const char *description);
/* Adds each of "a|b|c". */
void complete_choices(struct complete *c, const char *prefix,
    const char *choices);

/* Adds "NAME=" for the elements of a list that begins after skip bytes: name(0),
 * name(1) … until NULL; after "NAME=" each of values ("" for none).  values NULL: the
 * names alone. */
void complete_list(struct complete *c, size_t skip,
    const char *(*name)(size_t i), const char *values);

/* Prints it and frees the memory. */
void complete_end(struct complete *c, FILE *out);

/* Prints the script for one of COMPLETE_SHELLS; other is a second name of the
 * program, or NULL.  -1: there is no such shell. */
int complete_script(const char *shell, const char *program, const char *other,
    FILE *out);

#endif
