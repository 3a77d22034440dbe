#include "config.h"

#include "objects/budget.h"

#include "base/arena.h"
#include "base/map.h"

struct account {
	sym namespace; /* held */
	size_t used;
	bool refused; /* an object, since there was room */
};

static struct {
	struct map accounts; /* namespace -> struct account */
	size_t used;
	bool room; /* one that was refused has no objects left */
} table;

size_t
budget_size(size_t bytes, const struct arena *arena)
{
	return bytes + arena_used(arena) + arena->left + sym_held_size(arena);
}

void
budget_take(sym namespace, size_t size)
{
	struct account *account;

	if (namespace == SYM_EMPTY)
		return;
	account = map_get(&table.accounts, namespace);
	if (account == NULL) {
		account = xcalloc(1, sizeof(*account));
		account->namespace = sym_ref(namespace);
		map_put(&table.accounts, namespace, account);
	}
	account->used += size;
	table.used += size;
}

void
budget_give_back(sym namespace, size_t size)
{
	struct account *account = map_get(&table.accounts, namespace);

	if (account == NULL)
		return;
	account->used -= size;
	table.used -= size;
	if (account->used > 0)
		return;
	table.room |= account->refused;
	map_del(&table.accounts, namespace);
	sym_unref(namespace);
	free(account);
}

size_t
budget_used(void)
{
	return table.used;
}

/* Whether so many eighths of a budget are used. */
static bool
uses(size_t used, size_t budget, unsigned eighths)
{
	return budget > 0 && used / eighths >= budget / 8;
}

static bool
exceeds_total(const struct budgets *budgets, const struct account *account,
    unsigned eighths)
{
	return uses(table.used, budgets->total, eighths) &&
	    account->used >= budgets->total / BUDGET_SHARES;
}

bool
budget_is_used_up(const struct budgets *budgets, sym namespace, bool known,
    struct err *err)
{
	struct account *account = map_get(&table.accounts, namespace);
	unsigned eighths = known ? 9 : 8;

	if (account == NULL)
		return false;
	if (uses(account->used, budgets->namespace, eighths))
		errf(err,
		    "the objects of namespace %s have used up the memory of one "
		    "namespace, %zu MiB (--max-memory-per-namespace)",
		    sym_text(namespace), budgets->namespace >> 20);
	else if (exceeds_total(budgets, account, eighths))
		errf(err,
		    "the objects of all namespaces have used up their memory, "
		    "%zu MiB (--max-memory-of-namespaces), and those of namespace "
		    "%s more than 1/%u of it",
		    budgets->total >> 20, sym_text(namespace), BUDGET_SHARES);
	else
		return false;
	account->refused = true;
	return true;
}

bool
budget_has_room_again(const struct budgets *budgets)
{
	bool any = table.room;

	table.room = false;
	EACH_VALUE (&table.accounts, struct account, account) {
		if (!account->refused ||
		    uses(account->used, budgets->namespace, 6) ||
		    exceeds_total(budgets, account, 6))
			continue;
		account->refused = false;
		any = true;
	}
	return any;
}
