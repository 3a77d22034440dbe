#include "config.h"

#include "t/lib/patch_server.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "wire/api/client.h"
#include "wire/api/kubeconfig.h"
#include "base/arena.h"
#include "base/xmalloc.h"

struct patch_server {
	struct event_base *base;
	struct evhttp *http;
	struct api_client *client;
	int status;
	int nth, nth_status;
	const char *object;
	char *requests;
};

static void
record(struct patch_server *server, struct evhttp_request *request)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(request);
	const char *type =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Content-Type");
	AUTOFREE char *before = server->requests;

	server->requests = xasprintf("%s%s %s %s %.*s\n", before,
	    evhttp_request_get_command(request) == EVHTTP_REQ_PATCH ? "PATCH" :
		evhttp_request_get_command(request) == EVHTTP_REQ_POST ?
								      "POST" :
								      "?",
	    evhttp_request_get_uri(request), type != NULL ? type : "",
	    (int)evbuffer_get_length(in),
	    (const char *)evbuffer_pullup(in, -1));
}

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct patch_server *server = arg;
	struct evbuffer *out = evbuffer_new();
	int status = server->status;

	record(server, request);
	if (server->nth > 0 && --server->nth == 0)
		status = server->nth_status;
	evbuffer_add_printf(out, "%s",
	    status == 200 ? server->object :
			    "{\"kind\":\"Status\",\"message\":\"no\"}");
	evhttp_send_reply(request, status, NULL, out);
	evbuffer_free(out);
}

struct patch_server *
patch_server_new(void)
{
	struct patch_server *server = xcalloc(1, sizeof(*server));
	struct api_config *config = xcalloc(1, sizeof(*config));
	const struct api_options options = { 0 };
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	server->base = event_base_new();
	server->http = evhttp_new(server->base);
	evhttp_set_allowed_methods(server->http,
	    EVHTTP_REQ_PATCH | EVHTTP_REQ_POST);
	evhttp_set_gencb(server->http, on_request, server);
	bound = evhttp_bind_socket_with_handle(server->http, "127.0.0.1", 0);
	getsockname(evhttp_bound_socket_get_fd(bound),
	    (struct sockaddr *)&address, &len);
	config->server = arena_printf(&config->arena, "http://127.0.0.1:%d",
	    ntohs(address.sin_port));
	server->client = api_client_new(server->base, config, &options);
	patch_server_expect(server, 200);
	return server;
}

void
patch_server_free(struct patch_server *server)
{
	api_client_free(server->client);
	evhttp_free(server->http);
	event_base_free(server->base);
	free(server->requests);
	free(server);
}

struct event_base *
patch_server_base(const struct patch_server *server)
{
	return server->base;
}

struct api_client *
patch_server_client(const struct patch_server *server)
{
	return server->client;
}

void
patch_server_expect(struct patch_server *server, int status)
{
	free(server->requests);
	server->requests = xstrdup("");
	server->status = status;
	server->nth = 0;
	server->object = "{\"metadata\":{\"resourceVersion\":\"7\","
			 "\"name\":\"a\",\"uid\":\"uid-a\"}}";
}

void
patch_server_answer(struct patch_server *server, const char *object)
{
	server->object = object;
}

void
patch_server_expect_once(struct patch_server *server, int nth, int status)
{
	server->nth = nth;
	server->nth_status = status;
}

const char *
patch_server_requests(const struct patch_server *server)
{
	return server->requests;
}
