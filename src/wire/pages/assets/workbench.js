/* Another policy on the whole cluster: switches, weights, the text, and what they
 * would change.  The server decides; nothing here knows what a rule does. */
import { ask, askOnce } from "./api.js";
import { WindowTable, confirmed, count, debounce, fact, fill, h, localRows, meter,
    nodeLink, panel, percent, plural, podLink } from "./dom.js";
import { differenceKinds, histogram, strandedKinds } from "./difference.js";
import { NodeMap } from "./map.js";
import { Notebook, textDiff } from "./notebook.js";
import { QueryBox, wordOf } from "./query.js";
import { changeKey, linkTo, otherDraft, ownDraft, saveDraft, trialBody, trialFrom,
    trialParameters } from "./trial.js";
import { Tuning } from "./tune.js";
import { toCopy } from "./unplaced.js";

const slot = `workbench-${Math.random().toString(36).slice(2)}`;
const mostMoves = 1000;
/* Of so many an estimate is shown before the whole is counted. */
const manyPods = 20000;
/* Changes of one rule within this time are undone together. */
const strokeMs = 800;

/* Versions of KubeSchedulerConfiguration, each with the first release that has it. */
const versions = [["v1", 25], ["v1beta3", 23], ["v1beta2", 22], ["v1beta1", 19]];

const aboutMoves = ({ moves, error }) =>
    `about ${count(moves)} ± ${count(error)} pods would move`;

const copyOf = (trial) => ({ ...trial, changes: new Map(trial.changes) });

/* ---- rules ---- */

/* The largest weights: a plugin's is an int32, and of a policy's JavaScript counts the
 * larger ones inexactly. */
const mostOfPlugins = 2 ** 31 - 1, mostHere = Number.MAX_SAFE_INTEGER;

/* What is wrong with the content of a field for a weight; "": nothing. */
function troubleOf(input, most) {
	const { value } = input;

	if (value === "" && !input.validity.badInput)
		return "A weight is missing; 0 switches the rule off.";
	if (!/^-?\d+(\.\d+)?$/.test(value))
		return "This is no whole number.";
	if (value.startsWith("-"))
		return "A weight is not negative; 0 switches the rule off.";
	if (value.includes("."))
		return "A weight is a whole number, not a fraction.";
	return Number(value) <= most ? "" : `The largest weight is ${count(most)}${
	    most === mostHere ? ", or what the text of the policy has" : ""}.`;
}

/* A slider's end: twice the weight, at least 20. */
const sliderEnd = (weight) => Math.max(20, 2 * weight);

class RuleRow {
	constructor(bench, profile, kind, rule) {
		this.bench = bench;
		this.profile = profile;
		this.kind = kind;
		this.rule = rule;
		this.usual = Math.max(1, rule.weight ?? 1);
		const id = encodeURIComponent(
		    `r-${kind}-${profile ?? ""}-${rule.name}`);

		this.check = h("input", { type: "checkbox", id, disabled:
		    rule.required, onchange: () => this.set(this.check.checked ?
			this.usual : 0) });
		this.name = h("label", { class: "name", for: id, title: rule.name },
		    rule.name);
		this.parts = [this.check, this.name];
		if (rule.required)
			this.parts.push(h("span", { class: "dim" }, "required"));
		this.element = h("li", {}, h("div", { class: "rule" }, this.parts));
		if (kind === "scores")
			this.addWeight(`${id}-trouble`);
		this.show();
	}

	addWeight(id) {
		const name = `Weight of ${this.rule.name}`;
		const most = this.bench.trial.configuration ? mostOfPlugins :
		    mostHere;

		this.trouble = h("p", { id });
		this.number = h("input", { type: "number", min: "0",
			max: String(most), step: "1", "aria-label": name,
			"aria-describedby": id, oninput: () => {
				const trouble = troubleOf(this.number, most);

				if (trouble === "")
					this.set(Number(this.number.value));
				else
					this.hold(trouble);
			} });
		this.range = h("input", { type: "range", min: "0",
			max: String(sliderEnd(this.usual)), step: "1",
			"aria-label": `${name}, slider`,
			oninput: () => this.set(Number(this.range.value)) });
		this.element.firstChild.append(this.range, this.number);
		this.element.append(this.trouble);
	}

	/* What was typed is no weight: the trial waits for one. */
	hold(trouble) {
		this.mark(trouble);
		this.bench.waitFor.add(this.key);
		this.bench.decide();
	}

	mark(trouble) {
		fill(this.trouble, trouble);
		this.trouble.className = trouble === "" ? "" : "bad";
		this.number.setAttribute("aria-invalid", String(trouble !== ""));
	}

	get key() { return changeKey(this.kind, this.rule.name, this.profile); }
	get base() {
		return !this.rule.on ? 0 : this.kind === "scores" ?
		    this.rule.weight : 1;
	}

	get weight() {
		return this.bench.trial.changes.get(this.key)?.weight ?? this.base;
	}

	set(weight) {
		this.bench.mark(this.key);
		this.bench.waitFor.delete(this.key);
		if (weight === this.base)
			this.bench.trial.changes.delete(this.key);
		else
			this.bench.trial.changes.set(this.key, { kind: this.kind,
				rule: this.rule.name, weight,
				profile: this.profile });
		this.show();
		this.bench.changed();
	}

