libpredicated_a_SOURCES += \
	%D%/audit.c \
	%D%/canary.c \
	%D%/capacity.c \
	%D%/check.c \
	%D%/completion.c \
	%D%/convert.c \
	%D%/ctl.c %D%/ctl.h \
	%D%/defrag.c \
	%D%/diff.c \
	%D%/drain.c \
	%D%/dump.c \
	%D%/explain.c %D%/explain.h \
	%D%/explain_table.c \
	%D%/mend.c %D%/mend.h \
	%D%/options.c %D%/options.h %D%/options_internal.h \
	%D%/progress.c %D%/progress.h \
	%D%/replay.c \
	%D%/report.c %D%/report.h \
	%D%/simulate.c \
	%D%/table.c %D%/table.h \
	%D%/tune.c \
	%D%/version.c \
	%D%/web.c \
	%D%/web_daemon.c \
	%D%/whatif.c %D%/whatif.h \
	%D%/why_not.c

bin_PROGRAMS += predicatectl
predicatectl_SOURCES = %D%/main.c
predicatectl_LDADD = libpredicated.a

# kubectl finds its plugins and their completion by name: `kubectl predicate explain …`.
install-exec-hook:
	cd '$(DESTDIR)$(bindir)' && ln -sf predicatectl kubectl-predicate && \
	ln -sf predicatectl kubectl_complete-predicate
install-data-hook:
	cd '$(DESTDIR)$(man1dir)' && ln -sf predicatectl.1 kubectl-predicate.1 && \
	ln -sf predicatectl.1 kubectl_complete-predicate.1

uninstall-hook:
	for name in kubectl-predicate kubectl_complete-predicate; do \
		rm -f "$(DESTDIR)$(bindir)/$$name" \
		    "$(DESTDIR)$(man1dir)/$$name.1"; \
	done

# ---- completion in shells: their scripts, by the programs themselves ----

bashcompletion_DATA = %D%/completion/predicatectl %D%/completion/predicated
zshcompletion_DATA = %D%/completion/_predicatectl %D%/completion/_predicated
fishcompletion_DATA = %D%/completion/predicatectl.fish \
	%D%/completion/predicated.fish
CLEANFILES += $(bashcompletion_DATA) $(zshcompletion_DATA) \
	$(fishcompletion_DATA)
completion = $(AM_V_GEN)$(MKDIR_P) %D%/completion &&
%D%/completion/predicatectl: predicatectl$(EXEEXT)
	$(completion) ./predicatectl completion bash >$@.new && mv $@.new $@
%D%/completion/_predicatectl: predicatectl$(EXEEXT)
	$(completion) ./predicatectl completion zsh >$@.new && mv $@.new $@
%D%/completion/predicatectl.fish: predicatectl$(EXEEXT)
	$(completion) ./predicatectl completion fish >$@.new && mv $@.new $@
%D%/completion/predicated: predicated$(EXEEXT)
	$(completion) ./predicated --completion=bash >$@.new && mv $@.new $@
%D%/completion/_predicated: predicated$(EXEEXT)
	$(completion) ./predicated --completion=zsh >$@.new && mv $@.new $@
%D%/completion/predicated.fish: predicated$(EXEEXT)
	$(completion) ./predicated --completion=fish >$@.new && mv $@.new $@
