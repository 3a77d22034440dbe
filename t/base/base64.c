#include "config.h"

#include "base/base64.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "t/lib/t.h"

static void
base64_goes_both_ways(void)
{
	static const char *const texts[] = { "", "a", "ab", "abc", "abcd" };
	size_t len;
	char *coded, *back;

	for (size_t i = 0; i < LENGTH(texts); i++) {
		coded = base64_encode(texts[i], strlen(texts[i]));
		back = base64_decode(coded, strlen(coded), &len);
		t_str("back", back, texts[i]);
		t_int("length", len, strlen(texts[i]));
		free(coded);
		free(back);
	}
	back = base64_decode("YW\nJj\n", 6, &len);
	t_str("in lines", back, "abc");
	free(back);
	t_true("cut", base64_decode("YWJ", 3, &len) == NULL);
	t_true("other characters", base64_decode("YW!j", 4, &len) == NULL);
}

T_MAIN(T(base64_goes_both_ways))
