page_embed = $(srcdir)/%D%/embed.sh
page_shared_files = \
	$(srcdir)/%D%/shared/app.css \
	$(srcdir)/%D%/shared/dom.js \
	$(srcdir)/%D%/shared/finder.js \
	$(srcdir)/%D%/shared/frame.js \
	$(srcdir)/%D%/shared/icon.svg \
	$(srcdir)/%D%/shared/map.js \
	$(srcdir)/%D%/shared/node-view.js \
	$(srcdir)/%D%/shared/query.js \
	$(srcdir)/%D%/shared/request.js \
	$(srcdir)/%D%/shared/unplaced.js
page_live_files = \
	$(srcdir)/%D%/live/index.html \
	$(srcdir)/%D%/live/live.js \
	$(srcdir)/%D%/live/live-decisions.js \
	$(srcdir)/%D%/live/live-nodes.js \
	$(srcdir)/%D%/live/live-overview.js \
	$(srcdir)/%D%/live/live-pod.js \
	$(srcdir)/%D%/live/live-policy.js \
	$(srcdir)/%D%/live/live-queue.js \
	$(srcdir)/%D%/live/live-trend.js \
	$(srcdir)/%D%/live/polling.js
page_web_files = \
	$(srcdir)/%D%/assets/index.html \
	$(srcdir)/%D%/assets/api.js \
	$(srcdir)/%D%/assets/app.js \
	$(srcdir)/%D%/assets/debugger.js \
	$(srcdir)/%D%/assets/difference.js \
	$(srcdir)/%D%/assets/maintenance.js \
	$(srcdir)/%D%/assets/nodes.js \
	$(srcdir)/%D%/assets/notebook.js \
	$(srcdir)/%D%/assets/overview.js \
	$(srcdir)/%D%/assets/pod.js \
	$(srcdir)/%D%/assets/pods.js \
	$(srcdir)/%D%/assets/trial.js \
	$(srcdir)/%D%/assets/tune.js \
	$(srcdir)/%D%/assets/workbench.js
libpredicated_a_SOURCES += \
	%D%/files.c %D%/files.h

# The pages are part of the programs.
%D%/files.$(OBJEXT): %D%/assets_data.h %D%/live_data.h %D%/shared_data.h
%D%/shared_data.h: $(page_shared_files) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) page_shared $(page_shared_files) >$@.new && \
	    mv $@.new $@
%D%/live_data.h: $(page_live_files) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) page_live $(page_live_files) >$@.new && \
	    mv $@.new $@
%D%/assets_data.h: $(page_web_files) $(page_embed)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	    $(SHELL) $(page_embed) page_web $(page_web_files) >$@.new && \
	    mv $@.new $@
CLEANFILES += %D%/assets_data.h %D%/live_data.h %D%/shared_data.h
EXTRA_DIST += %D%/embed.sh $(page_shared_files) $(page_live_files) \
	$(page_web_files)
