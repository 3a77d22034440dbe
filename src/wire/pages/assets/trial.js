/* A policy that is being tried, as a part of the URL: the text if it was edited,
 * and the rules that were changed. */

/* "scores:X=3" or, of one of several profiles, "scores:X=3@NAME" */
const pattern = /^(filters|scores):(.+?)=(\d+)(?:@(.*))?$/s;

/* ---- texts ---- */

/* A longer one is not put into the URL, but kept in this browser, by its content: so
 * that links stay true, and tabs do not disturb each other. */
const longest = 600, mostKept = 30, prefix = "predicated-text-";

function nameOf(text) {
	let a = 0x811c9dc5, b = 0x1000193;

	for (let i = 0; i < text.length; i++) {
		a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
		b = Math.imul(b ^ text.charCodeAt(i), 0x5bd1e995) ^ (b >>> 15);
	}
	return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

function keep(text) {
	const name = nameOf(text);
	const list = JSON.parse(localStorage.getItem(`${prefix}list`) ?? "[]")
	    .filter((n) => n !== name);

	for (const old of list.splice(mostKept - 1))
		localStorage.removeItem(prefix + old);
	localStorage.setItem(prefix + name, text);
	localStorage.setItem(`${prefix}list`, JSON.stringify([name, ...list]));
	return name;
}

/* ---- drafts ---- */

/* The parameters of the last trial of this tab, and of any: { query, time } or null. */
const draftKey = "predicated-draft";

export function saveDraft(query) {
	const draft = JSON.stringify({ query, time: Date.now() });

	sessionStorage.setItem(draftKey, draft);
	if (query !== "")
		localStorage.setItem(draftKey, draft);
}

export const ownDraft = () => JSON.parse(sessionStorage.getItem(draftKey));
export const otherDraft = () => JSON.parse(localStorage.getItem(draftKey));

/* ---- texts in links ---- */

const longestPacked = 4000;

const through = async (bytes, stream) => new Uint8Array(await new Response(
    new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

const pack = async (text) => btoa(String.fromCharCode(...await through(text,
    new CompressionStream("deflate-raw")))).replaceAll("+", "-").replaceAll("/", "_");

async function unpack(packed) {
	const bytes = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));

	return new TextDecoder().decode(await through(Uint8Array.from(bytes,
	    (c) => c.charCodeAt(0)), new DecompressionStream("deflate-raw")));
}

/* The address of a trial, for other browsers; null: its text is too long for one. */
export async function linkTo(trial) {
	const values = trialParameters({ ...trial, text: null });

	if (trial.text !== null) {
		const packed = await pack(trial.text);

		if (packed.length > longestPacked)
			return null;
		values.push(["packed", packed],
		    ["configuration", trial.configuration ? "1" : "0"]);
	}
	return new URL(`#/workbench?${new URLSearchParams(values)}`, location.href).href;
}

/* ---- trials ---- */

/* { text, file: the name of the one that was opened, or null, configuration, changes:
 * Map of "kind:rule@profile" to weights }; null: the policy in force. */
export async function trialFrom(parameters) {
	const changes = new Map();

	for (const value of parameters.getAll("c")) {
		const found = pattern.exec(value);

		if (found)
			changes.set(changeKey(found[1], found[2],
			    found[4] ?? null), { kind: found[1], rule: found[2],
				weight: Number(found[3]),
				profile: found[4] ?? null });
	}
	const draft = parameters.get("draft");
	const packed = parameters.get("packed");
	const text = packed !== null ? await unpack(packed) : parameters.get("text") ??
	    (draft === null ? null : localStorage.getItem(prefix + draft));

	if (text === null && draft !== null)
		throw Object.assign(new Error("The text of this policy is kept in " +
		    "the browser that wrote it, and not in this one. Make a link " +
		    "there, or save it as a file."), { status: 404 });
	if (text === null && changes.size === 0)
		return null;
	return { text, changes, file: parameters.get("file"),
		configuration: parameters.get("configuration") === "1" };
}

export const changeKey = (kind, rule, profile) =>
    `${kind}:${rule}@${profile ?? ""}`;

/* The parameters of a URL. */
export function trialParameters(trial) {
	const values = [];

	if (trial.text !== null) {
		values.push(trial.text.length > longest ?
		    ["draft", keep(trial.text)] : ["text", trial.text]);
		values.push(["configuration", trial.configuration ? "1" : "0"]);
	}
	if (trial.file)
		values.push(["file", trial.file]);
	for (const change of trial.changes.values())
		values.push(["c", `${change.kind}:${change.rule}=` +
		    change.weight + (change.profile === null ? "" :
			`@${change.profile}`)]);
	return values;
}

/* The body of a request. */
export function trialBody(trial) {
	const body = { changes: [...trial.changes.values()] };

	if (trial.text !== null) {
		body.text = trial.text;
		body.configuration = trial.configuration;
	}
	return body;
}

export function trialName(trial) {
	const n = trial.changes.size;

	if (trial.text !== null)
		return "the edited policy";
	return `the policy with ${n} ${n === 1 ? "change" : "changes"}`;
}
