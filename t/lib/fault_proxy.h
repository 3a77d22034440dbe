/*
 * A TCP proxy that breaks connections on demand, to be put in front of a real
 * API server: it does not look into the bytes.
 */
#ifndef T_LIB_FAULT_PROXY_H
#define T_LIB_FAULT_PROXY_H

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct fault_proxy;

/* From a free port of 127.0.0.1 to the given one there.  NULL: it cannot. */
struct fault_proxy *fault_proxy_new(struct event_base *base, int target_port);
void fault_proxy_free(struct fault_proxy *proxy);
int fault_proxy_port(const struct fault_proxy *proxy);
/* How many connections there are. */
size_t fault_proxy_connections(const struct fault_proxy *proxy);
/* The most at once since the last call. */
size_t fault_proxy_peak(struct fault_proxy *proxy);

/* Resets every connection. */
void fault_proxy_cut(struct fault_proxy *proxy);
/* Closes every connection once this many more bytes came from the server on
 * it: in the middle of whatever that is. */
void fault_proxy_cut_after(struct fault_proxy *proxy, size_t bytes);
/* The connections that exist now stay open and never carry anything again; new
 * ones work. */
void fault_proxy_freeze(struct fault_proxy *proxy);
/* Nothing passes on any connection, old or new, until it is taken back. */
void fault_proxy_stall(struct fault_proxy *proxy, bool stalled);
/* New connections are reset at once. */
void fault_proxy_refuse(struct fault_proxy *proxy, bool refused);

#endif
