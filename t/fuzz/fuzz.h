/*
 * Fuzz targets: each file here but command.c, fuzz.c, loop.c and peer.c is one, and defines
 * LLVMFuzzerTestOneInput() for libFuzzer.
 *
 * `make fuzz` links them with libFuzzer (clang, ASan, UBSan); `make check`
 * links them with loop.c, which runs the files of corpus/<target>/ and a fixed
 * number of mutations of them.
 *
 * A target aborts, with fuzz_fail(), when a promise of the parser's header does
 * not hold.  Errors are results like any other.
 */
#ifndef T_FUZZ_FUZZ_H
#define T_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Prints the sentence and aborts. */
void fuzz_fail(const char *fmt, ...)
    __attribute__((format(printf, 1, 2), noreturn));
#define FUZZ_CHECK(condition)                                                  \
	((condition) ? (void)0 :                                               \
		       fuzz_fail("%s:%d: %s", __FILE__, __LINE__, #condition))

/* From here on stdout, stderr and the log go nowhere.  Reports of sanitizers
 * and of fuzz_fail() are still seen. */
void fuzz_silence(void);

/* An input as it is read: its head chooses how the rest is used. */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

/* 0 when there are none left. */
uint8_t fuzz_byte(struct fuzz_input *input);
/* Up to, and without, the next separator or the end; the separator is skipped.
 * You own it; NUL-terminated, its length in *len unless that is NULL. */
char *fuzz_part(struct fuzz_input *input, const char *separator, size_t *len);
/* The rest in a block of exactly that size, without a NUL, so that a sanitizer
 * sees reads beyond it.  You own it. */
char *fuzz_rest(struct fuzz_input *input, size_t *len);
/* The rest as a string; you own it. */
char *fuzz_text(struct fuzz_input *input);

/* A file with this content that has no name in any folder.  close() it. */
struct fuzz_file {
	int fd;
	size_t len;
	char path[64];
};
struct fuzz_file fuzz_file_new(const void *bytes, size_t len);
/* The same of the input's next part, which ends at FUZZ_NEXT. */
struct fuzz_file fuzz_next_file(struct fuzz_input *input);

/* Between two parts of one input. */
#define FUZZ_NEXT "\n%%\n"

#endif
