/* Drain, defrag, capacity and audit: what these commands of predicatectl print as JSON.
 * Nothing here decides anything. */
import { ask, askOnce } from "./api.js";
import { WindowTable, amount, count, debounce, fact, fill, h, localRows, nodeLink,
    panel, plural, podLink } from "./dom.js";

const tabs = { drain: "Drain", defrag: "Defrag", capacity: "Capacity",
	audit: "Audit" };
const slot = `maintenance-${Math.random().toString(36).slice(2)}`;

/* ---- rows ---- */

const shown = { pod: (name) => podLink(name), node: nodeLink, from: nodeLink, to: nodeLink,
	preferred: nodeLink,
	requested: (n, row) => amount(row.resource, n),
	allocatable: (n, row) => amount(row.resource, n) };

function cell(row, key) {
	const value = row[key];

	if (value === null || value === false || value === "")
		return h("span", { class: "dim" }, "–");
	return shown[key]?.(value, row) ?? (Array.isArray(value) ? value.join("; ") :
	    typeof value === "number" ? count(value) :
	    value === true ? "yes" : value);
}

/* columns: { member of a row: head }. */
function table(title, columns, rows, empty) {
	const keys = Object.keys(columns);
	const list = new WindowTable(title, keys.map((key) => ({ name: columns[key],
	    class: typeof rows[0]?.[key] === "number" ? "num" : undefined,
	    cell: /reason|rule/.test(key) ? "clip" : undefined,
	    key: (row) => typeof row[key] === "number" ? row[key] :
		row[key] && String(row[key]) })),
	(row) => keys.map((key) => cell(row, key)));

	list.set(localRows(rows));
	return [h("h2", {}, title), rows.length > 0 ? list.box :
	    h("p", { class: "dim" }, empty)];
}

const group = (n, ...text) => h("li", {}, h("b", {}, n), h("p", {}, text));
const groups = (rows) => h("ul", { class: "groups" }, rows);
const note = (text) => h("span", { class: "dim" }, text && ` · ${text}`);
const coloured = (kind, title, ...content) =>
    h("section", { class: `panel ${kind}-panel` }, h("h2", {}, title), content);
const maybe = (n, text) => n > 0 ? h("span", { class: "bad" }, count(n), " ",
    h("small", {}, text)) : "0";

/* ---- answers ---- */

function plan(d) {
	const blocking = d.plan.filter((step) => step.blocks);
	const slowing = d.budgets.filter((budget) => budget.slows);

	return h("div", { class: "two" }, h("div", {},
	    coloured(blocking.length > 0 ? "bad" : "good", blocking.length > 0 ?
		"What blocks the drain" : "Nothing blocks the drain",
	    groups(blocking.map((step) => group(count(step.pods), step.action,
		note(step.note))))),
	    slowing.length === 0 ? null : coloured("warn", "What slows it",
		groups(slowing.map((b) => group(count(b.pods),
		    `pods of the budget ${b.budget}: `, b.disruptionsAllowed === 1 ?
			"one at a time" : `${count(b.disruptionsAllowed)} at a time`))))),
	panel("The steps, in their order", groups(d.plan.filter((step) =>
	    !step.blocks).map((step) => group(step.step, step.action,
	    step.pods > 0 ? ` (${plural(step.pods, "pod")})` : "",
	    note(step.note))))));
}

