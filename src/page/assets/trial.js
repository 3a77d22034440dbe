/* A policy that is being tried, as a part of the URL: the text if it was edited,
 * and the rules that were changed. */

/* "scores:X=3" or, of one of several profiles, "scores:X=3@NAME" */
const pattern = /^(filters|scores):(.+?)=(\d+)(?:@(.*))?$/s;

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
	const text = parameters.get("text");

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
		values.push(["text", trial.text]);
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