	show() {
		const weight = this.weight;

		this.check.checked = weight > 0;
		this.element.className = [weight === 0 ? "off" : "",
		    weight !== this.base ? "changed" : ""].join(" ").trim();
		if (this.kind !== "scores")
			return;
		this.mark("");
		if (Number(this.number.value) !== weight ||
		    this.number.value === "")
			this.number.value = String(weight);
		if (weight > Number(this.range.max))
			this.range.max = String(sliderEnd(weight));
		this.range.value = String(weight);
		this.range.hidden = weight === 0 && this.base === 0;
	}
}

/* ---- numbers ---- */

/*
 * The number before and, if it reads differently, after.  good: 1 more is better, -1
 * less is, 0 nobody can say.  differs(): whether the difference is more than chance;
 * only then it has a colour.
 */
function change(before, after, text, good, differs) {
	if (after === undefined || text(before) === text(after))
		return [text(before)];
	return [h("span", { class: "dim" }, text(before)), " → ",
	    h("b", { class: good === 0 || !differs() ? undefined :
		(after > before) === (good > 0) ? "good" : "bad" },
		text(after))];
}

/* Whether the value differs from all of them by more than they do, which differ by
 * chance. */
function differs(all, value) {
	const least = Math.min(...all), most = Math.max(...all);
	const chance = most - least;

	return all.length > 2 &&
	    (value < least - chance || value > most + chance);
}

/*
 * samples: replays by the policy in force, which differ by the seeds of ties alone;
 * the first is the one that is shown.  after: by the changed one, or undefined.  praise:
 * whether anything may be called good.
 */
function numbers(samples, after, praise) {
	const before = samples[0];
	const shown = (get, text, good) => change(get(before),
	    after && get(after), text, praise ? good : 0,
	    () => differs(samples.map(get), get(after)));
	const share = (x) => percent(x, 1);
	const heads = [["Resource"], ["Requested"], ["Fullest node"],
	    ["Imbalance", "standard deviation ÷ mean of the nodes' utilisation"],
	    ["Stranded", "free on nodes where another resource is used up"]];
	const rows = before.balance.resources.map((r, i) => {
		const cell = (get, text, good) => h("td", { class: "num" },
		    shown((s) => get(s.balance.resources[i]), text, good));

		return r.allocatable > 0 ? h("tr", {},
		    h("th", { scope: "row" }, r.resource),
		    cell((x) => x.requested / x.allocatable, share, 0),
		    cell((x) => x.max, share, 0),
		    cell((x) => x.cv, (x) => x.toFixed(3), 0),
		    cell((x) => x.stranded / x.allocatable, share, -1)) : null;
	});

	return [h("dl", { class: "facts" },
	    fact(`Pods placed, of ${count(before.pods)}`,
		shown((s) => s.placed, count, 1)),
	    fact("Empty nodes", shown((s) => s.balance.emptyNodes, count, 0)),
	    fact("Not placed again", count(before.fixed), "DaemonSets, static pods")),
	    h("div", { class: "table short", role: "region", tabindex: "0",
		"aria-label": "Numbers of both policies" },
	    h("table", { class: "numbers" },
		h("caption", { class: "hidden-text" }, "The whole cluster, " +
		    "placed again by the policy in force and by the changed one"),
		h("thead", {}, h("tr", {}, heads.map(([name, title], i) =>
		    h("th", { scope: "col", title,
			class: i > 0 ? "num" : undefined }, name)))),
		h("tbody", {}, rows.filter((r) => r))))];
}

/* ---- what a trial costs ---- */

const kinds = [[/taint|Unschedulable/i, "a taint or a cordon"],
    [/interpod/i, "affinity between pods"],
    [/topologyspread|EvenPods/i, "spreading"],
    [/volume|disk/i, "volumes"],
    [/^NodeAffinity|selector|HostName|^NodeName/i, "a selector or node affinity"],
    [/port/i, "host ports"],
    [/resource|^Node.*Fit|GeneralPredicates/i, "requests"]];

const kindOf = (rule) => kinds.find(([p]) => p.test(rule))?.[1] ?? rule;

/*
 * What is counted of a trial, pods first: { n, text, bad: whether that is more than by
 * the policy in force, breaks: whether it is to be asked about }.  before, after:
 * replies' "safety"; moves undefined: of the policy in force itself.
 */
function costsOf(before, after, moves) {
	const was = new Map(before.rules.map((r) => [r.rule, r.pods]));
	const cost = (n, text, bad) => ({ n, text, bad, breaks: bad });

	return [moves && cost(moves.unschedulable,
	    moves.unschedulable === 1 ? "1 pod loses its place" :
		`${count(moves.unschedulable)} pods lose their place`,
	    moves.unschedulable > 0),
	cost(after.rules.length, `${plural(after.rules.length, "rule")} broken`,
	    after.rules.some((r) => r.pods > (was.get(r.rule) ?? 0))),
	cost(after.nodes, `${plural(after.nodes, "node")} over 100 %`,
	    after.nodes > before.nodes)].filter((c) => c);
}

