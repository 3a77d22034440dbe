/*
 * Clients of a server that only take up room.
 *
 *	crowd PORT N MODE [from=ADDRESS] [cert=F key=F] [path=P] [again]
 *
 *	tcp    says nothing
 *	half   half a request, after the TLS handshake
 *	idle   a whole request, whose answer is not read
 *	plain  half a request without TLS
 *	none   a listener on 127.0.0.1 that never answers: PORT and N are
 *	       ignored, and its port is the only line of output
 *
 * Prints "N open" when all are there and each time one of them has ended, until
 * it is killed.  again: the place of one that has ended is taken by another, and
 * the line is "N ended".
 */
#include "config.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/xmalloc.h"

static struct {
	int port;
	size_t n;
	const char *mode, *from, *cert, *key, *path;
	bool again;
} asked = { .from = "127.0.0.1", .path = "/livez" };

static SSL_CTX *context;

static struct sockaddr_in
address_of(const char *ip, int port)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port) };

	inet_pton(AF_INET, ip, &address.sin_addr);
	return address;
}

static int
listen_in_silence(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in at = address_of("127.0.0.1", 0);
	socklen_t len = sizeof(at);

	if (bind(fd, (struct sockaddr *)&at, len) != 0 || listen(fd, 1000) != 0)
		return 1;
	getsockname(fd, (struct sockaddr *)&at, &len);
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	for (;;)
		pause();
}

static void
talk(int fd, SSL *ssl, const char *text)
{
	if (ssl != NULL)
		SSL_write(ssl, text, (int)strlen(text));
	else if (write(fd, text, strlen(text)) < 0)
		return;
}

/* Never freed: the connection is to stay. */
static void
begin_tls(int fd)
{
	AUTOFREE char *request = xasprintf("GET %s HTTP/1.1\r\nHost: x\r\n%s",
	    asked.path, strcmp(asked.mode, "idle") == 0 ? "\r\n" : "X-A: ");
	SSL *ssl = SSL_new(context);
	char answer[4096];

	SSL_set_fd(ssl, fd);
	if (SSL_connect(ssl) != 1)
		return;
	talk(fd, ssl, request);
	if (strcmp(asked.mode, "idle") == 0)
		SSL_read(ssl, answer, sizeof(answer));
}

static int
open_one(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in from = address_of(asked.from, 0);
	struct sockaddr_in to = address_of("127.0.0.1", asked.port);

	/* Unread bytes must stay with the server. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 8192 }, sizeof(int));
	bind(fd, (struct sockaddr *)&from, sizeof(from));
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) != 0) {
		close(fd);
		return -1;
	}
	if (strcmp(asked.mode, "plain") == 0)
		talk(fd, NULL, "GET /livez HTTP/1.1\r\nX-A: ");
	else if (strcmp(asked.mode, "tcp") != 0)
		begin_tls(fd);
	return fd;
}

static void
watch(struct pollfd *all)
{
	size_t left = asked.n, ended = 0;

	for (;;) {
		printf("%zu %s\n", asked.again ? ended : left,
		    asked.again ? "ended" : "open");
		fflush(stdout);
		poll(all, asked.n, -1);
		for (size_t i = 0; i < asked.n; i++) {
			if (all[i].fd < 0 || all[i].revents == 0)
				continue;
			close(all[i].fd);
			all[i].fd = asked.again ? open_one() : -1;
			left--;
			ended++;
		}
	}
}

static void
read_arguments(char **arguments)
{
	for (; *arguments != NULL; arguments++) {
		char *value = strchr(*arguments, '=');

		if (strcmp(*arguments, "again") == 0)
			asked.again = true;
		else if (strncmp(*arguments, "from=", 5) == 0)
			asked.from = value + 1;
		else if (strncmp(*arguments, "cert=", 5) == 0)
			asked.cert = value + 1;
		else if (strncmp(*arguments, "key=", 4) == 0)
			asked.key = value + 1;
		else if (strncmp(*arguments, "path=", 5) == 0)
			asked.path = value + 1;
		else
			exit(2);
	}
}

int
main(int argc, char **argv)
{
	struct pollfd *all;

	if (argc < 4)
		return 2;
	asked.port = atoi(argv[1]);
	asked.n = (size_t)atoi(argv[2]);
	asked.mode = argv[3];
	read_arguments(argv + 4);
	signal(SIGPIPE, SIG_IGN);
	if (strcmp(asked.mode, "none") == 0)
		return listen_in_silence();
	context = SSL_CTX_new(TLS_client_method());
	if (asked.cert != NULL) {
		SSL_CTX_use_certificate_file(context, asked.cert,
		    SSL_FILETYPE_PEM);
		SSL_CTX_use_PrivateKey_file(context, asked.key,
		    SSL_FILETYPE_PEM);
	}
	all = xcalloc(asked.n, sizeof(*all));
	for (size_t i = 0; i < asked.n; i++)
		all[i] =
		    (struct pollfd){ .fd = open_one(), .events = POLLRDHUP };
	watch(all);
}
