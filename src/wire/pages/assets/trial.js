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

/* ---- trials ---- */

/* { text, configuration, changes: Map of "kind:rule@profile" to weights }; null: the
 * policy in force. */
export function trialFrom(parameters) {
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
	const text = parameters.get("text") ??
	    (draft === null ? null : localStorage.getItem(prefix + draft));

	if (text === null && draft !== null)
		throw Object.assign(new Error("The text of this policy is kept in " +
		    "the browser that wrote it, and not in this one. Save it there " +
		    "as a file."), { status: 404 });
	if (text === null && changes.size === 0)
		return null;
	return { text, changes,
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