/* The resources of which more is stranded, as costs. */
function strandedMore(samples, after) {
	const shares = (i) => [...samples, after].map(({ balance }) =>
	    balance.resources[i].stranded /
		Math.max(1, balance.resources[i].allocatable));

	return after.balance.resources.map(({ resource }, i) => {
		const all = shares(i), now = all.pop();

		return now > all[0] && differs(all, now) && { n: 1, bad: true,
			text: `${resource} stranded: ${percent(all[0], 1)} → ${
			    percent(now, 1)}` };
	}).filter((c) => c);
}

const costText = (costs) => costs.map((c, i) => [i > 0 ? ", " : "",
    h("span", { class: c.bad ? "bad" : undefined }, c.text)]);

function safetyLines(before, after) {
	const was = new Map(before.rules.map((r) => [r.rule, r.pods]));
	const line = (n, old, text, examples) => h("li", {},
	    h("b", { class: n > old ? "bad" : undefined }, count(n)),
	    h("div", {}, h("p", { class: n > old ? "bad" : undefined }, text,
		old > 0 ? ` (${count(old)} by the policy in force)` : ""),
		h("p", { class: "dim" }, examples)));

	return after.nodes + after.rules.length === 0 ? null :
	    h("ul", { class: "groups" }, after.nodes > 0 ?
	    line(after.nodes, before.nodes, "nodes are over-committed",
		["most of all ", after.overcommitted.slice(0, 3).map((o) =>
		    [nodeLink(o.node), o.allocatable > 0 ?
			` with ${percent(o.requested / o.allocatable)} of its ` +
			`${o.resource} ` : ` without any ${o.resource} `])]) : null,
	    after.rules.map((r) => line(r.pods, was.get(r.rule) ?? 0,
		`pods break ${kindOf(r.rule)} (${r.rule})`,
		["such as ", r.examples.map((e) => [podLink(e.pod), " on ",
		    nodeLink(e.node), " "])])));
}

/* show: shows the pods that lose their place. */
function verdict(costs, lines, moves, show) {
	if (costs.every((c) => c.n === 0))
		return h("p", {}, moves ? "No pod loses its place, no " :
		    "By the policy in force no ", "rule of Kubernetes is broken, " +
		"and no node is over 100 %.");
	const breaks = costs.some((c) => c.breaks);

	return h("section", { class: `panel ${breaks ? "bad-panel" : ""}` },
	    h("h2", {}, costText(costs)),
	    moves?.unschedulable > 0 ? h("p", {}, h("button", { type: "button",
		class: "quiet", onclick: show }, "Which pods")) : null,
	    moves && !breaks ? h("p", { class: "dim" }, "No pod loses its " +
		"place, and no more is broken than by the policy in force.") : null,
	    lines);
}

/* ---- moves ---- */

const ofCauses = ({ seeds, rule, knockOn, chance }) =>
    `${count(rule.pods)}${seeds > 1 ?
	` (±${count(Math.round(rule.deviation))} over ${seeds} seeds)` : ""} moves ` +
    `caused by these changes; ${count(knockOn.pods)} follow from them; ` +
    `${count(chance.pods)} are ties.`;

function moves(bench, m) {
	const total = m.elsewhere + m.unschedulable + m.schedulable;
	const link = `?${new URLSearchParams(trialParameters(bench.trial))}`;
	const table = new WindowTable("Pods that would move", [
	    { name: "Pod", key: (move) => move.pod },
	    { name: "Policy in force", key: (move) => move.old },
	    { name: "Changed policy", key: (move) => move.new },
	    { name: "Now", key: (move) => move.now },
	    { name: "Because", cell: "clip", key: (move) => move.why }],
	    (move) => [podLink(move.pod, link), move.old === null ?
		h("span", { class: "bad" }, "fits nowhere") :
		nodeLink(move.old), move.new === null ?
		h("span", { class: "bad" }, "fits nowhere") :
		nodeLink(move.new), move.now === null ?
		h("span", { class: "dim" }, "pending") : nodeLink(move.now),
		move.why === null ? h("span", { class: "dim" },
		    "not looked for") : h("span", { title: move.why }, move.why)],
	    "No pod would go elsewhere");

	const pods = [...m.pods].sort((a, b) =>
	    Number(a.rule === null) - Number(b.rule === null));
	const show = () => table.set(localRows(pods.filter(box.query.match)));
	const box = new QueryBox("pods", "web rule:LeastRequested to:a-7",
	    bench.query ?? "", () => ({
		name: { text: (p) => p.pod }, rule: { text: (p) => p.rule },
		from: { text: (p) => p.old ?? "nowhere" },
		to: { text: (p) => p.new ?? "nowhere" },
		cause: { text: (p) => p.cause } }), (query) => {
		bench.query = query.text;
		show();
	});

	bench.showLost = () => {
		box.set(wordOf("to", "nowhere"));
		box.input.focus();
	};
	show();
	const most = m.rules.length > 0 ? m.rules[0].pods : 0;

	return [h("h2", {}, total === 0 ? "No pod would move" :
	    `${plural(total, "pod")} would move`),
	    h("p", {}, [m.elsewhere > 0 ?
		`${count(m.elsewhere)} to another node` : null,
		m.unschedulable > 0 ? h("span", { class: "bad" },
		    `${count(m.unschedulable)} would fit nowhere`) : null,
		m.schedulable > 0 ?
		    `${count(m.schedulable)} would fit that fit nowhere before` :
		    null].filter((x) => x).map((x, i) => i > 0 ? [" · ", x] : x)),
	    total > 0 ? h("p", { id: "causes" }, ofCauses(m.causes)) : null,
	    m.rules.length > 0 ? [h("p", { class: "dim" },
		total > m.explained ? "Rules that tip the first " +
		`${count(m.explained)}:` : "Rules that tip them:"),
		h("ul", { class: "groups" }, m.rules.slice(0, 8).map((r) =>
		    h("li", {}, h("b", {}, count(r.pods)), h("div", {},
			h("p", {}, h("button", { type: "button", class: "quiet",
			    title: "Its pods alone", onclick: () => {
				    box.set(wordOf("rule", r.rule));
			    } }, r.rule)), meter(r.pods / most, true)))))] : null,
	    total > m.pods.length ? h("p", { class: "dim" },
		`The first ${count(m.pods.length)}:`) : null,
	    total > 0 ? [h("div", { class: "bar-controls" }, box.element),
		table.box] : null];
}

