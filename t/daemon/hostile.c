/*
 * Prints a pod, as JSON, that costs as much as the API server lets it.
 *
 *	hostile KIND NAMESPACE NAME [N]
 *
 * N is the number of the kind's elements, unless it is the default.
 */
#include "config.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRED "requiredDuringSchedulingIgnoredDuringExecution"
#define PREFERRED "preferredDuringSchedulingIgnoredDuringExecution"

/* ---- labels that collide ---- */

/*
 * The hash of earlier versions of predicated, which had no seed.  Each step can be
 * inverted: for any first word there is one second word that gives the wanted
 * hash, and sometimes it consists of letters that a label's key may have.
 */
static uint64_t
mix(uint64_t x)
{
	for (int i = 0; i < 2; i++) {
		x ^= x >> 32;
		x *= UINT64_C(0xd6e8feb86659fd93);
	}
	return x ^ x >> 32;
}

static const char letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
#define NLETTERS 62

/* The n-th word of eight letters. */
static uint64_t
nth_word(uint64_t n)
{
	char text[8];
	uint64_t word;

	for (size_t i = 0; i < sizeof(text); i++, n /= NLETTERS)
		text[i] = letters[n % NLETTERS];
	memcpy(&word, text, sizeof(word));
	return word;
}

static bool good[256];

/* A word of eight letters, too. */
static bool
is_good(uint64_t word)
{
	for (int i = 0; i < 8; i++, word >>= 8)
		if (!good[word & 255])
			return false;
	return true;
}

static void
colliding_labels(unsigned long n)
{
	uint64_t begin = 16 * UINT64_C(0x9e3779b97f4a7c15), first, second;
	uint64_t wanted = mix(begin ^ nth_word(0)) ^ nth_word(1);
	unsigned long found = 0;

	for (size_t i = 0; i < NLETTERS; i++)
		good[(unsigned char)letters[i]] = true;
	for (uint64_t i = 0; found < n; i++) {
		first = nth_word(i / NLETTERS) << 16 |
		    (uint64_t)letters[i % NLETTERS] << 8;
		for (size_t j = 0; j < NLETTERS && found < n; j++) {
			first = (first & ~UINT64_C(255)) | (uint64_t)letters[j];
			second = wanted ^ mix(begin ^ first);
			if (is_good(second))
				printf("%s\"%.8s%.8s\":\"\"",
				    found++ > 0 ? "," : "",
				    (const char *)&first,
				    (const char *)&second);
		}
	}
}

/* ---- members of the spec ---- */

static void
each(unsigned long n, const char *before, const char *format,
    const char *behind)
{
	printf("%s", before);
	for (unsigned long i = 0; i < n; i++) {
		if (i > 0)
			putchar(',');
		for (const char *p = format; *p != '\0'; p++)
			if (*p == '#')
				printf("%lu", i);
			else
				putchar(*p);
	}
	printf("%s", behind);
}

