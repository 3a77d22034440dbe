/* The output of a kubeconfig's exec program. */
#include "config.h"

#include <stdlib.h>

#include "wire/api/exec_plugin.h"
#include "base/err.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const versions[] = {
		"client.authentication.k8s.io/v1",
		"client.authentication.k8s.io/v1beta1",
	};
	struct fuzz_input input = { bytes, len };
	struct exec_credential credential = { 0 };
	struct err err;
	const char *version = versions[fuzz_byte(&input) & 1];
	char *text = fuzz_text(&input);

	if (exec_credential_parse(text, version, &credential, &err) == 0) {
		FUZZ_CHECK(
		    credential.token != NULL || credential.certificate != NULL);
		FUZZ_CHECK((credential.certificate == NULL) ==
		    (credential.key == NULL));
		exec_credential_fini(&credential);
	} else {
		FUZZ_CHECK(err.text[0] != '\0');
	}
	free(text);
	return 0;
}