/* ---- the text ---- */

class Editor {
	constructor(bench) {
		this.bench = bench;
		this.gutter = h("pre", { class: "gutter", "aria-hidden": "true" });
		this.problems = h("ul", { class: "problems", id: "problems" });
		this.area = h("textarea", { spellcheck: "false", wrap: "off",
			"aria-label": "Text of the policy",
			"aria-describedby": "problems",
			oninput: () => {
				this.number([]);
				this.edited();
			},
			onscroll: () => {
				this.gutter.scrollTop = this.area.scrollTop;
			} });
		this.edited = debounce(() => this.bench.edited(this.area.value),
		    350);
		this.element = h("div", {}, h("div", { class: "editor" },
		    this.gutter, this.area), this.problems);
	}

	set(text, problems) {
		if (document.activeElement !== this.area &&
		    this.area.value !== text)
			this.area.value = text;
		this.number(problems);
		fill(this.problems, problems.map((p) => h("li", {},
		    p.line > 0 ? h("button", { type: "button",
			onclick: () => this.go(p) },
			`${p.line}:${p.column}`) : null,
		    h("span", { class: p.severity === "error" ? "bad" : "warn" },
			`${p.severity}: `), p.message)));
		this.area.setAttribute("aria-invalid",
		    String(problems.some((p) => p.severity === "error")));
	}

	number(problems) {
		const lines = this.area.value.split("\n").length;
		const bad = new Set(problems.map((p) => p.line));
		const parts = [];

		for (let i = 1; i <= lines; i++)
			parts.push(bad.has(i) ? h("b", {}, `▸${i}`) : String(i),
			    "\n");
		this.gutter.replaceChildren(...parts);
	}

	go(problem) {
		const lines = this.area.value.split("\n");
		let at = lines.slice(0, problem.line - 1).reduce((sum, line) =>
		    sum + line.length + 1, 0);

		/* Columns count characters, texts of JavaScript UTF-16. */
		at += [...(lines[problem.line - 1] ?? "")]
		    .slice(0, problem.column - 1).join("").length;
		this.area.focus();
		this.area.setSelectionRange(at, at + 1);
		this.area.scrollTop = Math.max(0, (problem.line - 6) * 18);
	}
}

/* ---- the view ---- */

class Workbench {
	constructor(context, policy, nodes, cluster, trial) {
		this.context = context;
		this.nodes = nodes;
		this.base = policy; /* what rows compare with */
		this.policy = policy;
		this.trial = trial ?? { text: null, configuration: policy.configuration,
			changes: new Map() };
		this.rules = h("div");
		this.status = h("p", { class: "dim", role: "status" });
		this.numbers = h("div");
		this.verdict = h("div", { id: "safety" });
		this.summary = h("p", { class: "summary", role: "status" });
		this.moves = h("section", { class: "panel" });
		this.refusal = h("div", { role: "alert" });
		this.editor = new Editor(this);
		this.resource = nodes.resources[0];
		this.shown = "change";
		this.map = new NodeMap("Nodes", 170);
		this.histogram = h("div");
		this.diff = h("div");
		this.notebook = new Notebook(() => this.replay ? {
			query: this.tried, replay: this.replay,
			moves: this.tried ? this.total : 0 } : null);
		this.tuning = new Tuning(context, policy.profiles,
		    (changes, note) => this.keepTuned(changes, note));
		this.result = h("div", { id: "result" });
		const minor = Number(cluster.kubernetes.split(".")[1]);

		this.version = versions.find(([, since]) => since <= minor)?.[0] ??
		    versions.at(-1)[0];
		this.fileName = h("span", { class: "mono" });
		this.past = [];
		this.future = [];
		this.waitFor = new Set(); /* keys of weights that are not valid */
		this.seconds = {};
		this.progress = h("div");
	}