/* Each # stands for the number of the thing. */
static const struct kind {
	const char *name;
	unsigned long n;
	const char *before, *each, *behind;
} kinds[] = {
	{ "normal", 0, "", "", "" },
	{ "colliding-labels", 30000, NULL, NULL, NULL },
	{ "labels", 30000, NULL, NULL, NULL },
	{ "topologies", 5000,
	    ",\"affinity\":{\"podAntiAffinity\":{\"" REQUIRED "\":[",
	    "{\"labelSelector\":{\"matchExpressions\":[{\"key\":"
	    "\"app\",\"operator\":\"NotIn\",\"values\":[\"v#\"]}]},"
	    "\"namespaces\":[\"default\"],\"topologyKey\":\"t#\"}",
	    "]}}" },
	{ "terms", 8000, ",\"affinity\":{\"podAffinity\":{\"" REQUIRED "\":[",
	    "{\"labelSelector\":{\"matchExpressions\":[{\"key\":\"app\","
	    "\"operator\":\"NotIn\",\"values\":[\"v#\"]}]},\"namespaces\":["
	    "\"default\"],\"topologyKey\":\"kubernetes.io/hostname\"}",
	    "]}}" },
	{ "preferred-terms", 6000,
	    ",\"affinity\":{\"podAntiAffinity\":{\"" PREFERRED "\":[",
	    "{\"weight\":1,\"podAffinityTerm\":{"
	    "\"labelSelector\":{\"matchExpressions\":[{\"key\":\"app\","
	    "\"operator\":\"NotIn\",\"values\":[\"v#\"]}]},\"namespaces\":["
	    "\"default\"],\"topologyKey\":\"t#\"}}",
	    "]}}" },
	{ "node-terms", 15000,
	    ",\"affinity\":{\"nodeAffinity\":{\"" REQUIRED
	    "\":{\"nodeSelectorTerms\":[",
	    "{\"matchExpressions\":[{\"key\":"
	    "\"rack\",\"operator\":\"In\",\"values\":[\"q#\"]}]}",
	    "]}}}" },
	{ "tolerations", 20000, ",\"tolerations\":[",
	    "{\"key\":\"k#\",\"operator\":\"Exists\"}", "]" },
	{ "spread", 5000, ",\"topologySpreadConstraints\":[",
	    "{\"maxSkew\":1,"
	    "\"topologyKey\":\"t#\",\"whenUnsatisfiable\":\"ScheduleAnyway\","
	    "\"labelSelector\":{\"matchLabels\":{\"app\":\"a\"}}}",
	    "]" },
	{ "init-containers", 6000, ",\"initContainers\":[",
	    "{\"name\":\"c#\","
	    "\"image\":\"b\",\"terminationMessagePolicy\":\"File\","
	    "\"imagePullPolicy\":\"Always\",\"resources\":{\"limits\":{"
	    "\"e.x/r#\":\"1\"}}}",
	    "]" },
	{ "resources", 20000,
	    ",\"containers\":[{\"name\":\"a\",\"image\":\"b\","
	    "\"terminationMessagePolicy\":\"File\",\"resources\":{"
	    "\"limits\":{",
	    "\"e.x/r#\":\"1\"", "}}}]" },
	{ "ports", 9999,
	    ",\"containers\":[{\"name\":\"a\",\"image\":\"b\","
	    "\"terminationMessagePolicy\":\"File\",\"ports\":[",
	    "{\"containerPort\":1,\"hostPort\":1#}", "]}]" },
};

static const struct kind *
find_kind(const char *name)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

static void
put_labels(const struct kind *kind, unsigned long n)
{
	if (strcmp(kind->name, "colliding-labels") == 0)
		colliding_labels(n);
	else if (strcmp(kind->name, "labels") == 0)
		each(n, "", "\"label-of-mine-#\":\"\"", "");
	else
		printf("\"app\":\"hostile\"");
}

int
main(int argc, char **argv)
{
	const struct kind *kind = argc > 3 ? find_kind(argv[1]) : NULL;
	unsigned long n;

	if (kind == NULL || argc > 5) {
		fputs("usage: hostile KIND NAMESPACE NAME [N]\nkinds:", stderr);
		for (size_t i = 0; i < LENGTH(kinds); i++)
			fprintf(stderr, " %s", kinds[i].name);
		fputs("\n", stderr);
		return 2;
	}
	n = argc > 4 ? strtoul(argv[4], NULL, 10) : kind->n;
	printf("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
	       "\"namespace\":\"%s\",\"name\":\"%s\",\"labels\":{",
	    argv[2], argv[3]);
	put_labels(kind, n);
	printf("}},\"spec\":{");
	if (kind->before != NULL &&
	    strstr(kind->before, "\"containers") != NULL)
		printf("\"restartPolicy\":\"Always\"");
	else
		printf("\"containers\":[{\"name\":\"a\",\"image\":\"b\"}]");
	if (kind->each != NULL)
		each(n, kind->before, kind->each, kind->behind);
	puts("}}");
	return 0;
}
