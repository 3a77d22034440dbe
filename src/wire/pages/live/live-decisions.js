/* The last decisions, as they are made. */
import { ask } from "./api.js";
import { WindowTable, count, fill, h, localRows, nodeLink, plural,
    podLink } from "./dom.js";
import { showPod } from "./pod.js";
import { QueryBox } from "./query.js";
import { clock, follow } from "./polling.js";

const kept = 1000, followSeconds = 2;

const columns = [{ name: "Time", key: (d) => d.time },
	{ name: "Pod", key: (d) => d.pod }, { name: "Node", key: (d) => d.node },
	{ name: "Score", class: "num",
		key: (d) => d.node === null ? null : d.score },
	{ name: "Fitting", class: "num", key: (d) => d.feasible },
	{ name: "Took", class: "num", key: (d) => d.ms },
	{ name: "Refusal", cell: "clip", key: (d) => d.message }];

const decisionRow = (d) => [clock(d.time), podLink(d.pod),
	nodeLink(d.node), d.node === null ? h("span", { class: "dim" }, "–") :
	    h("span", { title: d.best > 1 ?
		`${plural(d.best, "node")} had this score` : undefined },
	    count(d.score)),
	`${count(d.feasible)} of ${count(d.nodes)}`, `${d.ms.toFixed(d.ms < 1 ? 2 : 1)} ms`,
	h("span", { title: d.message }, d.message)];

const decisionTable = (label, empty) =>
    new WindowTable(label, columns, decisionRow, empty);

export async function showDecisions(context) {
	const p = context.parameters;
	const fields = { name: { text: (d) => [d.pod, d.node] },
		pod: { text: (d) => d.pod }, node: { text: (d) => d.node },
		reason: { text: (d) => d.message }, ms: { number: (d) => d.ms },
		score: { number: (d) => d.node === null ? null : d.score },
		fitting: { number: (d) => d.feasible } };
	const box = new QueryBox("decisions", "web node:a-7 ms>5 reason:affinity",
	    p.get("q") ?? "", () => fields, () => again());
	let kind = ["placed", "refused"].includes(p.get("kind")) ? p.get("kind") :
	    "all";
	let decisions = [];
	const trouble = h("p", { class: "bad", role: "alert" });
	const table = decisionTable("Decisions",
	    "No decision is here: none was made, or none matches");

	function draw() {
		const rows = decisions.filter((d) =>
		    (kind === "all" || (d.node !== null) === (kind === "placed")) &&
		    box.query.match(d));

		box.found.textContent = plural(rows.length, "decision");
		table.set(localRows(rows));
	}
	function again() {
		context.remember({ ...(box.query.text ? { q: box.query.text } : {}),
			...(kind !== "all" ? { kind } : {}) });
		draw();
	}
	async function update() {
		const reply = await ask("decisions",
		    { since: decisions[0]?.number ?? 0, limit: kept });

		if (reply.decisions.length === 0)
			return;
		decisions = [...reply.decisions, ...decisions].slice(0, kept);
		draw();
	}
	context.title("Decisions");
	await update();
	draw();
	follow(context.current, followSeconds, update,
	    (error) => fill(trouble, error?.message));

	return [
		h("h1", { tabindex: "-1" }, "Decisions"),
		h("p", { class: "dim" }, `The last ${count(kept)}, the latest first.`),
		h("div", { class: "bar-controls" },
		    h("label", {}, "Outcome", h("select", { onchange: (e) => {
			    kind = e.target.value;
			    again();
		    } }, ["all", "placed", "refused"].map((k) =>
			h("option", { value: k, selected: k === kind }, k)))),
		    h("span", { class: "grow" }), box.element),
		trouble, table.box,
	];
}

/* ---- one pod ---- */

async function decisionsOf(name) {
	const { decisions } = await ask("decisions");
	const table = decisionTable("Decisions about the pod",
	    "None of the last 1,000 decisions is about this pod");

	table.set(localRows(decisions.filter((d) => d.pod === name)));
	return h("section", {}, h("h2", {}, "Decisions about it"), table.box);
}

/* The decision about it now, and the last ones. */
export async function showPodAndDecisions(context, name) {
	const gone = (error) => {
		if (error.status !== 404)
			throw error;
		return [h("h1", { tabindex: "-1" }, name), h("p", {}, error.message)];
	};

	return [await showPod(context, name).catch(gone), await decisionsOf(name)];
}
