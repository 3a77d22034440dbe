/* Pods that wait, by their reasons, and all pods. */
import { ask, askOnce } from "./api.js";
import { WindowTable, amount, count, fill, filteredRows, h, meter, nodeLink, panel,
    plural, podLink, remoteRows, requestColumns, requests } from "./dom.js";
import { QueryBox, podFields, wordOf } from "./query.js";

/* A remote list in a table that says when it cannot be read. */
function remoteTable(label, columns, draw, empty, load, onload, size) {
	const trouble = h("p", { class: "bad", role: "alert" });
	const table = new WindowTable(label, columns, draw, empty);

	/* The server finds parts of names, everything else is found here. */
	function start(query) {
		fill(trouble);
		const loaded = () => {
			onload(rows.total);
			table.refresh();
		};
		const failed = (error) => {
			fill(trouble, error.message);
			table.refresh();
		};
		const rows = query.plain === undefined ?
		    filteredRows(load, query.match, loaded, failed) :
		    remoteRows(load, loaded, failed, size);

		table.set(rows);
	}
	return { box: [trouble, table.box], start };
}

/* ---- pods that wait ---- */

function groupRow(group, total, each) {
	const lost = !each && group.reason !== null ? group.alone : 0;

	return h("li", {}, h("b", {}, count(group.pods)), h("div", {},
	    h("p", {}, group.reason === null ? each ?
		"would be placed, each without the others" :
		"would be placed in the order of the queue" :
		group.reason.replace(/^no node fits: /, ""),
		lost > 0 ? h("b", {}, ` · ${count(lost)} of them would fit ` +
		    "alone: pods before them take the room") : null),
	    h("p", { class: "dim" },
		`${amount("cpu", group.cpu)} cpu, ` +
		`${amount("memory", group.memory)} memory · such as `,
		group.examples.slice(0, 3).map((name) => [podLink(name), " "])),
	    meter(group.pods / total, true)));
}

/* Words of a query may have no quotation marks. */
const bare = (text) => (text || "none").replaceAll('"', "");
const remedyOf = ({ action, subject }) => bare(`${action} ${subject}`.trim());

/* The query for the pods of a problem. */
export const problemWords = (p) => [wordOf("cause", bare(p.cause)),
    wordOf("remedy", remedyOf(p))].join(" ");

/* Why pods stay: the whole reason of a group is that of its pods alone, other texts are
 * parts of reasons; causes and remedies are those of problems. */
function reasonFields(groups, problems) {
	const whole = new Set(groups.map((g) => bare(g.reason)));
	const stays = (pod) => pod.status === "stays" || pod.status === "behind";

	return { status: { text: (pod) => pod.status },
		reason: { test: (pod, value) => whole.has(value) ?
		    bare(pod.reason) === value : [pod.message, pod.reason].some((t) =>
			(t ?? "").toLowerCase().includes(value.toLowerCase())) },
		cause: { test: (pod, value) => value === (problems.has(pod.name) ?
		    bare(problems.get(pod.name).cause) : stays(pod) && "unknown") },
		remedy: { test: (pod, value) => problems.has(pod.name) &&
		    value === remedyOf(problems.get(pod.name)) } };
}

function outcome(pod) {
	if (pod.node !== null)
		return ["goes to ", nodeLink(pod.node)];
	if (!pod.alone)
		return h("span", { title: pod.message }, pod.message);
	return h("span", { title: pod.message }, "alone it would go to ",
	    nodeLink(pod.alone), pod.takenBy.length > 0 ? [", which ",
		pod.takenBy.map((name, i) => [i > 0 ? ", " : "",
		    podLink(name)]), pod.takenBy.length === 1 ? " takes" :
		    " take", " before it"] : ", but pods before it take the room",
	    ` · ${pod.message}`);
}

function summary(reasons, each) {
	const placed = reasons.groups.find((g) => g.reason === null)?.pods ?? 0;
	const stay = reasons.decided - placed;
	const part = reasons.decided < reasons.total ?
	    `Of the first ${count(reasons.decided)} in the queue ` : "";

	if (each)
		return `${part}${plural(placed, "pod")} would be placed and ` +
		    `${count(stay)} refused, each as if it were the only one.`;
	return `${part}${plural(placed, "pod")} would be placed and ` +
	    `${count(stay)} would stay pending, when each is placed before the ` +
	    "next one is decided about. Preemption is left out.";
}

