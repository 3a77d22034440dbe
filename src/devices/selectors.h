/* Selectors of devices: CEL expressions, each compiled once. */
#ifndef DEVICES_SELECTORS_H
#define DEVICES_SELECTORS_H

#include <stdbool.h>

#include "base/sym.h"

struct arena;
struct device;
struct devices;

struct selector_program {
	sym expression;
	struct cel_program *program;
	char *error; /* it cannot be compiled; NULL: it can */
};

/* shares: the gate DRAConsumableCapacity, which adds a field. */
const struct selector_program *selectors_compile(struct devices *devices,
    sym expression, bool shares);

/* 1: the device matches; 0: it does not; -1: *error, in the scratch, says why it is
 * not known. */
int selector_match(const struct selector_program *program, sym driver,
    const struct device *device, bool shares, struct arena *scratch,
    const char **error);

/* Frees all programs. */
void selectors_forget(struct devices *devices);

#endif
