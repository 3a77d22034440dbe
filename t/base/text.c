#include "config.h"

#include "base/text.h"

#include "t/lib/t.h"

static void
misspellings_are_alike(void)
{
	t_int("same", (int)text_distance("worker", "Worker"), 0);
	t_int("swapped", (int)text_distance("wroker", "worker"), 2);
	t_int("empty", (int)text_distance("", "abc"), 3);
	t_true("wroker", text_is_like("wroker", "worker"));
	t_true("ssd", text_is_like("sdd", "ssd"));
	t_true("not hdd and nvme", !text_is_like("hdd", "nvme"));
}

T_MAIN(T(misspellings_are_alike))
