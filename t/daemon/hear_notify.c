/*
 * hear_notify SOCKET: systemd's end of sd_notify(3).  Prints each message as it
 * comes, a line each, " | " between its assignments.  Ready when SOCKET exists.
 */
#include "config.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static void
print(const char *text)
{
	for (; *text != '\0'; text++)
		if (*text == '\n')
			fputs(" | ", stdout);
		else
			putchar(*text);
	putchar('\n');
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char text[4096];
	ssize_t len;

	if (argc != 2 || strlen(argv[1]) >= sizeof(address.sun_path)) {
		fputs("usage: hear_notify SOCKET\n", stderr);
		return 2;
	}
	strcpy(address.sun_path, argv[1]);
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	while ((len = recv(fd, text, sizeof(text) - 1, 0)) >= 0) {
		text[len] = '\0';
		print(text);
	}
	perror("recv");
	return EXIT_FAILURE;
}
