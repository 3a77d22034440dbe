# Fuzz targets: with libFuzzer by `make fuzz`, alone by `make check`.  A target is
# a file here, a folder of seeds in corpus/, and a name in this list.
fuzz_targets = \
	%D%/cel.t \
	%D%/configuration.t \
	%D%/devices.t \
	%D%/distribution.t \
	%D%/doc.t \
	%D%/exec_credential.t \
	%D%/extender.t \
	%D%/kube_config.t \
	%D%/kubeconfig.t \
	%D%/labels.t \
	%D%/objects.t \
	%D%/options.t \
	%D%/plain.t \
	%D%/policy.t \
	%D%/protobuf.t \
	%D%/quantity.t \
	%D%/query.t \
	%D%/record.t \
	%D%/reflector.t \
	%D%/selectors.t \
	%D%/server.t \
	%D%/simulate.t \
	%D%/trust.t \
	%D%/watch_lines.t
check_PROGRAMS += $(fuzz_targets)

check_LIBRARIES += %D%/libfuzz.a %D%/libloop.a
%C%_libfuzz_a_SOURCES = \
	%D%/command.c %D%/command.h \
	%D%/fuzz.c %D%/fuzz.h %D%/health.h \
	%D%/peer.c %D%/peer.h
%C%_libloop_a_SOURCES = %D%/loop.c
if FUZZING
FUZZ_LOOP =
else
FUZZ_LOOP = %D%/libloop.a
endif
FUZZ_LDADD = @FUZZ_ENGINE@ $(FUZZ_LOOP) %D%/libfuzz.a libpredicated.a
%C%_cel_t_LDADD = $(FUZZ_LDADD)
%C%_configuration_t_SOURCES = %D%/configuration.c \
	t/lib/profiles_json.c t/lib/profiles_json.h
%C%_configuration_t_LDADD = $(FUZZ_LDADD)
%C%_devices_t_LDADD = $(FUZZ_LDADD)
%C%_distribution_t_LDADD = $(FUZZ_LDADD)
%C%_doc_t_LDADD = $(FUZZ_LDADD)
%C%_exec_credential_t_LDADD = $(FUZZ_LDADD)
%C%_extender_t_LDADD = $(FUZZ_LDADD)
%C%_kube_config_t_LDADD = $(FUZZ_LDADD)
%C%_kubeconfig_t_LDADD = $(FUZZ_LDADD)
%C%_labels_t_LDADD = $(FUZZ_LDADD)
%C%_objects_t_LDADD = $(FUZZ_LDADD)
%C%_options_t_LDADD = $(FUZZ_LDADD)
%C%_plain_t_LDADD = $(FUZZ_LDADD)
%C%_policy_t_LDADD = $(FUZZ_LDADD)
%C%_protobuf_t_LDADD = $(FUZZ_LDADD)
%C%_quantity_t_LDADD = $(FUZZ_LDADD)
%C%_query_t_LDADD = $(FUZZ_LDADD)
%C%_record_t_LDADD = $(FUZZ_LDADD)
%C%_reflector_t_LDADD = $(FUZZ_LDADD)
%C%_selectors_t_LDADD = $(FUZZ_LDADD)
%C%_server_t_LDADD = $(FUZZ_LDADD)
%C%_simulate_t_LDADD = $(FUZZ_LDADD)
%C%_trust_t_LDADD = $(FUZZ_LDADD)
%C%_watch_lines_t_LDADD = $(FUZZ_LDADD)
EXTRA_DIST += %D%/corpus script/fuzz

# Each target for FUZZ_SECONDS; FUZZ_TARGETS="doc policy": these alone.
FUZZ_SECONDS = 60
FUZZ_TARGETS =
fuzz:
	$(top_srcdir)/script/fuzz --build '$(abs_top_builddir)/fuzz' \
	    --seconds $(FUZZ_SECONDS) $(FUZZ_TARGETS)
fuzz-programs: $(fuzz_targets)
fuzz-names:
	@echo $(fuzz_targets)
.PHONY: fuzz fuzz-programs fuzz-names
CLEANFILES += *.crash
distclean-local:
	rm -rf fuzz
