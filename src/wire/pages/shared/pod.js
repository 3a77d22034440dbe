/* One pod's decision: why it goes where it goes, node by node and rule by rule. */
import { ask, askOnce } from "./api.js";
import { podMap, whyNot, whyThere } from "./debugger.js";
import { WindowTable, amount, count, fact, fill, h, link, loadAll, meter, nodeLink, panel,
    plural, remoteRows } from "./dom.js";
import { has } from "./frame.js";
import { reason, remedies } from "./unplaced.js";

const glyphs = {
	".": ["✓", "fits", "dim"],
	"x": ["✕", "refuses; evicting pods might help", "bad"],
	"X": ["✕", "refuses, whatever is evicted", "bad"],
	"!": ["!", "cannot be evaluated", "warn"],
	"-": ["", "does not apply", "dim"],
};

/* ---- the outcome ---- */

function outcome(d) {
	if (!d.served)
		return panel(null, h("p", {}, d.message));
	if (d.error)
		return h("section", { class: "panel bad-panel" },
		    h("h2", {}, "The attempt fails"), h("p", {}, d.error));
	if (d.queue?.status === "behind")
		return reason({ diagnosis: d.diagnosis,
		    message: `By itself it would go to ${d.chosen}.` });
	if (d.chosen !== null)
		return h("section", { class: "panel good-panel" },
		    h("h2", {}, d.pod.node === d.chosen ? "It would stay on " :
			"It would go to ", nodeLink(d.chosen)),
		    h("p", {}, `${count(d.fitting)} of ` +
			`${plural(d.nodes, "node")} fit. ` + (d.best > 1 ?
			`${count(d.best)} nodes tie with the best score, ` +
			`${d.bestTotal}; one is picked at random.` :
			`Its score, ${d.bestTotal}, is the best.`)),
		    d.queue?.status === "goes" && d.queue.node !== d.chosen ?
			h("p", {}, `When the ${count(d.queue.before)} before it ` +
			    "in the queue are placed, it goes to ",
			nodeLink(d.queue.node), ".") : null);
	return reason(d);
}

function helps(d) {
	return !d.served || d.chosen !== null || d.error ? null :
	    remedies(d.misses, d.preemption);
}

/* ---- the rules ---- */

function filters(d) {
	const asked = d.filters.filter((f) => f.asked);
	const rest = d.filters.length - asked.length;

	return panel("Filters: nodes that each rule refuses",
	    h("ul", { class: "groups" }, asked.sort((a, b) =>
		b.refuses - a.refuses).map((f) => h("li", {},
		h("b", { class: f.refuses > 0 ? "bad" : "dim" },
		    count(f.refuses)), h("div", {}, h("p", {}, f.name,
		    f.refusesAlone > 0 ? h("span", { class: "dim" },
			` · ${count(f.refusesAlone)} by it alone`) : null),
		    meter(d.nodes > 0 ? f.refuses / d.nodes : 0, true))))),
	    rest > 0 ? h("p", { class: "dim" },
		`${plural(rest, "rule")} ${rest === 1 ? "does" : "do"} not ` +
		"apply to this pod.") : null);
}

function scores(d) {
	return panel("Scores", h("p", { class: "dim" }, d.scores.length === 0 ?
	    "No rule scores: all nodes that fit are equal." :
	    `0 to ${d.scoreMax} each, times the weight.`),
	    h("ul", { class: "rules" }, d.scores.map((s) => h("li", {},
		h("div", { class: "rule" }, h("span", { class: "name" }, s.name),
		    h("b", {}, `× ${count(s.weight)}`))))));
}

/* ---- node × rule ---- */

const tall = (name, text) => h("span", { title: text ?? name }, name);

function columns(d, shown) {
	return [{ name: "Node", class: "first", cell: "first",
		key: (r) => r.node },
	    { name: "Total", class: "num", key: (r) => r.total },
	    ...d.scores.map((s) => ({ class: "tall", cell: "cell",
		head: tall(s.name, `${s.name}, weight ${s.weight}`) })),
	    ...shown.map((i) => ({ class: "tall", cell: "cell",
		head: tall(d.filters[i].name) })),
	    { name: "Reasons", key: (r) => r.reasons?.join("; ") }];
}

