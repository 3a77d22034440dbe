/*
 * The process_* metrics of Prometheus' client libraries, read from /proc each
 * time, and kubernetes_build_info.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/version.h"
#include "wire/metrics/metrics.h"

/* Fields of /proc/self/stat behind the command, which may hold anything;
 * counted as in proc(5). */
enum { STAT_FIRST = 3, STAT_START = 22, STAT_VSIZE = 23, STAT_RSS = 24 };

static double
stat_field(int field)
{
	char line[1024];
	FILE *file = fopen("/proc/self/stat", "re");
	size_t len = file != NULL ? fread(line, 1, sizeof(line) - 1, file) : 0;
	char *s;

	if (file != NULL)
		fclose(file);
	line[len] = '\0';
	s = strrchr(line, ')');
	if (s == NULL)
		return 0;
	for (int i = STAT_FIRST - 1; i < field && s != NULL; i++) {
		s = strchr(s, ' ');
		if (s != NULL)
			s++;
	}
	return s != NULL ? strtod(s, NULL) : 0;
}

static double
limit_of(int resource)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return -1;
	return limit.rlim_cur;
}

static double
open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	double n = 0;

	if (dir == NULL)
		return 0;
	while ((entry = readdir(dir)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n - 1; /* without the directory itself */
}

static void
refresh(void *metrics)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	metrics_set(metrics, METRIC_PROCESS_CPU,
	    usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
		(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
	metrics_set(metrics, METRIC_PROCESS_RSS,
	    stat_field(STAT_RSS) * sysconf(_SC_PAGESIZE));
	metrics_set(metrics, METRIC_PROCESS_VIRTUAL, stat_field(STAT_VSIZE));
	metrics_set(metrics, METRIC_PROCESS_VIRTUAL_MAX, limit_of(RLIMIT_AS));
	metrics_set(metrics, METRIC_PROCESS_OPEN_FDS, open_fds());
	metrics_set(metrics, METRIC_PROCESS_MAX_FDS, limit_of(RLIMIT_NOFILE));
}

void
metrics_add_process(struct metrics *metrics)
{
	struct version_info info = version_info();
	struct timespec now, up;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	metrics_on_write(metrics, refresh, metrics);
	/* The kernel counts in ticks since boot. */
	metrics_set(metrics, METRIC_PROCESS_START,
	    (now.tv_sec - up.tv_sec) + (now.tv_nsec - up.tv_nsec) / 1e9 +
		stat_field(STAT_START) / sysconf(_SC_CLK_TCK));
	metrics_set(metrics, METRIC_BUILD_INFO, 1, "", info.compiler, "", "",
	    info.git_version, "", info.major, info.minor, info.platform);
}