	/* The cluster as the policy in force fills it, which all trials are compared
	 * with: the first answer. */
	begin({ replay, safety, seconds }) {
		this.baseline = replay;
		this.samples = [replay];
		this.safe = safety;
		this.seconds.quick = seconds;
		this.showNumbers();
		this.status.textContent = this.isChanged ?
		    "Placing all pods by the changed policy…" : "";
		this.decide();
	}

	/* ---- rules ---- */

	showRules() {
		this.waitFor.clear();
		fill(this.rules, this.base.profiles.map((profile) => {
			const name = this.base.profiles.length > 1 ?
			    profile.schedulerName : null;
			const list = (kind, on) => profile[kind].filter((r) =>
			    (r.on || this.trial.changes.has(
				changeKey(kind, r.name, name))) === on)
			    .map((r) => new RuleRow(this, name, kind, r).element);
			const part = (kind, title) => {
				const off = list(kind, false);

				return panel(name ? `${title} of ${name}` : title,
				    h("ul", { class: "rules" }, list(kind, true)),
				    off.length > 0 ? h("details", {},
					h("summary", {},
					    `${off.length} more, switched off`),
					h("ul", { class: "rules" }, off)) : null);
			};

			return [part("scores", "Scores: weights"),
			    part("filters", "Filters")];
		}));
	}

	remember() {
		const values = trialParameters(this.trial);

		saveDraft(new URLSearchParams(values).toString());
		this.context.remember(values);
	}

	changed() {
		this.remember();
		this.full = undefined;
		this.result.classList.add("busy");
		this.showHistory();
		this.decide();
	}

	edited(text, file = this.trial.file) {
		this.mark("text");
		this.trial = { text, file, configuration:
		    text.includes("KubeSchedulerConfiguration"),
		    changes: new Map() };
		this.rebase = true;
		if (this.waitFor.size > 0)
			this.showRules();
		this.changed();
	}

	/* ---- undoing ---- */

	/* Before a change of what the key names. */
	mark(key) {
		const now = performance.now();

		if (key !== this.stroke || now - this.strokeAt > strokeMs) {
			this.past.push(copyOf(this.trial));
			this.future = [];
		}
		this.stroke = key;
		this.strokeAt = now;
	}

	showHistory() {
		this.undo.disabled = this.past.length === 0;
		this.redo.disabled = this.future.length === 0;
	}

	step(from, to) {
		if (from.length === 0)
			return;
		to.push(copyOf(this.trial));
		this.stroke = null;
		this.take(from.pop());
	}

	take(trial) {
		this.trial = trial;
		this.base = this.policy;
		this.rebase = trial.text !== null;
		this.editor.area.blur();
		this.showRules();
		this.changed();
	}

	async reset() {
		if (!this.isChanged || !await confirmed("Undo all changes?",
		    h("p", {}, "The policy in force is shown again. Undo brings the " +
			"changes back while this page is open."), "Undo all"))
			return;
		this.mark("all");
		this.take({ text: null, configuration: this.policy.configuration,
			changes: new Map() });
	}

	historyButtons() {
		const button = (name, f) => h("button", { type: "button",
		    onclick: f }, name);

		this.undo = button("Undo", () => this.step(this.past, this.future));
		this.redo = button("Redo", () => this.step(this.future, this.past));
		document.addEventListener("keydown", (event) => {
			if (!this.context.current() || !(event.ctrlKey ||
			    event.metaKey) || event.key.toLowerCase() !== "z" ||
			    event.target.matches("textarea, input[type=number], " +
				"input[type=search]"))
				return;
			event.preventDefault();
			(event.shiftKey ? this.redo : this.undo).click();
		});
		this.showHistory();
		return [this.undo, this.redo, button("Undo all",
		    () => this.reset())];
	}

	/* ---- decisions ---- */

	get isChanged() {
		return this.trial.text !== null || this.trial.changes.size > 0;
	}

	/* One trial at a time: while a weight is dragged each begins when the one before
	 * has ended, so that there are always results. */
	async decide() {
		this.isOld = true;
		this.comparing?.abort();
		if (this.waitFor.size > 0)
			this.wait();
		if (this.deciding || !this.baseline)
			return;
		this.deciding = true;
		while (this.isOld && this.context.current() &&
		    this.waitFor.size === 0) {
			this.isOld = false;
			await this.decideOnce(performance.now());
		}
		this.deciding = false;
	}

	wait() {
		this.result.classList.remove("busy");
		this.status.textContent = "The numbers are those of the last trial.";
		for (const button of this.saves)
			button.disabled = true;
		this.fail(`The trial waits: ${plural(this.waitFor.size, "weight")} ` +
		    `${this.waitFor.size === 1 ? "is" : "are"} not valid.`);
	}

	async ask(stage) {
		const abort = new AbortController();

		this.comparing = stage === "full" ? abort : undefined;
		this.showProgress(stage, abort);
		try {
			const reply = await ask("workbench", { stage, slot,
				limit: mostMoves }, trialBody(this.trial),
			    abort.signal);

			this.seconds[stage] = reply.seconds;
			return reply;
		} finally {
			clearInterval(this.timer);
			fill(this.progress);
		}
	}