const answers = {
	drain: (d) => [
		h("dl", { class: "facts" },
		    fact(d.plan ? "Nodes drained" : "Nodes lost",
			count(d.nodes.length)),
		    fact("Pods that move", count(d.move)),
		    fact("Pods that fit nowhere", maybe(d.fitNowhere, "would wait")),
		    fact("Not re-placed", count(d.stay))),
		d.plan ? plan(d) : null,
		table("Pods of the nodes", { pod: "Pod", from: "From", to: "To",
			result: "Result", reason: "Because", budget: "Budget",
			severalBudgets: "In several budgets",
			unmanaged: "Without controller" }, d.pods,
		"No pod is on them."),
	],
	defrag: (d) => {
		const doubt = d.minimal || d.fitsNow ? null : h("p", {},
		    `A plan${d.moves.length > 0 ? " with fewer moves" : ""} was not ` +
		    "ruled out: ", d.stopped ? `${d.stopped}; all plans of up to ` +
			`${plural(d.searchedMoves, "move")} were tried.` :
			d.ruleAboutOtherPods ? `${d.ruleAboutOtherPods} depends on ` +
			    "pods elsewhere." :
			"pods might have to go out of each other's way.");

		if (d.fitsNow)
			return coloured("good", ["It fits on ", nodeLink(d.node),
				" now: nothing has to move"]);
		if (d.moves.length === 0)
			return coloured("bad", "No moves were found that let it in",
			    h("p", {}, plural(d.movablePods, "pod"), " may be moved."),
			    doubt, h("p", { class: "mono" }, d.message));
		return [coloured("good", ["It fits on ", nodeLink(d.node), " after ",
			plural(d.moves.length, "move"),
			d.minimal ? ", and not after fewer" : ""], doubt,
		h("p", {}, `${plural(d.movablePods, "pod")} may be moved. Cordon each ` +
		    "pod's old node before you evict it.")),
		table("Moves, in their order", { step: "Step", pod: "Pod",
			from: "From", to: "To", preferred: "The scheduler's choice",
			budget: "Budget", unmanaged: "Without controller" },
		d.moves.map((move, i) => ({ step: i + 1, ...move })))];
	},
	capacity: (d) => [
		coloured(d.copies > 0 ? "good" : "bad",
		    `${d.limited ? "At least " : ""}${plural(d.copies, "more copy",
			"more copies")} ${d.copies === 1 ? "fits" : "fit"}`,
		    d.message === null ? null : h("p", { class: "mono" },
			`Then: ${d.message}`)),
		panel("What runs out", d.runsOut.length === 0 ?
		    h("p", { class: "dim" }, "Nothing.") :
		    groups(d.runsOut.map((r) => group(count(r.nodes), r.reason,
			note(r.filledNodes === 0 ? "no copy is there" :
			    `copies are on ${count(r.filledNodes)} of them`))))),
		table("Nodes", { node: "Node", copies: "Copies",
			reasons: "Takes no more because" }, d.nodes,
		"The cluster has no nodes."),
	],
	audit: (d) => [
		h("dl", { class: "facts" }, fact("Pods on nodes", count(d.pods)),
		    fact("Pods that break a rule", maybe(d.brokenRules.length,
			"on their own node")),
		    fact("Pods on cordoned nodes", count(d.staying),
			"that breaks no rule"),
		    fact("Over-committed", maybe(d.overcommitted.length,
			"times a node")),
		    fact("Budgets that block", maybe(d.blockingBudgets.length,
			"every drain")),
		    fact("Pods in several budgets", maybe(d.severalBudgets.length,
			"cannot be evicted"))),
		table("Pods that would not fit on their own node now", { pod: "Pod",
			node: "Node", rule: "Breaks", reasons: "Because" },
		d.brokenRules, "None."),
		table("Nodes whose pods request more than they have", { node: "Node",
			resource: "Resource", requested: "Requested",
			allocatable: "Allocatable" }, d.overcommitted, "None."),
		table("PodDisruptionBudgets that block every drain", {
			namespace: "Namespace", name: "Name", pods: "Pods" },
		d.blockingBudgets, "None."),
		d.severalBudgets.length === 0 ? null : table("Pods in several budgets",
		    { pod: "Pod" }, d.severalBudgets.map((pod) => ({ pod }))),
		table("Rules that make no difference to any pod", { rule: "Rule",
			kind: "Kind", profile: "Profile" }, d.idleRules, "None."),
	],
};

/* ---- questions ---- */

const checkbox = (label, value, changed) => h("label", {}, h("input",
    { type: "checkbox", checked: value, onchange: (e) =>
	changed(e.target.checked) }), label);

/* Calls chosen(name); suggest(part) resolves to names. */
function nameBox(label, button, suggest, chosen) {
	const list = h("datalist", { id: "names" });
	const offer = async () => fill(list, (await suggest(input.value).catch(
	    () => [])).map((value) => h("option", { value })));
	const input = h("input", { type: "text", list: "names", size: "28",
		"aria-label": label, placeholder: label, oninput: debounce(offer, 200) });

	offer();
	return h("form", { class: "row", onsubmit: (event) => {
		event.preventDefault();
		if (input.value.trim() !== "")
			chosen(input.value.trim(), input);
	} }, input, list, h("button", {}, button));
}

function podForm(values, again, state, more) {
	const form = nameBox("Name of a pod", "Ask", async (q) =>
	    (await ask("pods", { q, state, limit: 50 })).pods.map((pod) => pod.name),
	(name) => again({ name }));

	form.querySelector("input").value = values.name ?? "";
	return [form, more];
}

