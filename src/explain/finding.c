#include "config.h"

#include "explain/finding.h"

#include "explain/diagnosis.h"
#include "explain/explanation.h"

const struct finding *
findings_known(const struct findings *f, const struct pod *pod)
{
	return FIND(i, f->at, f->n,
	    f->at[i].pod->class == pod->class &&
		f->at[i].pod->priority == pod->priority &&
		f->at[i].pod->never_preempts == pod->never_preempts);
}

const struct finding *
findings_add(struct findings *f, struct cycle *cycle)
{
	struct explanation e = { .own = f->own };
	const struct diagnosis *d;
	struct finding *found;

	arena_room(f->arena, f->at, f->n, &f->cap);
	found = &f->at[f->n++];
	*found = (struct finding){ .pod = cycle->pod,
		.cause = "",
		.remedy = "",
		.action = "",
		.subject = "" };
	explanation_find(&e, cycle);
	d = diagnosis_find(&e);
	if (d != NULL) {
		found->cause = arena_strdup(f->arena, d->cause);
		found->text = arena_strdup(f->arena, d->text);
		found->remedy = arena_strdup(f->arena, d->remedy);
		if (d->action != NULL) {
			found->action = arena_strdup(f->arena, d->action);
			found->subject = arena_strdup(f->arena, d->subject);
			found->proven = d->proven;
		}
	} else if (e.decision->chosen != NULL) {
		found->node = sym_text(e.decision->chosen->name);
		found->text =
		    arena_printf(f->arena, "it fits on %s", found->node);
	} else {
		found->text = arena_strdup(f->arena, e.message);
	}
	return found;
}
