/* Selectors of devices: CEL expressions, each compiled once. */
#ifndef DEVICES_SELECTORS_H
#define DEVICES_SELECTORS_H

#include "base/sym.h"

struct arena;
struct device;
struct device_selector;
struct devices;

/*
 * 1: the device matches the selector, which has an expression; 0: it does not; -1:
 * *error, in the arena, says why that is not known.  shares: the gate
 * DRAConsumableCapacity, which adds a field.  *steps: the work that it took.
 */
int selector_match(struct devices *devices,
    const struct device_selector *selector, sym driver,
    const struct device *device, bool shares, struct arena *arena,
    uint64_t *steps, const char **error);

/* Frees all programs. */
void selectors_forget(struct devices *devices);

#endif
