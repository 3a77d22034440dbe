/* How much an extender may answer. */
#include "config.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/doc.h"
#include "base/xmalloc.h"
#include "daemon/extender/extenders_internal.h"
#include "t/lib/t.h"

#define MB ((size_t)1 << 20)

static struct event_base *base;
static int port;
static const char *piece; /* of the answer, between [ and a last 0] */
static size_t npieces;
static char failure[256];
static size_t count; /* elements of the answer */

static void
on_request(struct evhttp_request *request, void *arg)
{
	struct evbuffer *out = evbuffer_new();

	evbuffer_add(out, "[", 1);
	for (size_t i = 0; i < npieces; i++)
		evbuffer_add(out, piece, strlen(piece));
	evbuffer_add(out, "0]", 2);
	evhttp_send_reply(request, 200, NULL, out);
	evbuffer_free(out);
}

static void
on_answer(void *arg, const struct doc_node *answer, const char *error)
{
	snprintf(failure, sizeof(failure), "%s", error != NULL ? error : "");
	count = answer != NULL ? answer->count : 0;
	event_base_loopbreak(base);
}

/* Asks with a body of so many bytes. */
static void
ask(size_t body_bytes)
{
	AUTOFREE char *url = xasprintf("http://127.0.0.1:%d", port);
	AUTOFREE char *body = xmalloc(body_bytes + 1);
	const struct extender config = { .url_prefix = url,
		.timeout_ns = INT64_C(60000000000) };
	struct one_extender extender;

	memset(body, ' ', body_bytes);
	body[body_bytes] = '\0';
	one_extender_init(&extender, base, NULL, &config);
	extender_post(&extender, "filter", body, on_answer, NULL);
	event_base_dispatch(base);
	one_extender_fini(&extender);
}

static void
answers_have_a_limit(void)
{
	AUTOFREE char *kilobyte = xmalloc(1025);
	struct sockaddr_in address;
	socklen_t len = sizeof(address);
	struct evhttp_bound_socket *bound;
	struct evhttp *http;

	memset(kilobyte, 'x', 1024);
	memcpy(kilobyte + 1021, "\",", 3);
	kilobyte[0] = '"';
	base = event_base_new();
	http = evhttp_new(base);
	evhttp_set_gencb(http, on_request, NULL);
	bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
	getsockname(evhttp_bound_socket_get_fd(bound),
	    (struct sockaddr *)&address, &len);
	port = ntohs(address.sin_port);

	piece = kilobyte;
	npieces = 10000;
	ask(2);
	t_str("10 MB", failure, "");
	t_int("10 MB", count, 10001);
	npieces = 10400;
	ask(2);
	t_has("more", failure, "/filter: the response exceeds the size limit");
	npieces = 1000000 / 1023 * 13;
	ask(2 * MB);
	t_str("more to a long question", failure, "");

	piece = "0,";
	npieces = 500000;
	ask(2);
	t_str("many values", failure, "");
	npieces = 4 * MB;
	ask(2);
	t_has("too many", failure, "answer:");
	evhttp_free(http);
	event_base_free(base);
}

T_MAIN(T(answers_have_a_limit))