	/* How far a trial is, by how long the last one took. */
	showProgress(stage, abort) {
		const started = performance.now();
		const usual = 1000 * this.seconds[stage];
		const bar = h("progress", { max: "1", "aria-label": "Trial" });
		const text = h("span", { class: "dim" });
		const cancel = h("button", { type: "button", onclick: () => {
			abort.abort();
			this.end("The trial was called off");
		} }, "Cancel");

		clearInterval(this.timer);
		this.timer = setInterval(() => {
			const ms = performance.now() - started;

			if (ms < 600)
				return;
			if (usual > 0)
				bar.value = Math.min(0.99, ms / usual);
			text.textContent = { estimate: "Estimating from a sample of pods",
				quick: "Placing all pods" }[stage] ??
			    "Comparing pod by pod";
			if (usual > 0)
				text.textContent += `, about ${
				    percent(Math.min(0.99, ms / usual))} by the time ` +
				    "of the last trial";
			if (!bar.isConnected)
				fill(this.progress, h("p", { class: "row" }, bar,
				    text, cancel));
		}, 200);
	}

	/* Without an answer. */
	end(why) {
		this.result.classList.remove("busy");
		fill(this.status, `${why}: the numbers are those of the last one. `,
		    h("button", { type: "button", onclick: () => this.decide() },
			"Try again"));
		this.fail(`${why}: its cost is not known.`);
	}

	async decideOnce(started) {
		const ms = () => performance.now() - started;

		const query = new URLSearchParams(trialParameters(this.trial));

		try {
			this.estimate = this.isChanged &&
			    this.baseline.pods >= manyPods ?
			    (await this.ask("estimate")).estimate : null;
			if (!this.context.current() || this.isOld)
				return;
			if (this.estimate)
				this.showEstimate();
			/* What the policy in force does is known. */
			const quick = this.isChanged ? await this.ask("quick") :
			    { ...await this.ask("check"), replay: this.baseline };

			if (!this.context.current() || this.waitFor.size > 0)
				return;
			if (quick.valid)
				this.tried = query.toString();
			this.showQuick(quick, ms());
			if (!quick.valid || this.isOld)
				return;
			const full = this.isChanged ? await this.ask("full") : null;

			if (this.context.current() && !this.isOld)
				this.showFull(full, ms());
		} catch (error) {
			if (error.name === "AbortError" || !this.context.current() ||
			    (error.status === 409 && this.isOld))
				return;
			this.result.classList.remove("busy");
			if (error.status === 409) {
				this.end("The server has ended this trial");
				return;
			}
			fill(this.refusal, h("p", { class: "panel bad-panel" },
			    error.message));
			this.fail("The trial failed.");
		}
	}

	showQuick(reply, ms) {
		const errors = reply.problems.filter((p) =>
		    p.severity === "error").length;

		this.editor.set(reply.text ?? "", reply.problems);
		fill(this.fileName, this.trial.file && ` · ${this.trial.file}`);
		fill(this.diff, textDiff(this.policy.text ?? "", reply.text ?? ""));
		if (!this.isOld)
			this.result.classList.remove("busy");
		fill(this.refusal, reply.valid ? null :
		    h("section", { class: "panel bad-panel" },
			h("h2", {}, `The policy is refused: ` +
			    plural(errors, "error")),
			h("p", {}, reply.refusal),
			h("p", { class: "dim" }, "The numbers are those of the " +
			    "last valid policy.")));
		for (const button of this.saves)
			button.disabled = !reply.valid;
		if (!reply.valid) {
			document.getElementById("text-part").open = true;
			this.status.textContent = "";
			this.fail("The policy is refused.");
			return;
		}
		if (this.rebase) {
			this.rebase = false;
			this.base = { ...reply };
			this.showRules();
		}
		this.replay = reply.replay;
		this.trouble = this.full = undefined;
		this.showNumbers();
		this.status.textContent = `${plural(reply.replay.pods, "pod")} ` +
		    `placed again ${this.isChanged ? `in ${(ms / 1000).toFixed(2)} s. ` +
			"Comparing pod by pod…" : "by the policy in force."}`;
		this.result.dataset.stage = "quick";
		this.result.dataset.ms = String(Math.round(ms));
	}

	/* Until the whole is counted. */
	showEstimate() {
		this.trouble = this.full = this.replay = undefined;
		this.result.classList.remove("busy");
		this.result.dataset.stage = "estimate";
		this.status.textContent = `From a sample of ${
		    plural(this.estimate.asked, "pod")}. ` +
		    "Placing all pods…";
		this.showVerdict();
		this.summarize();
	}

	/* The costs of the trial, or undefined: they are not known yet. */
	get costs() {
		if (!this.baseline)
			return undefined;
		if (!this.isChanged)
			return costsOf(this.safe, this.safe);
		return this.full && [...costsOf(this.safe, this.full.safety,
		    this.full.moves), ...strandedMore(this.samples, this.replay)];
	}

	/* Pods that a full answer counts as moved; undefined: there is none yet. */
	get total() {
		const m = this.full?.moves;

		return m && m.elsewhere + m.unschedulable + m.schedulable;
	}