/* One kind of choice at a time, as the command has it. */
async function drainForm(values, again) {
	const nodes = await askOnce("nodes");
	const names = h("ul", { class: "chips", "aria-label": "Nodes" });
	const box = h("div", { class: "row" });
	const draw = () => fill(names, values.node.map((name) => h("li", {},
	    nodeLink(name), h("button", { type: "button", class: "quiet",
		"aria-label": `Leave ${name} out`, onclick: () => {
			again({ node: values.node.filter((n) => n !== name) });
			draw();
			box.querySelector("input")?.focus();
		} }, "×"))));
	const zones = nodes.zones.filter((zone) => zone !== "");
	const kinds = {
		node: () => [nameBox("Name of a node", "Add", async (part) =>
		    nodes.name.filter((n) => n.includes(part)).slice(0, 200),
		(name, input) => {
			again({ node: [...new Set([...values.node, name])] });
			input.value = "";
			draw();
		}), names],
		zone: () => h("select", { "aria-label": "Zone", onchange: (e) =>
			again({ zone: e.target.value }) }, ["", ...zones].map(
			(zone) => h("option", { value: zone,
			    selected: zone === values.zone },
			zone || "choose a zone"))),
		selector: () => {
			const form = nameBox("Labels, such as pool=gpu,!spare", "Ask",
			    async () => [], (selector) => again({ selector }));

			form.querySelector("input").value = values.selector ?? "";
			return form;
		},
	};
	const choose = (kind) => fill(box, kinds[kind]());
	const kind = values.zone ? "zone" : values.selector ? "selector" : "node";

	draw();
	choose(kind);
	return [h("label", {}, "Drain", h("select", { onchange: (e) => {
		again({ node: [], zone: "", selector: "" });
		draw();
		choose(e.target.value);
	} }, Object.entries({ node: "nodes by name", ...(zones.length > 0 ?
		{ zone: "all nodes of a zone" } : {}),
	selector: "all nodes with labels" }).map(([value, text]) =>
		h("option", { value, selected: value === kind }, text)))), box,
	checkbox("simulate a sudden failure (ignore PodDisruptionBudgets)", values.lost, (on) =>
		again({ lost: on ? "1" : "" }))];
}

const questions = {
	drain: { title: "Where the pods of nodes would go",
		form: drainForm, wait: "Placing their pods elsewhere…",
		isAsked: (v) => v.node.length > 0 || v.zone || v.selector,
		hint: "Choose nodes. The answer says what blocks their drain, what " +
		    "slows it, and where each pod would go." },
	defrag: { title: "The fewest moves that let a pod in",
		form: (values, again) => podForm(values, again, "pending", [
			checkbox("move every pod that may be evicted", values.force,
			    (on) => again({ force: on ? "1" : "" }))]),
		wait: "Trying moves, for a minute at the most…",
		isAsked: (v) => v.name,
		hint: "Choose a pending pod. The answer says which pods have to move, " +
		    "and in which order." },
	capacity: { title: "How many more pods fit",
		form: (values, again) => podForm(values, again, "all"),
		wait: "Placing copies until none fits…", isAsked: (v) => v.name,
		hint: "Choose a pod. Copies of it are placed one after the other " +
		    "until none fits." },
	audit: { title: "What is wrong in the cluster", form: () => [],
		wait: "Asking every rule about every pod…", isAsked: () => true },
};

export async function showMaintenance(context, command) {
	const { title, form, wait, isAsked, hint } = questions[command];
	const result = h("div", { id: "answer", role: "status" });
	const p = context.parameters;
	const values = { node: p.getAll("node"), ...Object.fromEntries(["zone",
	    "selector", "lost", "name", "force"].map((key) => [key, p.get(key)])) };
	const { pods } = await askOnce("cluster");
	let last = 0;

	async function again(changes) {
		const mine = ++last;

		Object.assign(values, changes);
		const given = Object.entries(values).filter(([, value]) => value)
		    .flatMap(([key, value]) => [value].flat().map((v) => [key, v]));

		context.remember(given);
		fill(result, h("p", { class: "panel empty" }, isAsked(values) ? wait :
		    command === "defrag" && pods.pending === 0 ?
			"No pod is pending: there is nothing to make room for." :
			hint));
		if (!isAsked(values))
			return;
		try {
			const got = await askOnce(command, { ...values, slot });

			if (mine === last)
				fill(result, answers[command](got));
		} catch (error) {
			if (error.status === undefined)
				console.error(error);
			if (mine === last)
				fill(result, h("section", { class: "panel bad-panel",
					role: "alert" }, h("h2", {}, "There is no answer"),
				h("p", {}, error.message)));
		}
	}
	context.title(tabs[command]);
	const controls = await form(values, again);

	again({});
	return [h("nav", { "aria-label": "Maintenance" }, Object.entries(tabs).map(
	    ([name, text]) => h("a", { href: `#/${name}`,
		"aria-current": name === command ? "page" : undefined }, text))),
	h("h1", { tabindex: "-1" }, title),
	controls.length > 0 ? h("div", { class: "bar-controls" }, controls) : null,
	result];
}
