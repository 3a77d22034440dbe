#include "config.h"

#include "t/lib/fault_proxy.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

struct link {
	struct fault_proxy *proxy;
	struct bufferevent *client, *server;
	bool frozen;
	size_t left; /* bytes from the server before it is cut */
	TAILQ_ENTRY(link) entry;
};

TAILQ_HEAD(links, link);

struct fault_proxy {
	struct event_base *base;
	struct evconnlistener *listener;
	struct sockaddr_in target;
	int port;
	bool stalled, refused;
	struct links links;
	size_t nlinks, peak;
};

/* The peer gets a reset, not an orderly end. */
static void
reset_socket(evutil_socket_t fd)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static void
drop(struct link *link, bool reset)
{
	if (reset) {
		reset_socket(bufferevent_getfd(link->client));
		reset_socket(bufferevent_getfd(link->server));
	}
	bufferevent_free(link->client);
	bufferevent_free(link->server);
	TAILQ_REMOVE(&link->proxy->links, link, entry);
	link->proxy->nlinks--;
	free(link);
}

static void
carry(struct link *link, bool on)
{
	int (*change)(struct bufferevent * side, short what) =
	    on ? bufferevent_enable : bufferevent_disable;

	change(link->client, EV_READ);
	change(link->server, EV_READ);
}

static void
on_read(struct bufferevent *from, void *arg)
{
	struct link *link = arg;
	struct evbuffer *bytes = bufferevent_get_input(from);
	bool last = false;

	if (from == link->client) {
		bufferevent_write_buffer(link->server, bytes);
		return;
	}
	if (evbuffer_get_length(bytes) >= link->left) {
		last = true;
		/* Written directly: the connection is about to be closed. */
		evbuffer_write_atmost(bytes, bufferevent_getfd(link->client),
		    (ev_ssize_t)link->left);
	} else {
		if (link->left != SIZE_MAX)
			link->left -= evbuffer_get_length(bytes);
		bufferevent_write_buffer(link->client, bytes);
	}
	if (last)
		drop(link, false);
}

static void
on_event(struct bufferevent *side, short what, void *arg)
{
	struct link *link = arg;

	if ((what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) && !link->frozen)
		drop(link, (what & BEV_EVENT_ERROR) != 0);
}

static void
on_accept(struct evconnlistener *listener, evutil_socket_t fd,
    struct sockaddr *address, int len, void *arg)
{
	struct fault_proxy *proxy = arg;
	struct link *link;

	if (proxy->refused) {
		reset_socket(fd);
		close(fd);
		return;
	}
	link = calloc(1, sizeof(*link));
	link->proxy = proxy;
	link->left = SIZE_MAX;
	link->client =
	    bufferevent_socket_new(proxy->base, fd, BEV_OPT_CLOSE_ON_FREE);
	link->server =
	    bufferevent_socket_new(proxy->base, -1, BEV_OPT_CLOSE_ON_FREE);
	TAILQ_INSERT_TAIL(&proxy->links, link, entry);
	if (++proxy->nlinks > proxy->peak)
		proxy->peak = proxy->nlinks;
	bufferevent_setcb(link->client, on_read, NULL, on_event, link);
	bufferevent_setcb(link->server, on_read, NULL, on_event, link);
	bufferevent_socket_connect(link->server,
	    (struct sockaddr *)&proxy->target, sizeof(proxy->target));
	bufferevent_enable(link->client, EV_WRITE);
	bufferevent_enable(link->server, EV_WRITE);
	carry(link, !proxy->stalled);
}

struct fault_proxy *
fault_proxy_new(struct event_base *base, int target_port)
{
	struct fault_proxy *proxy = calloc(1, sizeof(*proxy));
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(address);

	proxy->base = base;
	TAILQ_INIT(&proxy->links);
	proxy->listener = evconnlistener_new_bind(base, on_accept, proxy,
	    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, -1,
	    (struct sockaddr *)&address, sizeof(address));
	if (proxy->listener == NULL) {
		free(proxy);
		return NULL;
	}
	getsockname(evconnlistener_get_fd(proxy->listener),
	    (struct sockaddr *)&address, &len);
	proxy->port = ntohs(address.sin_port);
	proxy->target = address;
	proxy->target.sin_port = htons((uint16_t)target_port);
	return proxy;
}

static void
drop_all(struct fault_proxy *proxy, bool reset)
{
	struct link *link;

	while ((link = TAILQ_FIRST(&proxy->links)) != NULL)
		drop(link, reset);
}

void
fault_proxy_free(struct fault_proxy *proxy)
{
	if (proxy == NULL)
		return;
	drop_all(proxy, false);
	evconnlistener_free(proxy->listener);
	free(proxy);
}

int
fault_proxy_port(const struct fault_proxy *proxy)
{
	return proxy->port;
}

size_t
fault_proxy_connections(const struct fault_proxy *proxy)
{
	return proxy->nlinks;
}

size_t
fault_proxy_peak(struct fault_proxy *proxy)
{
	size_t peak = proxy->peak;

	proxy->peak = proxy->nlinks;
	return peak;
}

void
fault_proxy_cut(struct fault_proxy *proxy)
{
	drop_all(proxy, true);
}

void
fault_proxy_cut_after(struct fault_proxy *proxy, size_t bytes)
{
	struct link *link;

	TAILQ_FOREACH (link, &proxy->links, entry)
		link->left = bytes;
}

void
fault_proxy_freeze(struct fault_proxy *proxy)
{
	struct link *link;

	TAILQ_FOREACH (link, &proxy->links, entry) {
		link->frozen = true;
		carry(link, false);
	}
}

void
fault_proxy_stall(struct fault_proxy *proxy, bool stalled)
{
	struct link *link;

	proxy->stalled = stalled;
	TAILQ_FOREACH (link, &proxy->links, entry)
		if (!link->frozen)
			carry(link, !stalled);
}

void
fault_proxy_refuse(struct fault_proxy *proxy, bool refused)
{
	proxy->refused = refused;
}
