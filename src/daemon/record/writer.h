/*
 * Writes lines to files in a folder, in a thread of its own: the caller never waits
 * for the disk.
 *
 * A file is begun with a line that is NULL.  Files have up to
 * half of the folder's size together with the present one's limit; the oldest are
 * deleted.  After an error, or when more lines wait than may, the rest is thrown
 * away until a new file is begun: so every file holds all lines up to its end.
 *
 * Only this thread sees files; the caller asks for errors.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

struct writer;

/* A line with its line break; shared by the caller and the thread. */
struct line {
	_Atomic unsigned refs;
	size_t len;
	char bytes[];
};

/* Copies the bytes; you own one reference. */
struct line *line_new(const char *bytes, size_t len);
struct line *line_ref(struct line *line);
void line_unref(struct line *line); /* accepts NULL */

/* Whether records may be written there: a folder of ours that only we can write,
 * which no other user's link leads to.
 * Makes it if only the last part of the path is missing.  -1: err. */
int writer_check_folder(const char *folder, struct err *err);

/* The folder was checked; a link that takes its place later is not followed.  size: of all files, in bytes.  NULL: err. */
struct writer *writer_new(const char *folder, uint64_t size, struct err *err);
/* Waits for the queued lines, at most wait_ms; accepts NULL. */
void writer_free(struct writer *writer, int64_t wait_ms);

/* Takes the line; NULL: the lines that follow go to a new file, and must is true.
 * False: too many wait, and it was thrown away; must: it is taken in any case, as the
 * first lines of a file, which may be many. */
bool writer_add(struct writer *writer, struct line *line, bool must);
/* Has the thread write the added lines. */
void writer_flush(struct writer *writer);

struct writer_state {
	uint64_t bytes; /* written so far */
	uint64_t files; /* begun so far */
	uint64_t errors;
	char error[256]; /* the last one; "" since a file could be begun */
	size_t waiting;  /* bytes */
};

void writer_look(struct writer *writer, struct writer_state *state);

#endif
