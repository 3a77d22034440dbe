/* Pods that wait, by their reasons, and all pods. */
import { ask, askOnce } from "./api.js";
import { WindowTable, amount, count, debounce, fill, h, meter, nodeLink, panel,
    plural, podLink, remoteRows } from "./dom.js";

function others(pod) {
	return Object.entries(pod.other ?? {}).map(([name, n]) =>
	    `${amount(name, n)} ${name}`).join(", ");
}

const requestColumns = [{ name: "cpu", class: "num" },
    { name: "memory", class: "num" }, { name: "Other requests" }];
const requests = (pod) => [amount("cpu", pod.cpu),
    amount("memory", pod.memory), others(pod)];

/* A remote list in a table that says when it cannot be read. */
function remoteTable(label, columns, draw, empty, load, onload) {
	const trouble = h("p", { class: "bad", role: "alert" });
	const table = new WindowTable(label, columns, draw, empty);

	function start() {
		fill(trouble);
		const rows = remoteRows(load, () => {
			onload?.(rows.total);
			table.refresh();
		}, (error) => fill(trouble, error.message));

		table.set(rows);
	}
	return { box: [trouble, table.box], start };
}

/* ---- pods that wait ---- */

function groupRow(group, total) {
	return h("li", {}, h("b", {}, count(group.pods)), h("div", {},
	    h("p", {}, group.reason === null ?
		h("span", { class: "good" },
		    "would be placed: a node fits now") :
		group.reason.replace(/^no node fits: /, "")),
	    h("p", { class: "dim" },
		`${amount("cpu", group.cpu)} cpu, ` +
		`${amount("memory", group.memory)} memory · such as `,
		group.examples.slice(0, 3).map((name) => [podLink(name), " "])),
	    meter(group.pods / total, true)));
}

export async function showPending(context) {
	const reasons = await askOnce("reasons");
	let text = context.parameters.get("q") ?? "";
	const found = h("span", { class: "dim", role: "status" });
	const { box, start } = remoteTable("Pending pods", [{ name: "Pod" },
	    { name: "Priority", class: "num" }, ...requestColumns,
	    { name: "Now", cell: "clip" }], (pod) => [podLink(pod.name),
		count(pod.priority), ...requests(pod), pod.node !== null ?
		    [h("span", { class: "good" }, "fits on "),
			nodeLink(pod.node)] :
		    h("span", { title: pod.message }, pod.message)],
	    "No pod is pending", async (offset, limit) => {
		const got = await ask("pending", { offset, limit, q: text });

		return { total: got.total, rows: got.pods };
	    }, (total) => { found.textContent = plural(total, "pod"); });

	context.title("Pending pods");
	if (reasons.total === 0)
		return [h("h1", { tabindex: "-1" }, "Pending pods"),
		    h("p", { class: "panel empty" }, "No pod is pending.")];
	start();
	return [
		h("h1", { tabindex: "-1" }, "Pending pods"),
		h("p", { class: "dim" }, "As the policy in force decides about " +
		    "each of them now, one without the others."),
		panel(`Why ${plural(reasons.total, "pod")} ` +
		    (reasons.total === 1 ? "waits" : "wait"),
		    reasons.decided < reasons.total ? h("p", { class: "dim" },
			`Of the first ${count(reasons.decided)} in the queue.`) :
		    null, h("ul", { class: "groups" }, reasons.groups.map((g) =>
			groupRow(g, reasons.decided)))),
		h("div", { class: "bar-controls" },
		    h("input", { type: "search", value: text,
			"aria-label": "Pods with this in their names",
			placeholder: "Find a pod", oninput: debounce((e) => {
				text = e.target.value;
				context.remember(text ? { q: text } : {});
				start();
			}, 200) }), found),
		box,
	];
}

/* ---- all pods ---- */

export async function showPods(context) {
	let text = context.parameters.get("q") ?? "";
	let state = context.parameters.get("state") ?? "all";
	const found = h("span", { class: "dim", role: "status" });
	const { box, start } = remoteTable("Pods", [{ name: "Pod" },
	    { name: "Priority", class: "num" }, ...requestColumns,
	    { name: "State" }, { name: "Node" }], (pod) => [podLink(pod.name),
		count(pod.priority), ...requests(pod), pod.state,
		pod.node === null ? h("span", { class: "dim" }, "–") :
		    nodeLink(pod.node)], "No pod has this name and state",
	    async (offset, limit) => {
		const got = await ask("pods", { offset, limit, q: text, state });

		return { total: got.total, rows: got.pods };
	    }, (total) => { found.textContent = plural(total, "pod"); });

	function again() {
		const values = {};

		if (text)
			values.q = text;
		if (state !== "all")
			values.state = state;
		context.remember(values);
		start();
	}
	context.title("Pods");
	start();
	return [
		h("h1", { tabindex: "-1" }, "Pods"),
		h("div", { class: "bar-controls" },
		    h("input", { type: "search", value: text,
			"aria-label": "Pods with this in their names",
			placeholder: "Find a pod", oninput: debounce((e) => {
				text = e.target.value;
				again();
			}, 200) }),
		    h("label", {}, "State", h("select", { onchange: (e) => {
			    state = e.target.value;
			    again();
		    } }, ["all", "placed", "pending", "ended"].map((s) =>
			h("option", { value: s, selected: s === state }, s)))),
		    found),
		box,
	];
}
