#include "config.h"

#include "base/duration.h"

#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
texts_are_read(void)
{
	static const struct {
		const char *text;
		int64_t ns;
	} rows[] = {
		{ "0", 0 },
		{ "15s", INT64_C(15000000000) },
		{ "-1s", INT64_C(-1000000000) },
		{ "1h2m3.5s", INT64_C(3723500000000) },
		{ "100ms", 100000000 },
		{ "1.5us", 1500 },
		{ "1µs", 1000 },
		{ "7ns", 7 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		int64_t ns = -7;

		t_int(rows[i].text, duration_parse(rows[i].text, &ns), 0);
		t_int(rows[i].text, ns, rows[i].ns);
	}
}

static void
other_texts_are_not(void)
{
	static const char *const texts[] = { "", "-", "1", "s", "1d", "1e3s",
		"0x1s", "inf", "1 s", "1.2.3s", "3000000h", " 1s" };

	for (size_t i = 0; i < LENGTH(texts); i++) {
		int64_t ns = -7;

		t_int(texts[i], duration_parse(texts[i], &ns), -1);
		t_int(texts[i], ns, -7);
	}
}

static void
they_are_written_as_go_writes_them(void)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0s" },
		{ 7, "7ns" },
		{ 1500, "1.5µs" },
		{ 100000000, "100ms" },
		{ INT64_C(1100000000), "1.1s" },
		{ INT64_C(10000000000), "10s" },
		{ INT64_C(600000000000), "10m0s" },
		{ INT64_C(3723500000000), "1h2m3.5s" },
		{ INT64_C(-1000000000), "-1s" },
		{ INT64_MIN, "-2562047h47m16.854775808s" },
	};
	char text[DURATION_TEXT];

	for (size_t i = 0; i < LENGTH(rows); i++)
		t_str(rows[i].text, duration_text(rows[i].ns, text),
		    rows[i].text);
}

T_MAIN(T(texts_are_read), T(other_texts_are_not),
    T(they_are_written_as_go_writes_them))
