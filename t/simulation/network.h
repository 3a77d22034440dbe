/*
 * Between daemons and the server: what is delayed, lost, refused or silent, and what
 * others do meanwhile.  It takes
 * the place of wire/api/pipe.c, so that everything above connections is the daemon's own.
 */
#ifndef T_SIMULATION_NETWORK_H
#define T_SIMULATION_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

struct faults {
	uint32_t slow, lost, refused, busy, broken,
	    silent;                 /* one request in so many; 0: none */
	bool down;                  /* nobody answers */
	int64_t stalled_until;      /* watches tell nothing */
	int64_t pods_stalled_until; /* nor do those of pods */
	/* One Binding or deletion of a pod in so many is late, and before it arrives
	 * this happens. */
	uint32_t crossed;
	void (*cross)(const char *path);

	/* These draw from a stream of their own. */

	/* What one write in so many has done is answered by 5xx, or not at all; one list
	 * in so many is a while on its way. */
	uint32_t hidden, late_lists;
	/* One write of a pod's status in so many is late, and before it arrives, this
	 * happens. */
	uint32_t touched;
	void (*touch)(const char *path);
	/* Before and after the server handles a request.  True before it: it is answered
	 * by 500, and has done nothing. */
	bool (*handles)(const char *method, const char *path, bool after);
};

extern struct faults network;

struct event_base;

/* Under which name the daemon of this event loop stands for election. */
void network_name(struct event_base *base, const char *name);
const char *network_name_of(const struct event_base *base);
/* It is gone: what it has sent still arrives, and nothing more is sent. */
void network_cut(struct event_base *base);
/* All connections break. */
void network_reset(void);

#endif
