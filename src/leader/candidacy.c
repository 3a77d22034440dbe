#include "config.h"

#include "leader/candidacy.h"

#include <string.h>

void
candidacy_init(struct candidacy *candidacy, int64_t retry_ms,
    const struct candidacy_ops *ops, void *arg)
{
	memset(candidacy, 0, sizeof(*candidacy));
	candidacy->retry_ms = retry_ms;
	candidacy->ops = ops;
	candidacy->arg = arg;
}

static void
write_when_due(struct candidacy *candidacy)
{
	if (!candidacy->synced || candidacy->writing)
		return;
	if (candidacy->ops->now_ms(candidacy->arg) < candidacy->due_ms) {
		candidacy->ops->wake(candidacy->arg, candidacy->due_ms);
		return;
	}
	candidacy->writing = true;
	candidacy->pinged = false;
	candidacy->ops->write(candidacy->arg);
}

static void
write_after(struct candidacy *candidacy, int64_t ms)
{
	candidacy->due_ms = candidacy->ops->now_ms(candidacy->arg) + ms;
	write_when_due(candidacy);
}

void
candidacy_seen(struct candidacy *candidacy, bool exists, bool pinged)
{
	if (exists && !pinged)
		return;
	candidacy->pinged = true;
	write_after(candidacy, 0);
}

void
candidacy_synced(struct candidacy *candidacy)
{
	if (candidacy->synced)
		return;
	candidacy->synced = true;
	write_after(candidacy, 0);
}

void
candidacy_written(struct candidacy *candidacy, bool succeeded)
{
	candidacy->writing = false;
	if (!succeeded)
		write_after(candidacy, candidacy->retry_ms);
	else
		write_after(candidacy,
		    candidacy->pinged ? 0 : CANDIDACY_RENEW_MS);
}

void
candidacy_woken(struct candidacy *candidacy)
{
	write_when_due(candidacy);
}
