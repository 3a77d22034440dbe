/* A pod that fits on no node: why, and the changes that would let it fit. */
import { count, h, nodeLink, panel, plural, podLink } from "./dom.js";

/* ---- the remedy, to be copied ---- */

const yaml = (text) => JSON.stringify(text);

function toleration(taint) {
	const [, key, value, effect] = /^([^=:]*)(?:=([^:]*))?:?(.*)$/.exec(taint);

	return ["tolerations:", `- key: ${yaml(key)}`, value === undefined ?
	    "  operator: Exists" : `  value: ${yaml(value)}`,
	effect ? `  effect: ${effect}` : null].filter((l) => l).join("\n");
}

/* The change of a diagnosis as a command, or as a part of the pod's spec; null: it has
 * no such form. */
function patchOf({ action, subject, value }) {
	if (action === "request")
		return "# in all containers together\nresources:\n  requests:\n" +
		    `    ${subject}: ${yaml(value)}`;
	if (action === "tolerate")
		return toleration(subject);
	if (action === "select" && value !== "")
		return `nodeSelector:\n  ${subject}: ${yaml(value)}`;
	if (action === "label")
		return `kubectl label node ${subject} ${value.replaceAll(",", " ")}`;
	if (action === "uncordon")
		return `kubectl uncordon ${subject}`;
	if (action === "delete" && !/ and /.test(subject))
		return subject.split(", ").map((pod) => pod.split("/")).map(
		    ([namespace, name]) =>
			`kubectl -n ${namespace} delete pod ${name}`).join("\n");
	return null;
}

/* A text with a button that copies it. */
export function toCopy(label, text) {
	const button = h("button", { type: "button", onclick: async () => {
		try {
			await navigator.clipboard.writeText(text);
			button.textContent = "Copied";
		} catch {
			button.textContent = "Not allowed";
		}
	} }, "Copy");

	return h("div", { class: "patch" }, h("pre", { tabindex: "0",
	    role: "region", "aria-label": label }, text), button);
}

/* What stops running work is to be read, not copied. */
function patch(change) {
	const text = change && patchOf(change);

	if (!text)
		return null;
	return change.action !== "delete" ?
	    toCopy("The remedy, to be copied", text) :
	    [h("p", {}, "This stops running work:"),
		h("pre", { tabindex: "0", role: "region",
		    "aria-label": "The remedy" }, text)];
}

/* d: message, and diagnosis or null. */
export function reason(d) {
	return h("section", { class: "panel bad-panel" },
	    h("h2", {}, d.diagnosis ? d.diagnosis.text : "It fits on no node"),
	    d.diagnosis?.remedy ? h("p", {}, h("b", {}, "Remedy: "),
		d.diagnosis.remedy, d.diagnosis.proven ?
		" (decided again with this change: it fits)" : "") : null,
	    d.diagnosis?.remedy ? patch(d.diagnosis.change) : null,
	    h("p", { class: "mono" }, d.message));
}

/* misses: [{ text, nodes: how many, node: the name of one }], the nearest first;
 * preemption: { node, victims: names of pods } or null. */
export function remedies(misses, preemption) {
	return h("div", { class: "two" },
	    panel("Nearest misses", misses.length === 0 ?
		h("p", { class: "dim" }, "Every node is refused by several rules.") :
		h("ul", { class: "groups" }, misses.slice(0, 8).map((m) =>
		    h("li", {}, h("b", {}, count(m.nodes)), h("p", {}, m.text, " ",
			h("span", { class: "dim" }, m.nodes === 1 ? "on " :
			    "such as "), nodeLink(m.node)))))),
	    panel("Preemption", preemption === null ?
		h("p", { class: "dim" }, "Evicting pods of lower priority does " +
		    "not help.") :
		[h("p", {}, `Evicting ${plural(preemption.victims.length, "pod")} ` +
		    "makes room on ", nodeLink(preemption.node), ":"),
		h("ul", {}, preemption.victims.slice(0, 20).map((name) =>
		    h("li", {}, podLink(name))))]));
}
