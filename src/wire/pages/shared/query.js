/*
 * A query is words: web-7 zone:1b taint:db gpu>0 cpu<20% -state:cordoned.
 * All of the words must be true of an object; a "-" before one turns it round.
 *
 * fields: { name: field }.  A field with text(object), a text or texts, is chosen by
 * a part of it ("zone:1b"), or has its own test(object, value).  One with
 * number(object), null where there is none, by a comparison ("gpu>0"); share(object)
 * is compared with percentages.  `scale` is that of an amount without a unit.  A word
 * without a field is a part of fields.name.
 */
import { debounce, fill, h } from "./dom.js";

const units = { "": 1, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, Ki: 2 ** 10,
	Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
const compare = { ">": (a, b) => a > b, "<": (a, b) => a < b,
	">=": (a, b) => a >= b, "<=": (a, b) => a <= b,
	":": (a, b) => a === b, "=": (a, b) => a === b };

const fail = (text) => { throw new Error(text); };

/* "gpu" is nvidia.com/gpu, if only one field ends so. */
function fieldOf(fields, name) {
	const ends = Object.keys(fields).filter((f) => f.endsWith(`/${name}`));

	return fields[name] ?? (ends.length === 1 ? fields[ends[0]] : undefined);
}

/* A value has no quotation marks, so those of the text do not count. */
const textTest = (field, value) => (object) => [field.text(object)].flat().some(
    (t) => (t ?? "").replaceAll('"', "").toLowerCase()
	.includes(value.toLowerCase()));

function numberTest(field, op, value, word) {
	const found = /^(-?\d+(?:\.\d+)?)(%|[mkMGT]|[KMGT]i)?$/.exec(value);

	if (!found)
		fail(`“${word}”: “${value}” is no amount, such as 2, 500m, 4Gi or 20%.`);
	const get = found[2] === "%" ? field.share : field.number;
	const wanted = Number(found[1]) * (found[2] === "%" ? 0.01 :
	    units[found[2] ?? ""] * (field.scale ?? 1));

	if (!get)
		fail(`“${word}”: there is no percentage of it here.`);
	return (object) => {
		const n = get(object);

		return n !== null && n !== undefined && compare[op](n, wanted);
	};
}

function testOf(fields, word) {
	const [, name, op, quoted] = /^([^:=<>"]+)(>=|<=|[:=<>])(.*)$/s.exec(word) ??
	    [null, "name", ":", word];
	const field = fieldOf(fields, name);
	const value = quoted.replaceAll('"', "");

	if (!field)
		fail(`“${name}” is nothing that can be asked for here. There are: ` +
		    `${Object.keys(fields).join(", ")}.`);
	if (value === "")
		fail(`“${word}”: what follows “${op}” is missing.`);
	if (field.number)
		return numberTest(field, op, value, word);
	if (op !== ":" && op !== "=")
		fail(`“${word}”: “${name}” is no number; write ${name}:${value}.`);
	return field.test ? (object) => field.test(object, value) :
	    textTest(field, value);
}

/* { match(object), plain }: plain is the part of a name if the query has nothing else,
 * "" if it is empty.  Throws an Error that explains the word that is wrong. */
export function parse(text, fields) {
	if ((text.match(/"/g) ?? []).length % 2 === 1)
		fail("A quotation mark is missing.");
	const words = text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
	const tests = words.map((word) => {
		const not = word.startsWith("-") && word.length > 1;
		const test = testOf(fields, not ? word.slice(1) : word);

		return not ? (object) => !test(object) : test;
	});
	const isPlain = words.length === 0 || words.length === 1 &&
	    /^[^-:=<>"][^:=<>"]*$/.test(words[0]);

	return { text, match: (object) => tests.every((test) => test(object)),
		plain: isPlain ? words[0] ?? "" : undefined };
}

/* A word of a query. */
export const wordOf = (name, value) => `${name}:${
    /^[^\s"]+$/.test(value) ? value : `"${value.replaceAll('"', "")}"`}`;

/*
 * The box of a view, which "/" leads to.  fields() at the time of asking;
 * changed(query) is called with each valid query; for others an error is shown.
 */
export class QueryBox {
	constructor(label, example, text, fields, changed) {
		this.fields = fields;
		this.input = h("input", { type: "search", id: "query", value: text,
			"aria-label": `Find ${label}`, placeholder: example,
			"aria-describedby": "query-trouble",
			"aria-keyshortcuts": "/", oninput: debounce(() => {
				if (this.read())
					changed(this.query);
			}, 150) });
		this.trouble = h("span", { id: "query-trouble", class: "bad",
			role: "status" });
		this.found = h("span", { class: "dim", role: "status" });
		this.element = h("div", { class: "query" }, this.input, this.found,
		    this.trouble);
		this.query = parse("", {});
		this.read();
	}

	/* Whether it is understood. */
	read() {
		try {
			this.query = parse(this.input.value, this.fields());
			fill(this.trouble);
		} catch (error) {
			fill(this.trouble, error.message);
		}
		this.input.setAttribute("aria-invalid",
		    String(this.trouble.textContent !== ""));
		return this.trouble.textContent === "";
	}

	/* As if it had been typed. */
	set(text) {
		this.input.value = text;
		this.input.dispatchEvent(new Event("input"));
	}

	add(word) {
		this.set(`${this.input.value} ${word}`.trim());
	}
}

/* ---- what can be asked of pods ---- */

export const requestOf = (pod, resource) => resource === "cpu" ||
    resource === "memory" ? pod[resource] : pod.other?.[resource] ?? 0;
const requested = (resource, scale) => ({ scale, number: (pod) =>
    requestOf(pod, resource) });

/* "shop/Deployment/web"; of a pod without controller its own name. */
export const ownerOf = (pod) => pod.owner ? `${pod.name.split("/")[0]}/${pod.owner}` :
    pod.name;

/* resources: names of the others; more: fields of this list alone. */
export const podFields = (resources = [], more = {}) => ({
	name: { text: (pod) => pod.name },
	namespace: { text: (pod) => pod.name.split("/")[0] },
	/* A whole one, or a part of one. */
	owner: { test: (pod, value) => pod.owner && (value.split("/").length > 2 ?
	    ownerOf(pod) === value :
	    ownerOf(pod).toLowerCase().includes(value.toLowerCase())) },
	priority: { number: (pod) => pod.priority },
	cpu: requested("cpu", 1000), memory: requested("memory"), ...more,
	...Object.fromEntries(resources.filter((r) => !["cpu", "memory", "pods"]
	    .includes(r)).map((r) => [r, requested(r)])) });
