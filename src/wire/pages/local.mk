page_embed = $(srcdir)/%D%/embed.sh
page_shared_files = \
	$(srcdir)/%D%/shared/api.js \
	$(srcdir)/%D%/shared/app.css \
	$(srcdir)/%D%/shared/debugger.js \
	$(srcdir)/%D%/shared/dom.js \
	$(srcdir)/%D%/shared/finder.js \
	$(srcdir)/%D%/shared/frame.js \
	$(srcdir)/%D%/shared/icon.svg \
	$(srcdir)/%D%/shared/index.html \
	$(srcdir)/%D%/shared/map.js \
	$(srcdir)/%D%/shared/node-view.js \
	$(srcdir)/%D%/shared/nodes.js \
	$(srcdir)/%D%/shared/overview.js \
	$(srcdir)/%D%/shared/pod.js \
	$(srcdir)/%D%/shared/pods.js \
	$(srcdir)/%D%/shared/polling.js \
	$(srcdir)/%D%/shared/query.js \
	$(srcdir)/%D%/shared/request.js \
	$(srcdir)/%D%/shared/unplaced.js \
	$(srcdir)/%D%/shared/views.js
page_live_files = \
	$(srcdir)/%D%/live/app.js \
	$(srcdir)/%D%/live/live-decisions.js \
	$(srcdir)/%D%/live/live-overview.js \
	$(srcdir)/%D%/live/live-queue.js \
	$(srcdir)/%D%/live/live-trend.js
page_web_files = \
	$(srcdir)/%D%/assets/app.js \
	$(srcdir)/%D%/assets/difference.js \
	$(srcdir)/%D%/assets/maintenance.js \
	$(srcdir)/%D%/assets/notebook.js \
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
