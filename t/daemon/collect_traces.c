/*
 * collect_traces FILE: a collector of OTLP/HTTP, which appends the body of each request
 * to FILE, a line each.  Prints its port.
 */
#include "config.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct evbuffer *in = evhttp_request_get_input_buffer(request);
	const char *type =
	    evhttp_find_header(evhttp_request_get_input_headers(request),
		"Content-Type");
	bool is_ours = type != NULL && strcmp(type, "application/json") == 0 &&
	    strcmp(evhttp_request_get_uri(request), "/v1/traces") == 0;

	if (is_ours) {
		fwrite(evbuffer_pullup(in, -1), 1, evbuffer_get_length(in),
		    arg);
		fputc('\n', arg);
		fflush(arg);
	}
	evhttp_send_reply(request, is_ours ? 200 : 404, NULL, NULL);
}

int
main(int argc, char **argv)
{
	struct event_base *base = event_base_new();
	struct evhttp *http = evhttp_new(base);
	FILE *file = argc == 2 ? fopen(argv[1], "a") : NULL;
	struct evhttp_bound_socket *bound;
	struct sockaddr_in address;
	socklen_t len = sizeof(address);

	if (file == NULL) {
		fputs("usage: collect_traces FILE\n", stderr);
		return 2;
	}
	evhttp_set_gencb(http, on_request, file);
	bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
	if (bound == NULL ||
	    getsockname(evhttp_bound_socket_get_fd(bound),
		(struct sockaddr *)&address, &len) != 0) {
		perror("127.0.0.1");
		return EXIT_FAILURE;
	}
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	event_base_dispatch(base);
	return EXIT_FAILURE;
}