function row(d, shown, r) {
	return [nodeLink(r.node), r.fits ? h("b", {}, count(r.total)) :
	    h("span", { class: "dim" }, "–"),
	    ...d.scores.map((_, i) => r.fits ? String(r.scores[i] ?? "–") : ""),
	    ...shown.map((i) => {
		const [glyph, text, kind] = glyphs[r.verdicts[i]];

		return [h("span", { class: kind, "aria-hidden": "true" }, glyph),
		    h("span", { class: "hidden-text" }, text)];
	    }),
	    r.fits ? "" : r.reasons.join("; ")];
}

function decisionTable(d, load) {
	const shown = [...d.filters.keys()].filter((i) => d.filters[i].asked);
	const table = new WindowTable("Nodes and rules", columns(d, shown),
	    (r) => row(d, shown, r), "No node");
	const trouble = h("p", { class: "bad", role: "alert" });

	function start(parameters) {
		const rows = remoteRows(async (offset, limit) => {
			const got = await load({ ...parameters, offset, limit });

			for (const r of got.rows)
				r.chosen = r.node === got.chosen;
			return { total: got.total, rows: got.rows };
		}, () => table.refresh(),
		(error) => fill(trouble, error.message));

		table.set(rows);
	}
	return { box: [trouble, table.box], start };
}

/* ---- the view ---- */

/* trial: another policy, { body of a request, name }; null: the one in force. */
export async function showPod(context, name, trial = null) {
	const load = (parameters) => ask("pod", { name, ...parameters }, trial?.body);
	const d = await load({ limit: 1, queue: true });
	const pod = d.pod;
	let fits = "";

	context.title(name);
	const content = [
		h("div", { class: "head" }, h("div", {},
		    h("h1", { tabindex: "-1" }, name),
		    h("p", { class: "dim" }, [pod.controller,
			`scheduler ${pod.schedulerName}`,
			pod.node ? "decided as if it were pending" : "pending"]
			.filter((t) => t).join(" · "))),
		    trial ? h("p", {}, `Decided by ${trial.name}. `,
			h("a", { href: `#/pod/${encodeURI(name)}` },
			    "By the policy in force")) : !has("/defrag") ? null :
			h("p", {}, pod.node ? null : [link("/defrag", { name },
			    "Moves that let it in"), " · "],
			link("/capacity", { name }, "How many more fit"))),
		h("dl", { class: "facts" },
		    fact("On node", pod.node ? nodeLink(pod.node) : "none"),
		    fact("Priority", count(pod.priority)),
		    Object.entries(pod.requests).map(([resource, n]) =>
			fact(`${resource} requested`, amount(resource, n)))),
		outcome(d), helps(d),
	];

	if (!d.served || d.error)
		return content;
	const { box, start } = decisionTable(d, load);
	const page = (parameters) => load(parameters).then((got) =>
	    ({ total: got.total, rows: got.rows }));
	/* It is a command's answer, about the policy in force. */
	const other = trial || !has("/defrag") ? null :
	    whyNot(name, await askOnce("nodes"));
	const mapBox = h("div", { role: "status" }, h("p", { class: "dim" },
	    "Loading…"));
	const why = h("div");

	start({});
	podMap(d, () => loadAll((offset, limit) => page({ offset, limit })),
	    trial ? () => {} : other?.ask).then((map) => fill(mapBox, map),
	    (error) => fill(mapBox, h("p", { class: "bad" }, error.message)));
	if (d.fitting > 1)
		page({ fits: "true", limit: d.best + 1 }).then(({ rows }) =>
		    fill(why, whyThere(d, rows)), () => {});
	content.push(panel("Where it fits", mapBox), why,
	    other?.element,
	    h("div", { class: "two" }, filters(d), scores(d)),
	    h("h2", {}, "Every node and every rule"),
	    h("div", { class: "bar-controls" }, h("label", {}, "Nodes",
		h("select", { onchange: (e) => {
			fits = e.target.value;
			start({ fits });
		} }, [["", "all"], ["true", "that fit"],
		    ["false", "that do not fit"]].map(([v, text]) =>
			h("option", { value: v }, text))))),
	    box);
	return content;
}