	showNumbers() {
		const costs = this.costs;

		this.showVerdict(costs);
		this.summarize(costs);
		fill(this.numbers, numbers(this.samples,
		    this.isChanged ? this.replay : undefined,
		    costs !== undefined && !costs.some((c) => c.breaks)));
		this.drawMaps();
	}

	/* trouble: why nothing is counted of the trial. */
	fail(trouble) {
		this.trouble = trouble;
		this.full = undefined;
		fill(this.verdict);
		this.summarize();
	}

	showVerdict(costs) {
		const fewer = this.isChanged && this.replay ?
		    this.baseline.placed - this.replay.placed : 0;

		if (this.trouble)
			return;
		fill(this.verdict, costs ? verdict(costs, safetyLines(this.safe,
		    this.isChanged ? this.full.safety : this.safe),
		this.full?.moves, () => this.showLost()) : h("p", { class: "dim" },
		    fewer > 0 ? h("span", { class: "bad" }, "Estimate: " +
			`${plural(fewer, "pod")} fewer placed. `) : null,
		    this.estimate ? `Estimate: ${aboutMoves(this.estimate)}. ` : null,
		    "What it costs is being counted…"));
	}

	/* One line that stays in sight, and is read out. */
	summarize(costs) {
		const before = this.baseline?.placed;
		const after = this.isChanged && this.replay ? this.replay.placed :
		    before;

		fill(this.summary, this.trouble ?
		    h("span", { class: "bad" }, this.trouble) :
		    [h("b", {}, before === after ? `${count(after)} pods placed` :
			`${count(before)} → ${count(after)} pods placed`), " · ",
		    costs ? costText(costs) : "its cost is being counted",
		    this.total !== undefined ?
			` · ${plural(this.total, "pod")} would move` :
			this.estimate ? ` · ${aboutMoves(this.estimate)}` : null]);
	}

	/* What chance alone changes, for the colours. */
	async sample() {
		for (let seed = this.samples.length; seed < 3; seed++) {
			const { replay } = await askOnce("baseline", { seed });

			this.samples[seed] = replay;
		}
		this.result.dataset.samples = String(this.samples.length);
		if (this.context.current())
			this.showNumbers();
	}

	drawMaps() {
		if (!this.baseline)
			return;
		const replays = [this.baseline, this.isChanged && this.replay ||
		    this.baseline];
		const [before, after] = replays.map((replay) => replay.requested);

		this.map.kinds = this.shown === "change" ? differenceKinds(this.nodes,
		    before, after, this.resource) : this.shown === "stranded" ?
		    strandedKinds(this.nodes, ...replays, this.resource) : null;
		this.map.label = { change: "Change of each node",
			stranded: "What nodes strand",
			before: "Policy in force", after: "Changed policy" }[this.shown];
		this.map.set(this.nodes, this.shown === "before" ? before : after,
		    this.resource, "name");
		fill(this.legend, this.map.legend());
		fill(this.histogram, histogram(this.nodes, before, after,
		    this.resource));
	}

	showFull(reply, ms) {
		if (reply === null)
			fill(this.moves, h("h2", {}, "No change yet"),
			    h("p", { class: "dim" }, "Switch a rule or drag a " +
				"weight: pods that would go elsewhere are listed " +
				"here, each with the rule that tips it."));
		else
			fill(this.moves, moves(this, reply.moves));
		if (reply !== null) {
			this.full = reply;
			this.replay = reply.replay;
			this.notebook.settle(this.tried, reply.replay, this.total);
		}
		this.estimate = null;
		this.showNumbers();
		if (reply !== null)
			this.sample().catch(() => {});
		if (reply !== null)
			this.status.textContent =
			    `${plural(reply.replay.pods, "pod")} placed again ` +
			    `and compared in ${(ms / 1000).toFixed(2)} s.`;
		this.result.dataset.stage = "full";
		this.result.dataset.fullMs = String(Math.round(ms));
	}

	/* ---- saving ---- */

	/* Whether a policy that costs something is to be saved all the same. */
	async agreed() {
		const costs = this.costs;

		if (costs && !costs.some((c) => c.breaks))
			return true;
		return confirmed(costs ? "Save a policy at this cost?" :
		    "Save without knowing what it costs?", costs ?
		    [h("p", {}, costText(costs)), safetyLines(this.safe,
			this.full.safety)] :
		    h("p", {}, "The trial of this policy has not ended."), "Save it");
	}

