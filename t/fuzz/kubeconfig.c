/* kubeconfig files: one, or two that are merged. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "wire/api/kubeconfig.h"
#include "base/err.h"
#include "t/fuzz/fuzz.h"

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	unsetenv("HOME");
	unsetenv("KUBECONFIG");
	unsetenv("KUBERNETES_SERVICE_HOST");
	return 0;
}

static void
load(const struct api_source *source)
{
	struct api_config *config = NULL;
	struct err err;

	if (api_config_load(source, &config, &err) == 0) {
		FUZZ_CHECK(config->server != NULL && config->source != NULL);
		FUZZ_CHECK(config->namespace != NULL);
		FUZZ_CHECK((config->certificate.data == NULL &&
			       config->certificate.file == NULL) ==
		    (config->key.data == NULL && config->key.file == NULL));
		api_config_free(config);
	} else {
		FUZZ_CHECK(config == NULL && err.text[0] != '\0');
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct fuzz_input input = { bytes, len };
	struct fuzz_file files[2];
	char both[160];

	for (size_t i = 0; i < 2; i++) {
		size_t n;
		char *text = fuzz_part(&input, FUZZ_NEXT, &n);

		files[i] = fuzz_file_new(text, n);
		free(text);
	}
	load(&(struct api_source){ .kubeconfig = files[0].path });
	load(&(
	    struct api_source){ .kubeconfig = files[0].path, .context = "b" });
	for (size_t i = 0; i < 2; i++)
		lseek(files[i].fd, 0, SEEK_SET);
	snprintf(both, sizeof(both), "%s:%s", files[0].path, files[1].path);
	setenv("KUBECONFIG", both, 1);
	load(&(struct api_source){ .master = "https://a:1" });
	unsetenv("KUBECONFIG");
	for (size_t i = 0; i < 2; i++)
		close(files[i].fd);
	return 0;
}
