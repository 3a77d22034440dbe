/*
 * main() of a fuzz target without libFuzzer: runs every file of its corpus and
 * then mutations of them from a fixed seed, and prints TAP.
 *
 *	doc.t [FILE...]		these files instead, for example a reproducer
 *
 * FUZZ_MUTATIONS is the number of mutations (10000), FUZZ_LOOP_SECONDS the CPU
 * time after which the rest of them is left out (1).  An input that crashes or
 * hangs is left in <target>.crash.
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "t/fuzz/fuzz.h"

#define MUTATIONS 10000
#define LOOP_SECONDS 1
/* Of one input, under sanitizers on a busy machine, too. */
#define HANG_SECONDS 60
/* A mutation may grow beyond its origin, but not without end. */
#define MAX_BYTES ((size_t)256 * 1024)

#pragma weak LLVMFuzzerInitialize
/* Of the sanitizers, where there are any. */
void __sanitizer_set_death_callback(void (*callback)(void));
#pragma weak __sanitizer_set_death_callback

struct input {
	uint8_t *bytes;
	size_t len;
};

struct corpus {
	size_t n;
	struct input *at;
};

/* ---- files that a crash leaves ---- */

static struct input running;
static char crash_file[256];

/* Only functions that a signal handler may call. */
static void
leave_input(void)
{
	int fd = open(crash_file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ssize_t written = 0;

	if (fd >= 0 && running.len > 0)
		written = write(fd, running.bytes, running.len);
	if (fd >= 0 && written >= 0)
		close(fd);
}

static void
on_signal(int number)
{
	leave_input();
	signal(number, SIG_DFL);
	raise(number);
}

static void
catch_crashes(const char *target)
{
	static const int signals[] = { SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL,
		SIGSEGV };

	snprintf(crash_file, sizeof(crash_file), "%s.crash", target);
	if (__sanitizer_set_death_callback != NULL)
		__sanitizer_set_death_callback(leave_input);
	for (size_t i = 0; i < LENGTH(signals); i++) {
		/* A sanitizer's own handler says more. */
		if (__sanitizer_set_death_callback != NULL &&
		    signals[i] != SIGABRT && signals[i] != SIGALRM)
			continue;
		signal(signals[i], on_signal);
	}
}

static void
run(const uint8_t *bytes, size_t len)
{
	/* Of exactly this size, so that a sanitizer sees its end. */
	uint8_t *copy = xmalloc(len > 0 ? len : 1);

	if (len > 0)
		memcpy(copy, bytes, len);
	running = (struct input){ copy, len };
	alarm(HANG_SECONDS);
	LLVMFuzzerTestOneInput(copy, len);
	alarm(0);
	running = (struct input){ 0 };
	free(copy);
}

/* ---- the corpus ---- */

static struct input
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	struct input input = { .bytes = xmalloc(MAX_BYTES) };

	if (f == NULL)
		fuzz_fail("cannot read %s", path);
	input.len = fread(input.bytes, 1, MAX_BYTES, f);
	fclose(f);
	return input;
}

static void
corpus_add(struct corpus *corpus, const char *path)
{
	corpus->at = xrealloc(corpus->at, corpus->n + 1, sizeof(*corpus->at));
	corpus->at[corpus->n++] = read_file(path);
}

static struct corpus
read_corpus(const char *target)
{
	const char *top = getenv("SRCDIR");
	struct corpus corpus = { 0 };
	struct dirent **entries;
	char folder[4096], path[8192];
	int n;

	snprintf(folder, sizeof(folder), "%s/t/fuzz/corpus/%s",
	    top != NULL ? top : ".", target);
	n = scandir(folder, &entries, NULL, alphasort);
	if (n < 0)
		fuzz_fail("there is no folder %s", folder);
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder,
		    entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			corpus_add(&corpus, path);
		free(entries[i]);
	}
	free(entries);
	return corpus;
}

static void
corpus_free(struct corpus *corpus)
{
	for (size_t i = 0; i < corpus->n; i++)
		free(corpus->at[i].bytes);
	free(corpus->at);
}

/* ---- mutations ---- */

static uint64_t state = 1;

static size_t
below(size_t n)
{
	state = state * UINT64_C(6364136223846793005) +
	    UINT64_C(1442695040888963407);
	return n > 0 ? (size_t)(state >> 33) % n : 0;
}

/* Puts bytes in the place of some that are there. */
static void
replace(struct input *input, size_t at, size_t cut, const void *bytes,
    size_t len)
{
	size_t rest;

	if (at > input->len)
		at = input->len;
	if (cut > input->len - at)
		cut = input->len - at;
	if (input->len - cut + len > MAX_BYTES)
		return;
	rest = input->len - at - cut;
	memmove(input->bytes + at + len, input->bytes + at + cut, rest);
	memcpy(input->bytes + at, bytes, len);
	input->len = at + len + rest;
}

