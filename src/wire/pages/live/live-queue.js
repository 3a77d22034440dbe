/* The queue: its places, and the pods of one or all of them. */
import { ask } from "./api.js";
import { WindowTable, count, fact, fill, h, loadAll, localRows, plural, podLink,
    requestColumns, requests } from "./dom.js";
import { QueryBox, podFields } from "./query.js";
import { LiveRows, follow, since, until } from "./polling.js";

const places = [["active", "Active"], ["in-flight", "In flight"],
	["backoff", "Backoff"], ["unschedulable", "Unschedulable"],
	["gated", "Gated"], ["quarantine", "Quarantine"]];
const meanings = {
	"active": "to be tried next, the first one first",
	"in-flight": "decided about or bound now",
	"backoff": "tried again when their backoff is over",
	"unschedulable": "no node fits; tried again when the cluster changes",
	"gated": "not tried while a gate or a plugin holds them back",
	"quarantine": "held the scheduler up; tried again later",
};
const followSeconds = 3, foundMost = 500;

/* ---- the summary ---- */

/* lost: the daemon does not answer any more. */
function facts(status, lost) {
	return h("dl", { class: "facts" },
	    fact("State", lost ? "not known" : status.leads ? "leads" : "stands by",
		lost ? "the daemon does not answer" :
		status.leads && !status.leaderElection ? "no election" : null),
	    places.map(([name, title]) =>
		fact(title, count(status.queue[name]))),
	    fact("Nodes", count(status.nodes)));
}

/* ---- pods ---- */

function why(pod) {
	if (pod.message === null)
		return pod.gates ? `gates: ${pod.gates.join(", ")}` :
		    h("span", { class: "dim" }, pod.place === "gated" ?
			"held back by a plugin" : "not tried yet");
	return h("span", { title: pod.message }, pod.misses ?
	    [h("b", {}, `Nearest: ${pod.misses}`), ` · ${pod.message}`] :
	    pod.message);
}

const columns = [{ name: "Pod", key: (pod) => pod.name },
	{ name: "Priority", class: "num", key: (pod) => pod.priority },
	{ name: "Attempts", class: "num", key: (pod) => pod.attempts },
	{ name: "Age", class: "num", key: (pod) => pod.created &&
		Date.parse(pod.now) - Date.parse(pod.created) },
	{ name: "Next try", class: "num", key: (pod) => pod.next },
	...requestColumns,
	{ name: "Why", cell: "clip", key: (pod) => pod.message }];

const row = (pod) => [podLink(pod.name), count(pod.priority),
	count(pod.attempts), pod.created ? since(pod.created, pod.now) : "–",
	pod.place === "gated" ?
	    h("span", { class: "dim" }, "after a change") :
	    until(pod.next, pod.now),
	...requests(pod), why(pod)];

/*
 * Pods of all places that match the query, up to foundMost; dated(reply): its pods.
 * The server looks for a part of a name; all names have "/".
 */
async function search(query, dated, alive) {
	const found = new Map();
	let from = 0;

	while (from !== null && found.size < foundMost && alive()) {
		const reply = await ask("queue", { q: query.plain || "/", from,
			limit: query.plain ? 100 : 500 });

		for (const pod of dated(reply).filter(query.match))
			found.set(pod.uid, pod);
		from = reply.next;
	}
	return [...found.values()].slice(0, foundMost);
}

/* ---- the view ---- */

export async function showQueue(context) {
	let status = await ask("status");
	let place = context.parameters.get("place");
	const others = new Set();
	const box = new QueryBox("pods", "web cpu>2 attempts>3 reason:affinity",
	    context.parameters.get("q") ?? "", () => podFields([...others], {
		attempts: { number: (pod) => pod.attempts },
		reason: { text: (pod) => [pod.message, pod.misses] } }),
	    () => again());
	const { found } = box;
	let rows, lost = false;
	const summary = h("div");
	const trouble = h("p", { class: "bad", role: "alert" });
	const meaning = h("p", { class: "dim" });
	const table = new WindowTable("Pods of the queue", columns, row,
	    "No pod is here");

	if (place !== "all" && !meanings[place])
		place = places.find(([name]) => ["unschedulable", "backoff",
			"active"].includes(name) && status.queue[name] > 0)?.[0] ??
		    "unschedulable";
	const failed = (error) => {
		fill(trouble, error?.message);
		if (lost !== (error !== undefined)) {
			lost = !lost;
			drawSummary();
		}
	};
	const options = h("select", { "aria-label": "Place in the queue",
	    onchange: (e) => { place = e.target.value; again(); } });

	function drawSummary() {
		fill(summary, facts(status, lost));
		if (document.activeElement !== options)
			fill(options, places.map(([name, title]) => h("option",
			    { value: name, selected: name === place },
			    `${title} (${count(status.queue[name])})`)),
			h("option", { value: "all", selected: place === "all" },
			    "All places"));
	}
	function dated(reply) {
		for (const pod of reply.pods)
			Object.keys(pod.other ?? {}).forEach((r) => others.add(r));
		return reply.pods.map((pod) => ({ ...pod, now: reply.time }));
	}
	async function load(offset, limit) {
		const reply = await ask("queue", { place, offset, limit });

		found.textContent = reply.listed < reply.total ?
		    `the first ${count(reply.listed)} of ` +
			plural(reply.total, "pod") : plural(reply.total, "pod");
		return { total: reply.listed, rows: dated(reply) };
	}
	/* By names in all places, by anything else in the one that is chosen. */
	async function find() {
		const asked = box.query, where = place;
		const everywhere = asked.plain || where === "all";
		const isAsked = () => box.query === asked && place === where;
		const pods = everywhere ? await search(asked, dated,
		    () => context.current() && isAsked()) :
		    (await loadAll(load, 500)).filter(asked.match);

		if (!isAsked())
			return;
		found.textContent = !everywhere ? plural(pods.length, "pod") :
		    pods.length < foundMost ?
		    `${plural(pods.length, "pod")} in all places` :
		    `the first ${count(pods.length)} pods found`;
		table.set(localRows(pods));
	}
	function again() {
		const { text, plain } = box.query;

		context.remember({ place, ...(text ? { q: text } : {}) });
		meaning.textContent = plain || place === "all" ? "" :
		    `Pods that are ${
		    places.find(([name]) => name === place)[1].toLowerCase()}: ${
		    meanings[place]}.`;
		if (text || place === "all") {
			rows = null;
			find().then(() => failed(), failed);
			return;
		}
		rows = new LiveRows(load, () => table.refresh(), failed);
		table.set(rows);
	}
	async function update() {
		status = await ask("status");
		drawSummary();
		await (rows ? rows.reload() : find());
	}
	context.title("Queue");
	drawSummary();
	again();
	follow(context.current, followSeconds, update, failed);
	return [
		h("h1", { tabindex: "-1" }, "Queue"),
		summary,
		h("div", { class: "bar-controls" },
		    h("label", {}, "Place", options),
		    h("span", { class: "grow" }), box.element),
		meaning, trouble, table.box,
	];
}
