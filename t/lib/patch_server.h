/*
 * A scripted API server in the process of the test, which answers every PATCH and
 * POST with one status and records it, and a client of it.
 */
#ifndef T_LIB_PATCH_SERVER_H
#define T_LIB_PATCH_SERVER_H

struct api_client;
struct event_base;
struct patch_server;

struct patch_server *patch_server_new(void);
void patch_server_free(struct patch_server *server);

struct event_base *patch_server_base(const struct patch_server *server);
struct api_client *patch_server_client(const struct patch_server *server);

/* Forgets the requests; answers the next ones with this status: an object for
 * 200, a Status object for any other. */
void patch_server_expect(struct patch_server *server, int status);

/* The nth of them, from 1, gets this status instead. */
void patch_server_expect_once(struct patch_server *server, int nth, int status);

/* 200 comes with this object, which stays yours. */
void patch_server_answer(struct patch_server *server, const char *object);

/* The requests, a line each: "PATCH uri type body".  Valid until the next. */
const char *patch_server_requests(const struct patch_server *server);

#endif