static const char *const tokens[] = { "{", "}", "[", "]", "\"", ":", ",",
	"null", "{}", "[]", "\"\"", "-1", "1e999", "9223372036854775808", "0.1",
	"\\u0000", "\\ud800", "\n", "\r\n", "---\n", "&a ", "*a", "<<: *a\n",
	"- ", "%00", "\xff", "\xc3\xa9", "true", "Ei", "\xff\xff\xff\xff\x0f",
	"apiVersion", "kind", "List", "metadata", "HTTP/1.1" };

static void
mutate_once(struct input *input, const struct corpus *corpus)
{
	const struct input *other = &corpus->at[below(corpus->n)];
	size_t at = below(input->len + 1), len = 1 + below(16), from;
	uint8_t block[512];
	uint8_t byte = (uint8_t)below(256);
	const char *token;

	switch (below(8)) {
	case 0:
		if (at < input->len)
			input->bytes[at] ^= (uint8_t)(1 << below(8));
		break;
	case 1:
		replace(input, at, 1, &byte, 1);
		break;
	case 2:
		replace(input, at, 0, &byte, 1);
		break;
	case 3:
		replace(input, at, len * (1 + below(8)), "", 0);
		break;
	case 4: /* a part of its own, again */
		len = below(sizeof(block));
		from = below(input->len + 1);
		if (len > input->len - from)
			len = input->len - from;
		memcpy(block, input->bytes + from, len);
		for (size_t times = 1 + below(4); times > 0; times--)
			replace(input, at, 0, block, len);
		break;
	case 5: /* a part of another */
		from = below(other->len + 1);
		len = below(sizeof(block));
		if (len > other->len - from)
			len = other->len - from;
		replace(input, at, below(2) * len, other->bytes + from, len);
		break;
	case 6:
		token = tokens[below(LENGTH(tokens))];
		replace(input, at, below(2) * strlen(token), token,
		    strlen(token));
		break;
	case 7: /* its end is missing */
		if (below(4) == 0)
			input->len = at;
		break;
	}
}

static size_t
number_from(const char *name, size_t otherwise)
{
	const char *text = getenv(name);

	return text != NULL ? strtoul(text, NULL, 10) : otherwise;
}

static size_t
run_mutations(const struct corpus *corpus)
{
	struct input input = { .bytes = xmalloc(MAX_BYTES) };
	size_t n = number_from("FUZZ_MUTATIONS", MUTATIONS), done;
	clock_t end = clock() +
	    (clock_t)number_from("FUZZ_LOOP_SECONDS", LOOP_SECONDS) *
		CLOCKS_PER_SEC;

	for (done = 0; done < n && clock() < end; done++) {
		const struct input *origin = &corpus->at[done % corpus->n];

		memcpy(input.bytes, origin->bytes, origin->len);
		input.len = origin->len;
		for (size_t times = 1 + below(6); times > 0; times--)
			mutate_once(&input, corpus);
		run(input.bytes, input.len);
	}
	free(input.bytes);
	return done;
}

/* "doc" of "t/fuzz/doc.t"; you own it. */
static char *
target_of(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash != NULL ? slash + 1 : program;

	return xasprintf("%.*s", (int)strcspn(name, "."), name);
}

int
main(int argc, char **argv)
{
	FILE *tap = fdopen(dup(STDOUT_FILENO), "w");
	char *target = target_of(argv[0]);
	struct corpus corpus = { 0 };

	FUZZ_CHECK(tap != NULL);
	for (int i = 1; i < argc; i++)
		corpus_add(&corpus, argv[i]);
	if (argc <= 1)
		corpus = read_corpus(target);
	catch_crashes(target);
	if (LLVMFuzzerInitialize != NULL)
		LLVMFuzzerInitialize(&argc, &argv);
	fprintf(tap, "1..2\n");
	fflush(tap);
	run((const uint8_t *)"", 0);
	for (size_t i = 0; i < corpus.n; i++)
		run(corpus.at[i].bytes, corpus.at[i].len);
	fprintf(tap,
	    "%s 1 - there is a corpus, and it does no harm\n# %zu files\n",
	    corpus.n > 0 ? "ok" : "not ok", corpus.n);
	fflush(tap);
	if (argc <= 1 && corpus.n > 0)
		fprintf(tap, "# %zu mutations\n", run_mutations(&corpus));
	fprintf(tap, "ok 2 - nor do mutations of it\n");
	fclose(tap);
	corpus_free(&corpus);
	free(target);
	return corpus.n > 0 ? 0 : 1;
}