	async save(form) {
		if (!await this.agreed())
			return;
		const file = await ask("export", { to: form },
		    trialBody(this.trial));
		const link = h("a", { download: file.name, href:
		    URL.createObjectURL(new Blob([file.text],
			{ type: "text/plain" })) });

		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 10000);
		fill(this.notes, file.notes.length === 0 ? null :
		    h("section", { class: "panel warn-panel" },
			h("h2", {}, "Not possible in this form"),
			h("ul", {}, file.notes.map((n) => h("li", {}, n)))));
	}

	/* The view gets a sign while a file is above it. */
	dropped() {
		const sign = (on) => box.classList.toggle("dropping", on);
		const box = h("div", { class: "bench", "data-drop":
		    "Drop a policy or configuration to try it",
		ondragover: (event) => {
			event.preventDefault();
			sign(true);
		}, ondragleave: (event) => sign(box.contains(event.relatedTarget)),
		ondrop: (event) => {
			event.preventDefault();
			sign(false);
			this.openFile(event.dataTransfer.files[0]);
		} });

		return box;
	}

	async share() {
		const link = await linkTo(this.trial);

		fill(this.notes, h("section", { class: "panel" }, link === null ?
		    h("p", {}, "This text is too long for a link: save it as a file.") :
		    toCopy("A link to this trial", link)));
	}

	saveButtons() {
		const version = h("select", { "aria-label": "Version of the configuration" },
		    versions.map(([name, since]) => h("option", { value: name,
			selected: name === this.version },
		    `${name}, since 1.${since}`)));
		const forms = [[() => "policy", "policy.cfg"],
		    [() => "configmap", "ConfigMap"],
		    [() => version.value, "KubeSchedulerConfiguration"]];

		const input = h("input", { type: "file", hidden: true,
			onchange: () => this.openFile(input.files[0]) });

		this.notes = h("div", { role: "status" });
		this.saves = forms.map(([form, name]) => h("button",
		    { type: "button", onclick: () => this.save(form()).catch((e) =>
			fill(this.notes, h("p", { class: "bad" }, e.message))) },
		    name));
		return h("div", { class: "row" },
		    h("button", { type: "button", onclick: () => input.click() },
			"Open a file"), input,
		    h("button", { type: "button", onclick: () => this.share() }, "Link"),
		    h("span", { class: "dim" }, "Save as"), this.saves, version);
	}

	/* A policy or configuration to compare with the one in force. */
	async openFile(file) {
		if (!file)
			return;
		const text = await file.text();

		this.editor.area.value = text;
		this.edited(text, file.name);
	}

	/* Changes of the policy in force as a variant, which is opened. */
	async keepTuned(changes, note) {
		const trial = { text: null, changes,
			configuration: this.policy.configuration };
		const query = new URLSearchParams(trialParameters(trial)).toString();
		const { replay } = await ask("workbench", { stage: "quick" },
		    trialBody(trial));
		const name = this.notebook.add({ query, replay, note });

		this.mark("tune");
		this.take(trial);
		return name;
	}

	/* ---- together ---- */

	view() {
		const extenders = this.policy.profiles.some((p) => p.extenders > 0);

		const box = this.dropped();

		this.legend = h("div");
		this.showRules();
		fill(this.result, this.refusal, this.verdict, this.status, this.progress,
		    this.numbers,
		    h("section", { class: "panel" },
			h("div", { class: "bar-controls" },
			    h("label", {}, "Nodes by", h("select", {
				onchange: (e) => {
					this.resource = e.target.value;
					this.drawMaps();
				} }, this.nodes.resources.map((r) =>
				h("option", { value: r }, r)))),
			    h("label", {}, "Show", h("select", {
				onchange: (e) => {
					this.shown = e.target.value;
					this.drawMaps();
				} }, [["change", "the change"],
				["stranded", "what is stranded"],
				["before", "the policy in force"],
				["after", "the changed policy"]].map(([v, name]) =>
				h("option", { value: v }, name))))),
			this.map.element, this.legend),
		    this.histogram,
		    this.moves);
		fill(box, h("div", {}, this.rules,
		    h("details", { class: "panel", id: "text-part" },
			h("summary", {}, "Text of the policy", this.fileName),
			this.editor.element, this.diff),
		    this.tuning.element, this.notebook.element), this.result);
		return [
			h("div", { class: "head" }, h("div", {},
			    h("h1", { tabindex: "-1" }, "Workbench"),
			    h("p", { class: "dim" }, "All pods that may move are " +
				"placed again, by the policy in force and by the " +
				"changed one. Nothing is written to the cluster." +
				(extenders ? " Extenders are not asked." : ""))),
			h("div", { class: "row" }, this.saveButtons(),
			    this.historyButtons())),
			this.notes, box, this.summary,
		];
	}
}

export async function showWorkbench(context) {
	const [policy, nodes, cluster] = await Promise.all([askOnce("policy"),
	    askOnce("nodes"), askOnce("cluster")]);
	const bare = context.parameters.size === 0;
	const draft = bare ? ownDraft() : null;

	if (draft?.query) {
		context.parameters = new URLSearchParams(draft.query);
		context.remember(context.parameters);
	}
	const bench = new Workbench(context, policy, nodes, cluster,
	    await trialFrom(context.parameters));
	const other = bare && draft === null ? otherDraft() : null;

	context.title("Workbench");
	if (bench.trial.text !== null)
		bench.rebase = true;
	const content = bench.view();

	bench.status.textContent = "Placing all pods by the policy in force…";
	askOnce("baseline").then((baseline) => context.current() &&
	    bench.begin(baseline), (error) => {
		bench.status.textContent = "";
		fill(bench.refusal, h("p", { class: "panel bad-panel" }, error.message));
	});
	return other ? [h("p", { class: "panel" }, "There is a draft of ",
	    new Date(other.time).toLocaleString("en-GB"), ": ",
	    h("a", { href: `#/workbench?${other.query}` }, "open it"), "."),
	    content] : content;
}