export async function showPending(context) {
	const p = context.parameters;
	const each = p.get("each") === "1";
	const reasons = await askOnce("reasons", each ? { each } : {});
	const placed = reasons.groups.find((g) => g.reason === null)?.pods ?? 0;
	const { resources } = await askOnce("nodes");
	const problems = new Map();
	const box = new QueryBox("pods", "web cpu>2 gpu>0 reason:affinity",
	    p.get("q") ?? "", () => podFields(resources, {
		node: { text: (pod) => pod.node },
		...reasonFields(reasons.groups, problems) }), () => again());
	let which = p.get("show") ?? (placed < reasons.decided ? "stay" : "all");
	const { box: tableBox, start } = remoteTable("Pending pods", [
	    { name: "Pod", key: (pod) => pod.name },
	    { name: "Priority", class: "num", key: (pod) => pod.priority },
	    ...requestColumns, { name: each ? "Alone" : "In the queue's order",
		cell: "clip", key: (pod) => pod.node ?? pod.message }], (pod) => [podLink(pod.name),
		count(pod.priority), ...requests(pod), outcome(pod)],
	    "No pending pod matches", async (offset, limit) => {
		if (/\b(cause|remedy)[:=]/.test(box.query.text))
			for (const p of (await askOnce("reasons",
			    { remedies: true })).stays)
				problems.set(p.name, p);
		const got = await ask("pending", { offset, limit, q: box.query.plain,
			each: each ? "true" : undefined,
			outcome: which === "stay" ? "stays" : undefined });

		return { total: got.total, rows: got.pods };
	    }, (total) => { box.found.textContent = plural(total, "pod"); }, 500);

	function parameters() {
		return { ...(box.query.text ? { q: box.query.text } : {}), show: which,
			...(each ? { each: "1" } : {}) };
	}
	function again() {
		context.remember(parameters());
		box.found.textContent = "";
		start(box.query);
	}
	context.title("Pending pods");
	if (reasons.total === 0)
		return [h("h1", { tabindex: "-1" }, "Pending pods"),
		    h("p", { class: "panel empty" }, "No pod is pending.")];
	start(box.query);
	return [
		h("h1", { tabindex: "-1" }, "Pending pods"),
		h("p", { id: "pending-summary" }, summary(reasons, each)),
		h("p", {}, h("label", {}, h("input", { type: "checkbox",
		    checked: each, onchange: () => {
			    const other = { ...parameters() };

			    delete other.each;
			    if (!each)
				    other.each = "1";
			    location.hash = `#/pending?${
				new URLSearchParams(other)}`;
		    } }), " Each alone, as if the others were not there")),
		panel(`Why ${plural(reasons.total, "pod")} ` +
		    (reasons.total === 1 ? "waits" : "wait"),
		    h("ul", { class: "groups" }, reasons.groups.map((g) =>
			groupRow(g, reasons.decided, each)))),
		h("div", { class: "bar-controls" },
		    h("label", {}, "Pods", h("select", { onchange: (e) => {
			    which = e.target.value;
			    again();
		    } }, [["stay", "that stay pending"], ["all", "all"]].map(
			([value, name]) => h("option",
			    { value, selected: value === which }, name)))),
		    box.element),
		tableBox,
	];
}

/* ---- all pods ---- */

export async function showPods(context) {
	const { resources } = await askOnce("nodes");
	const query = new QueryBox("pods", "web cpu>2 gpu>0 node:a-7",
	    context.parameters.get("q") ?? "", () => podFields(resources, {
		state: { text: (pod) => pod.state },
		budget: { test: (pod, value) => pod.budgets.some((b) =>
		    `${pod.name.split("/")[0]}/${b}` === value) },
		node: { text: (pod) => pod.node } }), () => again());
	let state = context.parameters.get("state") ?? "all";
	const { box, start } = remoteTable("Pods", [
	    { name: "Pod", key: (pod) => pod.name },
	    { name: "Priority", class: "num", key: (pod) => pod.priority },
	    ...requestColumns, { name: "State", key: (pod) => pod.state },
	    { name: "Node", key: (pod) => pod.node }], (pod) => [podLink(pod.name),
		count(pod.priority), ...requests(pod), pod.stays ?
		    `${pod.state}, ${pod.stays}` : pod.state,
		pod.node === null ? h("span", { class: "dim" }, "–") :
		    nodeLink(pod.node)], "No pod has this name and state",
	    async (offset, limit) => {
		const got = await ask("pods", { offset, limit,
			q: query.query.plain, state });

		return { total: got.total, rows: got.pods };
	    }, (total) => { query.found.textContent = plural(total, "pod"); });

	function again() {
		const values = {};

		if (query.query.text)
			values.q = query.query.text;
		if (state !== "all")
			values.state = state;
		context.remember(values);
		start(query.query);
	}
	context.title("Pods");
	start(query.query);
	return [
		h("h1", { tabindex: "-1" }, "Pods"),
		h("div", { class: "bar-controls" },
		    h("label", {}, "State", h("select", { onchange: (e) => {
			    state = e.target.value;
			    again();
		    } }, ["all", "placed", "pending", "ended", "staying"].map((s) =>
			h("option", { value: s, selected: s === state }, s)))),
		    query.element),
		box,
	];
}
