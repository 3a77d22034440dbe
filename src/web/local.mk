web_assets = \
	$(srcdir)/%D%/assets/index.html \
	$(srcdir)/%D%/assets/api.js \
	$(srcdir)/%D%/assets/app.js \
	$(srcdir)/%D%/assets/nodes.js \
	$(srcdir)/%D%/assets/pod.js \
	$(srcdir)/%D%/assets/pods.js \
	$(srcdir)/%D%/assets/trial.js \
	$(srcdir)/%D%/assets/workbench.js
libpredicated_a_SOURCES += \
	%D%/answer.c %D%/answer.h %D%/answer_internal.h \
	%D%/answer_cluster.c \
	%D%/answer_pod.c \
	%D%/answer_pods.c \
	%D%/answer_policy.c \
	%D%/assets.c %D%/assets.h \
	%D%/balance_json.c %D%/balance_json.h \
	%D%/guard.c %D%/guard.h \
	%D%/keeper.c %D%/keeper.h \
	%D%/trial.c \
	%D%/view.h \
	%D%/web.c %D%/web.h

%D%/assets.$(OBJEXT): %D%/assets_data.h
%D%/assets_data.h: $(web_assets) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) web_files $(web_assets) >$@.new && \
	    mv $@.new $@
CLEANFILES += %D%/assets_data.h
EXTRA_DIST += $(web_assets)
