/*
 * The page of predicatectl web in Chromium; run by browser.t, which says where
 * puppeteer-core and axe-core are.  Prints TAP.
 *
 *	browser.mjs CHROMIUM CACHE CASE URL [ARGUMENT…]
 *
 * CASE: views, hostile, safety, costs, weights, compare, drafts, query, overview,
 * counts, maintenance, tune, tuneLong, pod, queue, states, fast (the workbench on a real
 * cluster), big, empty, changes, token, pictures; of the daemon's page live, liveBig,
 * liveEnd, livePictures.
 */
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";

const [chromium, cache, test, url, ...more] = process.argv.slice(2);
const require = createRequire(join(cache, "x.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const origin = new URL(url).origin;

let failures = 0;

function ok(name, good, detail) {
	console.log(`${good ? "" : "not "}ok - ${name}`);
	if (good)
		return;
	failures++;
	for (const line of String(detail ?? "").split("\n"))
		console.log(`# ${line}`);
}

/* A time that was measured on a machine with much else to do says nothing. */
function timed(name, ms, most) {
	const busy = loadavg()[0] > 2 * availableParallelism();

	if (ms >= most && busy)
		console.log(`ok - ${name} # SKIP ${Math.round(ms)} ms, but the ` +
		    "machine is busy");
	else
		ok(name, ms < most, `${ms} ms`);
}

const browser = await puppeteer.launch({ executablePath: chromium,
	args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const page = await browser.newPage();
const troubles = [], strangers = [], methods = new Set();

page.on("pageerror", (error) => troubles.push(error.message));
page.on("console", (message) => {
	if (message.type() === "error")
		troubles.push(message.text());
});
page.on("request", (request) => {
	methods.add(request.method());
	if (!request.url().startsWith(`${origin}/`) &&
	    !request.url().startsWith("blob:") &&
	    !request.url().startsWith("data:"))
		strangers.push(request.url());
});

/* Whether the address has the text soon. */
const comesTo = (part) => page.waitForFunction((p) => location.hash.includes(p),
    { timeout: 5000 }, part).then(() => true, () => false);

const settle = (ms) => new Promise((done) => setTimeout(done, ms));
const text = () => page.$eval("main", (main) => main.innerText);

// The first square of the map.
async function clickMap() {
	const map = await page.$("canvas");

	await map.click({ offset: { x: 5, y: 5 } });
}

async function go(route) {
	const before = await page.evaluate(
	    () => document.querySelector("main")?.dataset.view ?? "");

	await page.evaluate((to) => { location.hash = to; }, `#${route}`);
	await page.waitForFunction((n) =>
	    document.querySelector("main").dataset.view !== n, {}, before)
	    .catch(() => {});
	await page.waitForNetworkIdle({ idleTime: 200, concurrency: 1,
		timeout: 20000 }).catch(() => {});
}

/* Rules of axe-core on the whole page: best practices, too. */
async function check(name) {
	/* The page's policy runs no code of others, so that of the test comes by the
	 * debugging protocol. */
	await page.evaluate(axe);
	const found = await page.evaluate(() => globalThis.axe.run(document));
	const wide = await page.evaluate(() =>
	    document.documentElement.scrollWidth - innerWidth);

	ok(`${name}: axe finds nothing`, found.violations.length === 0,
	    found.violations.map((v) => `${v.id}: ${v.help}: ` +
		v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(" | "))
		.join("\n"));
	ok(`${name}: no wider than the window`, wide <= 0, `${wide} pixels more`);
	if (page.viewport().width > 400)
		return;
	const covered = await overlaps();

	ok(`${name}: no text lies on another`, covered === "", covered);
}

/* Texts and controls that lie on each other, but for what scrolls. */
const overlaps = () => page.evaluate(() => {
	const boxes = [];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const isShown = (e) => !e.closest(".hidden-text, .skip, .tip, .summary, .table, " +
	    ".diff, .patch, textarea, option, noscript, dialog:not([open])") &&
	    e.checkVisibility();
	const add = (rects, e, name) => boxes.push(...[...rects].filter((r) =>
	    r.width > 1 && isShown(e)).map((r) => ({ r, e, name })));

	while (texts.nextNode()) {
		const node = texts.currentNode, range = document.createRange();

		range.selectNodeContents(node);
		if (node.data.trim() !== "")
			add(range.getClientRects(), node.parentElement, node.data);
	}
	for (const e of document.querySelectorAll("main input, main select"))
		add([e.getBoundingClientRect()], e, e.outerHTML);
	return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) =>
	    !a.e.contains(b.e) && !b.e.contains(a.e) &&
	    Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left) > 2 &&
	    Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top) > 4)
	    .map((b) => `${a.name.slice(0, 60)} | ${b.name.slice(0, 60)}`)).join("\n");
});

async function open(width = 1280, theme = "light") {
	await page.setViewport({ width, height: 900 });
	await page.emulateMediaFeatures([{ name: "prefers-color-scheme",
		value: theme }]);
	await page.goto(url);
	await page.waitForSelector("main[data-view]");
}

/* ---- the cases ---- */

const routes = {
	overview: "/overview",
	nodes: "/nodes",
	node: "/node/general-a-000",
	pending: "/pending",
	pods: "/pods",
	"a pending pod": "/pod/PENDING",
	"a placed pod": "/pod/PLACED",
	workbench: "/workbench?c=scores%3ALeastRequestedPriority%3D6",
	"a refused policy": `/workbench?text=${encodeURIComponent(
	    '{"kind":"Policy","apiVersion":"v1",\n"priorities":[{"name":"Foo",' +
	    '"weight":1}]}')}&configuration=0`,
	"a view that is not there": "/nothing",
	"a node that is not there": "/node/nothing",
};

async function podNamed(state) {
	return page.evaluate(async (s) => {
		const token = localStorage.getItem("predicated-token");
		const reply = await fetch(`/api/v1/pods?limit=4&state=${s}`,
		    { headers: { Authorization: `Bearer ${token}` } });

		return (await reply.json()).pods.at(-1).name;
	}, state);
}

async function views() {
	await open();
	ok("the token is not in the address", !page.url().includes("token"),
	    page.url());
	const names = { PENDING: await podNamed("pending"),
		PLACED: await podNamed("placed") };

	for (const width of [1280, 400])
		for (const theme of ["light", "dark"]) {
			await open(width, theme);
			for (const [name, route] of Object.entries(routes)) {
				await go(route.replace(/PENDING|PLACED/,
				    (which) => names[which]));
				await check(`${name}, ${width} pixels, ${theme}`);
			}
		}
	await open();
	await go("/workbench?c=scores%3ALeastRequestedPriority%3D6");
	await page.waitForSelector('#result[data-stage="full"]');
	await page.setViewport({ width: 400, height: 900 });
	// A narrow window keeps a summary in sight.
	ok("400 pixels: the summary stays in sight", await page.$$eval(".summary",
	    (all) => all.length === 1 && all[0].getBoundingClientRect().bottom <=
		innerHeight + 1));
	await page.setViewport({ width: 1280, height: 900 });
	await beginning();
	ok("moves have their rules", /would move/.test(await text()) &&
	    /LeastRequestedPriority/.test(await text()), await text());
	await page.emulateMediaType("print");
	ok("on paper the workbench has its weights, and no sliders", await page.evaluate(() =>
	    [".rule [type=number]", ".rule [type=range]", "th button", "#find"].map((e) =>
		document.querySelector(e).checkVisibility()).join()) ===
	    "true,false,true,false");
	await page.emulateMediaType("screen");
	await endedTrial();
	const link = page.url();

	await page.goto("about:blank");
	await page.goto(link);
	await page.waitForSelector('#result[data-stage="full"]');
	ok("a link to a view opens it as it was", await page.$eval(
	    '[aria-label="Weight of LeastRequestedPriority"]',
	    (input) => input.value === "6"));
	await go(routes["a refused policy"]);
	await page.waitForSelector(".problems button");
	await page.click(".problems button");
	ok("a problem leads to its place in the text", await page.$eval(
	    "textarea", (area) => document.activeElement === area &&
		area.value.slice(area.selectionStart, area.selectionStart + 4)
		    .includes("Foo")), await page.$eval("textarea",
	    (area) => `${area.selectionStart}`));
	await page.goto("about:blank");
	await open();
	await page.keyboard.press("Tab");
	ok("the keyboard comes to the skip link first", await page.evaluate(() =>
	    document.activeElement.className === "skip"));
	await go("/nodes");
	const media = await page.createCDPSession();

	await media.send("Emulation.setEmulatedMedia",
	    { features: [{ name: "forced-colors", value: "active" }] });
	await page.reload();
	await page.waitForSelector(".legend i");
	await settle(500);
	ok("in forced colours utilisation has its own still", await page.$$eval(".legend i",
	    (all) => new Set(all.map((e) => getComputedStyle(e).backgroundColor)).size) >=
	    7 && await page.$eval("canvas", (e) => new Set(new Uint32Array(e.getContext(
		"2d").getImageData(0, 0, e.width, e.height).data.buffer)).size) > 4);
	await check("forced colours");
	await media.send("Emulation.setEmulatedMedia", { features: [] });
	await page.reload();
	await page.waitForSelector("canvas");
	await clickMap();
	ok("a square of the map leads to its node", await comesTo("#/node/"),
	    page.url());
	ok("nothing is asked of other servers", strangers.length === 0,
	    strangers.join("\n"));
	/* Replies that say 4xx are logged by Chromium itself. */
	const own = troubles.filter((t) => !/404|409/.test(t));

	ok("no error is logged", own.length === 0, own.join("\n"));
}

/* What is said while a trial runs, after the policy in force was tried. */
async function beginning() {
	const stages = [];
	const look = async (request) => {
		const stage = /stage=(\w+)/.exec(request.url())?.[1];

		stages.push(stage);
		if (stage === "quick")
			ok("it says that the changed policy is tried, not the one in force",
			    await says("#result > p[role=status]",
				"by the changed policy…"), await inResult("> p"));
		request.continue();
	};
	const route = page.url();

	await page.setRequestInterception(true);
	page.on("request", look);
	await page.reload();
	await page.waitForSelector('#result[data-stage="full"]');
	stages.length = 0;
	await page.evaluate(() => sessionStorage.clear());
	await page.goto("about:blank");
	await page.goto(`${origin}/#/workbench?`);
	ok("what the policy in force does is not tried twice", await says(
	    "#result > p[role=status]", "placed again by the policy in force") &&
	    !stages.includes("quick"), stages.join());
	page.off("request", look);
	await page.setRequestInterception(false);
	await page.goto("about:blank");
	await page.goto(route);
	await page.waitForSelector('#result[data-stage="full"]');
}

/* Another question in the place of a trial. */
async function endedTrial() {
	const end = (request) => {
		if (/stage=full/.test(request.url()))
			request.respond({ status: 409, contentType: "application/json",
				body: '{"error": "another question has come"}' });
		else
			request.continue();
	};

	await page.setRequestInterception(true);
	page.on("request", end);
	await setWeight(7);
	ok("a trial that was ended says so", await says(".summary",
	    "The server has ended this trial: its cost is not known"));
	page.off("request", end);
	await page.setRequestInterception(false);
	await press("Try again");
	ok("and may begin again", await says(".summary", "would move"));
	await setWeight(6);
	await says(".summary", "would move");
}

/* Drags a weight and waits for new numbers. */
async function fast() {
	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	let best = Infinity;

	for (const weight of [5, 9, 13, 4, 8, 12]) {
		const before = await page.$eval("#result", (r) => r.innerText);
		const ms = await page.evaluate(async (at, value) => {
			const result = document.getElementById("result");
			const range = document.querySelector(at);
			const started = performance.now();

			delete result.dataset.stage;
			range.value = String(value);
			range.dispatchEvent(new Event("input",
			    { bubbles: true }));
			while (!result.dataset.stage)
				await new Promise(requestAnimationFrame);
			return performance.now() - started;
		}, slider, weight);

		best = Math.min(best, ms);
		ok(`weight ${weight}: other numbers`, before !== await page.$eval(
		    "#result", (r) => r.innerText));
		await page.waitForSelector('#result[data-stage="full"]');
	}
	console.log(`# a dragged weight shows new numbers in ${
	    Math.round(best)} ms`);
	timed("a dragged weight shows new numbers within a second", best, 1000);
	ok("and then the pods that would move", /would move/.test(await text()));
}

async function big() {
	await page.setViewport({ width: 1280, height: 900 });
	let ms = Infinity;

	/* The best of three: other programs may be busy. */
	for (let i = 0; i < 3; i++) {
		await page.goto("about:blank");
		const started = Date.now();

		await page.goto(url.replace("#", "#/nodes?"));
		await page.waitForSelector("tbody a");
		ms = Math.min(ms, Date.now() - started);
	}

	console.log(`# 5,000 nodes: the first view after ${ms} ms`);
	timed("5,000 nodes, 150,000 pods: the first view within 3 s", ms, 3000);
	await go("/overview");
	await shows("Remedy:", 60000);
	console.log(`# what helps 500 pods after ${await page.evaluate(() =>
	    Math.round(performance.getEntriesByType("resource").findLast((e) =>
		/remedies/.test(e.name)).duration))} ms`);
	await go("/nodes");
	await page.waitForSelector("tbody a");
	const scrolled = await page.evaluate(async () => {
		const box = document.querySelector(".table");
		let most = 0, worst = 0, last = performance.now();

		for (let i = 0; i < 60; i++) {
			box.scrollTop += 2500;
			await new Promise(requestAnimationFrame);
			const now = performance.now();

			worst = Math.max(worst, now - last);
			last = now;
			most = Math.max(most,
			    box.querySelectorAll("tbody tr").length);
		}
		await new Promise(requestAnimationFrame);
		return { most, worst, text: box.innerText };
	});

	console.log(`# the slowest of 60 frames took ${
	    Math.round(scrolled.worst)} ms`);
	ok("only rows in sight are in the document", scrolled.most < 120,
	    scrolled.most);
	timed("scrolling is smooth", scrolled.worst, 200);
	await go("/pods");
	await page.evaluate(() => {
		const box = document.querySelector(".table");

		box.scrollTop = box.scrollHeight;
	});
	await settle(300);
	await page.waitForFunction(() =>
	    document.querySelectorAll("tbody tr:not(.spacer) a").length > 5,
	    { timeout: 10000 });
	ok("the last of 150,000 pods are there at once", true);
	const before = Date.now();

	ok("all of them are sorted by node", await sortBy("Node", ".*") &&
	    await page.waitForFunction(() => /general-a-000/.test(document
		.querySelector(".table").innerText), { timeout: 20000 })
		.then(() => true, () => false));
	timed("within 4 s", Date.now() - before, 4000);
	console.log(`# 150,000 pods sorted after ${Date.now() - before} ms`);
	await go("/workbench?c=scores%3ALeastRequestedPriority%3D6");
	await page.waitForSelector('#result[data-stage="estimate"]',
	    { timeout: 60000 });
	ok("of many pods an estimate is shown first", await says(".summary",
	    "about [\\d,]+ ± [\\d,]+ pods would move"));
	await page.waitForSelector('#result[data-stage="quick"]',
	    { timeout: 60000 });
	console.log(`# 150,500 pods placed again after ${
	    await page.$eval("#result", (r) => r.dataset.ms)} ms`);
	ok("the workbench places all of them again", true);
}

const withoutRules = encodeURIComponent('{"kind":"Policy","apiVersion":"v1",' +
    '"predicates":[],"priorities":[]}');
const inResult = (selector) => page.$$eval(`#result ${selector}`,
    (all) => all.map((e) => e.innerText).join(" | "));

/* Of a list of choices, by the text of its label. */
const choose = (label, value) => page.evaluate((text, chosen) => {
	const select = [...document.querySelectorAll("#result label")].find((l) =>
	    l.firstChild.textContent === text).querySelector("select");

	select.value = chosen;
	select.dispatchEvent(new Event("change"));
}, label, value);

/* The nodes that strand memory, by the policy in force and by one without rules. */
const stranded = async () => [(await api("baseline")).replay, (await api(
    "workbench", { text: decodeURIComponent(withoutRules) })).replay]
    .map((replay) => replay.stranded.memory);

/* Names that would hide, or turn the sentence around them. */
async function hostile() {
	const evil = "\u001b[31m\u009b31m\u202eevil\u2066";
	const shown = "\\x1b[31m\\u009b31m\\u202eevil\\u2066";
	const named = (name) => encodeURIComponent(name + evil);

	await open();
	for (const [route, what] of [["/overview", ""], ["/nodes", ""],
	    ["/pending", `p${shown}`], ["/pods", `r${shown}`],
	    [`/pod/${named(`d${evil}/p`)}`, `d${shown}/p${shown}`],
	    [`/pod/${named("d/r")}`, `r${shown}`],
	    [`/node/${named("n2")}`, `n2${shown}`], ["/workbench", ""]]) {
		await go(route);
		await settle(300);
		const seen = await page.evaluate(() => [document.title,
		    document.body.innerText,
		    ...[...document.querySelectorAll("*")].flatMap((e) =>
			["title", "aria-label", "alt"].map((a) =>
			    e.getAttribute(a) ?? ""))].join("\n"));

		ok(`${route}: nothing raw`, !/[^\P{C}\n\t]/u.test(seen),
		    JSON.stringify(seen.match(/.{0,20}[^\P{C}\n\t].{0,20}/u)));
		ok(`${route}: names are shown`, seen.includes(what), seen);
	}
	await go("/pods");
	await page.waitForSelector("tbody a");
	await page.click("tbody a");
	ok("a link still leads to its pod", await page.waitForFunction((name) =>
	    document.querySelector("h1")?.innerText.includes(name),
	    { timeout: 5000 }, shown).then(() => true, () => false));
	ok("letters from right to left turn nothing around their element",
	    await page.$eval("main a", (a) => getComputedStyle(a).unicodeBidi) ===
		"isolate");
}

/* What a trial breaks is said, and is not praised. */
async function safety() {
	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	await settle(300);
	// A verdict on safety for each trial, and colour only where it means something.
	ok("without a change nothing has a colour",
	    await inResult(".good, .bad") === "", await inResult(".good, .bad"));
	await page.goto("about:blank");
	await open();
	await go(`/workbench?text=${withoutRules}&configuration=0`);
	await page.waitForSelector('#result[data-stage="full"]');
	const said = await inResult("#safety");

	ok("a policy without rules is not called safe: pods are counted first",
	    /^[\d,]+ pods lose their place, [1-9]\d* rules? broken, [1-9]\d* nodes over 100 %/
		.test(said) && !/safe/i.test(await text()), said);
	for (const what of ["nodes are over-committed", "pods break requests",
	    "most of all \\S+ *with"])
		ok(`it is said: ${what}`, new RegExp(what).test(said), said);
	ok("in red", /\d/.test(await inResult("#safety b.bad")),
	    await inResult("#safety b.bad"));
	await page.waitForSelector('#result[data-samples="3"]', { timeout: 20000 });
	ok("and nothing of it is green", await inResult(".good") === "",
	    await inResult(".good"));
	ok("nodes above 100 % are counted, before and after",
	    /above 100 %\s+0\s+[1-9]/.test(await inResult("table")),
	    await inResult("table"));
	ok("the map shows the change", /over 25 points more: [1-9]/.test(
	    await inResult(".legend")), await inResult(".legend"));
	const nodes = await api("nodes"), [was, is] = await stranded();
	const counts = nodes.zones.map((_, zone) => [was, is].map((places) =>
	    places.filter((i) => nodes.zone[i] === zone).length).join(" → "));

	await choose("Nodes by", "memory");
	await choose("Show", "stranded");
	ok("the map shows which nodes strand memory, before and after",
	    was.join() !== is.join() && await page.$$eval(".zone-name", (all) =>
		all.map((e) => /(\d+ → \d+) strand memory/.exec(e.innerText)?.[1])
		    .filter((t) => t).join()) === counts.join(),
	    `${counts} ${await inResult(".zone-name")}`);
	ok("with a legend", new RegExp(`strand it now: ${is.filter((i) =>
	    !was.includes(i)).length}`).test(await inResult(".legend")),
	await inResult(".legend"));
	await check("what nodes strand");
	await choose("Nodes by", "cpu");
	await choose("Show", "change");
	ok("zones have their shares before and after",
	    /eu-a · 80 nodes · [\d.]+ % → [\d.]+ % of cpu/.test(
		await inResult(".zone-name")), await inResult(".zone-name"));
	await check("a dangerous policy");
	await page.evaluate(() => [...document.querySelectorAll("main button")]
	    .find((b) => b.textContent === "policy.cfg").click());
	await page.waitForSelector("dialog[open]", { timeout: 5000 })
	    .catch(() => {});
	ok("saving it asks", await page.$("dialog[open]") !== null);
	await check("the question before saving");
	await page.keyboard.press("Escape");
	ok("and can be called off", await page.waitForFunction(() =>
	    document.querySelector("dialog[open]") === null, { timeout: 5000 })
	    .then(() => true, () => false));
}

/* Typed into the field of a weight. */
async function type(rule, text) {
	await page.click(`[aria-label="Weight of ${rule}"]`, { count: 3 });
	await page.keyboard.press("Backspace");
	await page.keyboard.type(text);
}

/* Weights that are none are not ignored. */
async function weights() {
	const rule = "LeastRequestedPriority";
	const field = () => page.$eval(`[aria-label="Weight of ${rule}"]`, (e) =>
	    [e.getAttribute("aria-invalid"), document.getElementById(
		e.getAttribute("aria-describedby"))?.innerText]);
	const summary = () => page.$eval(".summary", (e) => e.innerText);
	const asked = [];

	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	page.on("request", (request) => {
		if (/workbench\?/.test(request.url()))
			asked.push(request.postData());
	});
	for (const [typed, said] of [["", /missing/], ["-3", /not negative/],
	    ["1.5", /not a fraction/], ["e", /no whole number/],
	    ["922337203685477580", /largest weight is [\d,]+/]]) {
		await type(rule, typed);
		const [invalid, text] = await field();

		ok(`a weight of “${typed}” is marked in words`, invalid === "true" &&
		    said.test(text), `${invalid} ${text}`);
		ok("and the trial waits", await summary() ===
		    "The trial waits: 1 weight is not valid." &&
		    await inResult("#safety") === "", await summary());
	}
	await check("a weight that is not valid");
	const before = asked.length;

	await type("BalancedResourceAllocation", "7");
	await settle(300);
	ok("with its other changes", await page.evaluate(() =>
	    location.hash.includes("BalancedResourceAllocation%3D7")) &&
	    asked.length === before && /The trial waits/.test(await summary()),
	`${asked.join()} ${await summary()}`);
	await type(rule, "9007199254740991");
	ok("until it is valid", await page.waitForFunction(() => /pods placed/
	    .test(document.querySelector(".summary").innerText),
	{ timeout: 5000 }).then(() => true, () => false) &&
	    (await field()).join() === "false,", `${await field()}`);
	ok("then all are asked about, as they were typed", JSON.parse(asked.at(-1))
	    .changes.map((c) => c.weight).join() === "9007199254740991,7",
	asked.join("\n"));
}

/* What a trial costs: the node without a zone's label takes no pods any more. */
async function costs() {
	const body = { text: '{"kind":"Policy","apiVersion":"v1","predicates":[' +
	    '{"name":"GeneralPredicates"},{"name":"Zoned","argument":{' +
	    '"labelsPresence":{"labels":["topology.kubernetes.io/zone"],' +
	    '"presence":true}}}],"priorities":[]}' };
	const query = new URLSearchParams({ ...body, configuration: "0" });

	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	ok("of the policy in force it is said what is counted",
	    /^By the policy in force no rule of Kubernetes is broken, and no node/
		.test(await inResult("#safety")), await inResult("#safety"));
	await go(`/workbench?${query}`);
	await page.waitForSelector('#result[data-stage="full"]');
	const { moves, replay } = await api("workbench?stage=full", body);
	const want = `${moves.unschedulable} pods lose their place, 0 rules broken, ` +
	    "0 nodes over 100 %";

	ok("pods that lose their place come first", moves.unschedulable > 1 &&
	    (await inResult("#safety")).startsWith(want),
	    `${want}: ${await inResult("#safety")}`);
	ok("in red, and nothing else of it", await inResult("#safety h2 .bad") ===
	    want.split(",")[0], await inResult("#safety h2 .bad"));
	ok("nor is it called safe anywhere", !/\bsafe|breaks nothing/i.test(
	    await text()), await text());
	ok("the line that stays in sight has the same", (await page.$eval(".summary",
	    (e) => e.innerText)).includes(`${replay.placed} pods placed · ${want}`),
	await page.$eval(".summary", (e) => e.innerText));
	await check("what a trial costs");
	await press("Which pods");
	ok("these pods are shown", await page.waitForFunction((n) =>
	    document.activeElement.id === "query" && Number(document.querySelector(
		"#result .table:not(.short) table").getAttribute("aria-rowcount")) ===
		n + 1, { timeout: 5000 }, moves.unschedulable)
	    .then(() => true, () => false), await text());
	await press("policy.cfg");
	ok("saving it asks", await page.waitForSelector("dialog[open]",
	    { timeout: 5000 }).then((e) => e.evaluate((d) => d.innerText))
	    .then((said) => said.includes(want), () => false));
	await page.keyboard.press("Escape");
	await go(`/workbench?text=${encodeURIComponent('{"kind":"Policy",' +
	    '"apiVersion":"v1","priorities":[{"name":"Foo","weight":1}]}')}`);
	await shows("The policy is refused: ");
	ok("of a refused policy nothing is counted",
	    await inResult("#safety") === "" && await page.$eval(".summary",
		(e) => e.innerText) === "The policy is refused.",
	await page.$eval(".summary", (e) => e.innerText));
}

const slider = '[aria-label="Weight of LeastRequestedPriority, slider"]';
const weightIs = (n, tab = page) => tab.waitForFunction((at, value) =>
    document.querySelector(at)?.value === String(value), { timeout: 20000 },
    slider, n).then(() => true, () => false);
const setWeight = (n) => page.$eval(slider, (range, value) => {
	range.value = String(value);
	range.dispatchEvent(new Event("input", { bubbles: true }));
}, n);
const press = (name) => page.evaluate((text) =>
    [...document.querySelectorAll("main button, dialog button")]
	.findLast((b) => b.textContent === text).click(), name);

/* What pods a weight moves, two files, a ConfigMap. */
async function compare() {
	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	await setWeight(0);
	ok("which pods a weight moves: 1 drag", await shows("pods? would move"),
	    await text());
	// Noise is not effect.
	await shows("are ties", 30000);
	const causes = /^([\d,]+) \(±[\d,]+ over \d seeds\) moves caused by these changes; ([\d,]+) follow from them; ([\d,]+) are ties\.$/
	    .exec(await inResult("#causes"))?.slice(1)
	    .map((n) => Number(n.replaceAll(",", "")));

	ok("moves caused by a rule, those that follow and ties add up to all",
	    causes !== undefined && causes[0] > 0 && causes[2] > 0 &&
	    (await text()).replaceAll(",", "").includes(
		`${causes[0] + causes[1] + causes[2]} pods would move`),
	await inResult("#causes"));
	await page.waitForSelector(".groups button.quiet");
	ok("rules move them, not chance: a pod stays among equals", await page.$$eval(
	    ".groups li:has(button.quiet) b", (all) => all.map((b) => Number(b
		.textContent.replace(",", ""))).reduce((a, b) => a + b)) === 200,
	    await text());
	const [rule, moved] = await page.evaluate(() => {
		const button = document.querySelector(".groups button.quiet");

		button.click();
		return [button.textContent, parseInt(button.closest("li")
		    .querySelector("b").textContent.replace(",", ""), 10)];
	});

	await page.waitForFunction((name) => document.querySelector("#query")
	    .value === `rule:${name}`, {}, rule);
	ok("a rule's bar shows its pods", await page.waitForFunction((n) =>
	    Number(document.querySelector("#result .table:not(.short) table")
		.getAttribute("aria-rowcount")) === n + 1, { timeout: 5000 }, moved)
	    .then(() => true, () => false), `${rule} ${moved}`);
	await check("the pods of a rule");
	const full = await api("workbench?stage=full", { changes: [
	    { rule: "LeastRequestedPriority", weight: 0 }] });
	const last = (part) => part.split(" → ").at(-1).trim();

	ok("the numbers are those of the full answer, not of the estimate",
	    await page.$$eval(".numbers tbody tr", (all) => all.map((tr) =>
		[...tr.children].map((e) => e.innerText))).then((rows) =>
		full.replay.balance.resources.filter((r) => r.allocatable > 0)
		    .every((r) => rows.some((row) => row[0] === r.resource &&
			last(row[2]) === `${(100 * r.max).toFixed(1)} %` &&
			last(row[3]) === r.cv.toFixed(3) &&
			last(row[4]) === `${(100 * r.stranded / r.allocatable)
			    .toFixed(1)} %`))),
	`${JSON.stringify(full.replay.balance.resources)}\n${
	    await inResult(".numbers")}`);
	await press("Keep this one");
	await setWeight(5);
	await page.waitForSelector('#result[data-stage="full"]:not(.busy)');
	await press("Keep this one");
	ok("variants are kept, and drawn", await page.waitForFunction(() =>
	    [...document.querySelectorAll(".scatter b")].map((b) => b.textContent)
		.join() === "A,B", { timeout: 5000 }).then(() => true, () => false));
	ok("a text shows what it changes", await page.$eval(".diff", (e) =>
	    /- .*LeastRequestedPriority.*1[^]*\+ .*LeastRequestedPriority.*5/
		.test(e.textContent)), await page.$eval(".diff", (e) => e.innerHTML));
	const [was, is] = [(await api("policy")).text, await page.$eval("textarea",
	    (e) => e.value)];

	ok("and changes where the weight stands alone", was.length === is.length &&
	    [...was].filter((c, i) => c !== is[i]).length === 1, is);
	await page.$eval("#text-part", (e) => { e.open = true; });
	await check("variants");
	await page.evaluate(() => [...document.querySelectorAll("tbody th a")]
	    .find((a) => a.textContent === "A").click());
	ok("and opened again", await weightIs(0));
	await page.waitForSelector('#result[data-stage="full"]');
	const saved = page.waitForResponse((r) => /to=configmap/.test(r.url()));

	await press("ConfigMap");
	ok("a ConfigMap: 1 click", (await saved).ok());
	const configuration = page.waitForResponse((r) => /to=v1/.test(r.url()));

	await press("KubeSchedulerConfiguration");
	ok("a configuration has the form of the cluster's release, 1.20",
	    (await configuration).ok() && /to=v1beta1$/.test((await configuration).url()),
	    (await configuration).url());
	const [chooser] = await Promise.all([page.waitForFileChooser(),
	    press("Open a file")]);

	await chooser.accept([more[0]]);
	ok("two files are compared: 1 click and the choice of the file",
	    await page.waitForFunction(() => location.hash.includes("draft=") ||
		location.hash.includes("text="), { timeout: 10000 })
		.then(() => true, () => false) &&
	    await shows("would move|No pod would move"), await text());
	const name = more[0].replace(/.*\//, "");

	ok("the name of the file is there", await says("#text-part summary",
	    `Text of the policy · ${name}$`));
	ok("also in the link", page.url().includes(name), page.url());
	const written = await page.$eval("textarea", (area) => {
		area.value += "\n".repeat(600);
		area.dispatchEvent(new Event("input", { bubbles: true }));
		return area.value;
	});

	await comesTo("draft=");
	await press("Link");
	const shared = await page.waitForSelector(".patch pre").then((e) =>
	    e.evaluate((p) => p.innerText));

	await page.goto("about:blank");
	await open();
	await page.evaluate(() => {
		for (const key of Object.keys(localStorage))
			if (key.startsWith("predicated-text"))
				localStorage.removeItem(key);
	});
	await page.goto(shared);
	await page.waitForSelector('#result[data-stage="full"]');
	ok("a link carries a small policy to other browsers", written.length > 600 &&
	    await page.$eval("textarea", (e) => e.value) === written, shared);
	const sign = () => page.$eval(".bench", (e) => {
		const { content } = getComputedStyle(e, "::after");

		return content === "none" ? "" : content;
	});
	const drag = (type) => page.$eval(".bench", (e, t) => e.dispatchEvent(
	    new DragEvent(t, { bubbles: true, cancelable: true })), type);

	await drag("dragover");
	ok("a file above the workbench is told to drop", /Drop a policy/.test(await sign()),
	    await sign());
	await drag("dragleave");
	ok("and elsewhere not", await sign() === "", await sign());
}

/* Nothing of a trial is lost. */
async function drafts() {
	await open();
	await go("/workbench");
	await page.waitForSelector(slider);
	await setWeight(7);
	await settle(1000);
	await setWeight(9);
	await press("Undo");
	// Nothing is lost.
	ok("a change is undone", await weightIs(7));
	await press("Redo");
	ok("and redone", await weightIs(9));
	await go("/nodes");
	await go("/workbench");
	ok("the trial is there when one comes back", await weightIs(9));
	const tab = await browser.newPage();

	await tab.goto(`${origin}/#/workbench`);
	ok("another tab has its own", await weightIs(1, tab));
	ok("and offers the draft", await tab.waitForFunction(() =>
	    /There is a draft/.test(document.body.innerText), { timeout: 5000 })
	    .then(() => true, () => false));
	await tab.close();
	await press("Undo all");
	ok("undoing all asks", await page.$("dialog[open]") !== null);
	await page.keyboard.press("Escape");
	ok("and can be called off", await weightIs(9));
	const results = await page.evaluate(async (at) => {
		const result = document.getElementById("result");
		const range = document.querySelector(at);
		let n = 0;

		new MutationObserver(() => { n++; }).observe(result,
		    { attributes: true, attributeFilter: ["data-ms"] });
		for (let i = 0; i < 400 && n < 2; i++) {
			range.value = String(2 + i % 15);
			range.dispatchEvent(new Event("input", { bubbles: true }));
			await new Promise((done) => setTimeout(done, 30));
		}
		return n;
	}, slider);

	// A drag shows results while it lasts.
	ok("results come while a weight is dragged", results >= 2, results);
	await page.$eval("textarea", (area) => {
		area.closest("details").open = true;
		area.focus();
		area.value += " ".repeat(5000);
		area.dispatchEvent(new Event("input", { bubbles: true }));
	});
	await page.waitForFunction(() => location.hash.includes("draft="),
	    { timeout: 10000 }).catch(() => {});
	ok("a long text is not in the address", page.url().length < 300, page.url());
	const link = page.url();

	await page.goto("about:blank");
	await page.goto(link);
	await page.waitForSelector('#result[data-stage="full"]');
	ok("but it is there again", await page.$eval("textarea", (area) =>
	    area.value.length > 5000));
}

const rowNames = () => page.$$eval("tbody th", (all) =>
    all.map((e) => e.innerText).join());

/* By the column whose head has the text; whether this row is the first then. */
const sortBy = async (name, first) => {
	await page.evaluate((head) => [...document.querySelectorAll("th button")]
	    .find((b) => b.textContent.includes(head)).click(), name);
	return page.waitForFunction((pattern) => new RegExp(`^${pattern}$`).test(
	    document.querySelector("tbody th")?.innerText), { timeout: 5000 },
	first).then(() => true, () => false);
};

/* body: posted, unless it is missing. */
const api = (path, body) => page.evaluate(async (p, text) => {
	const token = localStorage.getItem("predicated-token");
	const reply = await fetch(`/api/v1/${p}`, { body: text,
	    method: text ? "POST" : "GET",
	    headers: { Authorization: `Bearer ${token}` } });

	return reply.json();
}, path, body && JSON.stringify(body));

/* Types a query, after "/"; whether what was found is said so. */
async function find(words, said) {
	await page.keyboard.press("/");
	await page.keyboard.type(words);
	return page.waitForFunction((p) => new RegExp(p).test(
	    document.querySelector(".query").innerText), { timeout: 10000 }, said)
	    .then(() => true, () => false);
}
async function clear() {
	await page.$eval("#query", (box) => {
		box.value = "";
		box.dispatchEvent(new Event("input"));
		box.blur();
	});
	await page.waitForFunction(() => document.querySelector(".query")
	    .innerText.trim() === "", { timeout: 5000 });
}

/* ---- the finder ---- */

async function openFinder() {
	await page.keyboard.down("Control");
	await page.keyboard.press("k");
	await page.keyboard.up("Control");
}

const foundRow = (pattern) => page.waitForFunction((p) => [...document
    .querySelectorAll("#finder li")].some((e) => new RegExp(p).test(e.innerText)),
{ timeout: 20000 }, pattern).then(() => true, () => false);

/* By Ctrl-K: the part is found as a row that Enter leads to the address. */
async function finds(part, row, to) {
	await openFinder();
	await page.keyboard.type(part);
	ok(`Ctrl-K finds ${row}`, await foundRow(row), await page.$eval("#finder",
	    (e) => e.innerText));
	await page.waitForFunction(() => document.querySelector("#finder p")
	    .innerText !== "Looking…").catch(() => {});
	const place = await page.$$eval("#finder li", (all, p) => all.findIndex((e) =>
	    new RegExp(p).test(e.innerText)), row);

	for (let i = 0; i < place; i++)
		await page.keyboard.press("ArrowDown");
	await page.keyboard.press("Enter");
	ok("and Enter leads there", await comesTo(to) && await page.$eval("#finder",
	    (e) => !e.open), page.url());
}

/* Queries, groups and marks. */
async function query() {
	await open();
	await go("/workbench");
	await page.waitForSelector(slider);
	await page.keyboard.press("/");
	ok("where a view has no box, / finds anything, too", await page.$eval(
	    "#finder", (e) => e.open && e.contains(document.activeElement)));
	await page.keyboard.press("Escape");
	for (const [part, row, to] of [["general-a-000", "^node general-a-000$",
	    "#/node/general-a-000"], ["audit", "^view Audit$", "#/audit"],
	["disk=nvme", "^cause No node has disk=nvme$", "#/pending?show=stay&q=cause"]])
		await finds(part, row, to);
	const pod = await podNamed("placed");

	await finds(pod, `^pod ${pod}$`, `#/pod/${pod}`);
	await openFinder();
	await page.keyboard.type("gener");
	await foundRow("^node general-a-000$");
	await page.keyboard.press("ArrowDown");
	ok("arrow keys choose, and say so to screen readers", await page.$eval(
	    "#finder input", (e) => document.getElementById(e.getAttribute(
		"aria-activedescendant")).getAttribute("aria-selected")) === "true" &&
	    await page.$$eval("#finder li", (all) => all.findIndex((e) =>
		e.getAttribute("aria-selected") === "true")) === 1);
	await check("the finder");
	await page.keyboard.type(" no such name");
	ok("what is nowhere is said so", await says("#finder p", "Nothing has this"));
	await page.keyboard.press("Escape");
	ok("Escape closes it", await page.$eval("#finder", (e) => !e.open));
	await go("/nodes");
	const nodes = await api("nodes"), labels = await api("labels");
	const want = nodes.name.filter((_, i) =>
	    nodes.zones[nodes.zone[i]] === "eu-b" &&
	    labels.taints[i].some((t) => t.includes("gpu")) &&
	    nodes.allocatable["nvidia.com/gpu"][i] > 0 &&
	    nodes.requested.cpu[i] < 0.2 * nodes.allocatable.cpu[i]);

	await page.waitForFunction(() => /pool/.test(document.querySelector(
	    "main").innerText));
	ok("a query finds nodes by zone, taint, amount and share",
	    await find("zone:eu-b taint:gpu gpu>0 cpu<20%",
		`^${want.length} of 240 nodes`), await text());
	ok("these alone are in the table", want.length > 0 &&
	    await rowNames() === want.join(), await rowNames());
	ok("and on the map", await page.$eval("canvas", (c) =>
	    c.getAttribute("aria-label")).then((label) => label.match(
	    /(\d+) nodes?/g).reduce((n, t) => n + parseInt(t, 10), 0)) ===
	    want.length);
	ok("the query is in the address", await comesTo("q=zone%3Aeu-b+taint"),
	    page.url());
	await check("a query");
	await clear();
	ok("what is not understood is explained", await find("colour:red",
	    "“colour” is nothing that can be asked for here. There are: name,"));
	await clear();
	ok("an amount that is none, too", await find("cpu>x", "“x” is no amount"));
	await clear();
	ok("words are turned round, and of several states",
	    await find("-state:ready state:cordoned", "^3 of 240 nodes"));
	await clear();
	await page.evaluate(() => {
		const choice = [...document.querySelectorAll("select")].find((s) =>
		    [...s.options].some((o) => o.value === "pool"));

		choice.value = "pool";
		choice.dispatchEvent(new Event("change"));
	});
	const pools = await page.$$eval(".zone-name", (all) =>
	    all.map((e) => e.innerText).join("\n"));

	ok("nodes are grouped by a label, with totals",
	    /gpu *· 15 nodes · \d+ % of 960 cpu/.test(pools), pools);
	ok("states have marks", /cordoned: 3[^]*not ready: 2[^]*tainted: 14/.test(
	    await text()), await text());
	await check("groups by a label");
	await page.evaluate(() => [...document.querySelectorAll(".zone-name button")]
	    .find((b) => b.textContent === "gpu").click());
	ok("a group opens", await page.waitForFunction(() =>
	    /^15 of 240/.test(document.querySelector(".query").innerText),
	{ timeout: 5000 }).then(() => true, () => false), await text());
	const all = (await api("pending?outcome=stays&limit=1000")).pods;
	const some = all.filter((p) => /gpu/.test(p.message) && p.cpu >= 500);

	await go("/pending");
	ok("pending pods are found by reason and request",
	    await find("reason:gpu cpu>=500m", `^${some.length} pods`) &&
	    some.length > 0 && some.length < all.length, await text());
	await go("/pods");
	ok("pods by node", await find("node:gpu-a cpu>1", "^[1-9]\\d* pods"),
	    await text());
}

/* Clicks on the link or button with the text, beside this in a fact or list if it is
 * given; clicks are counted. */
let clicks = 0;

async function click(pattern, beside = null) {
	clicks++;
	await page.waitForFunction((p, label) => {
		const found = [...document.querySelectorAll("main a, main button")]
		    .find((e) => new RegExp(p).test(e.textContent) &&
			(label === null ||
			    e.closest(".fact, li")?.innerText.includes(label)));

		found?.click();
		return found !== undefined;
	}, { timeout: 10000 }, pattern, beside);
}

/* A task from the page's first view: whether it shows the text after so many clicks. */
async function task(name, most, steps, pattern) {
	await page.goto("about:blank");
	await open();
	await shows("cannot be placed");
	clicks = 0;
	const started = Date.now();

	await steps();
	await page.waitForFunction(() => !/overview|^$/.test(location.hash),
	    { timeout: 5000 }).catch(() => {});
	const good = await shows(pattern, 5000);

	console.log(`# ${name}: ${clicks} clicks, ${Date.now() - started} ms`);
	ok(`${name}: at most ${most} click${most === 1 ? "" : "s"}`,
	    good && clicks <= most, `${clicks} clicks\n${await text()}`);
}

/* A node without cpu that strands GPUs, pods that want them, and a budget. */
async function overview() {
	await open();
	await shows("Remedy:");
	const { problems } = await api("reasons?remedies=true");
	await shows("may not be evicted"); // the budgets come last
	const said = await text();

	ok("it opens on what cannot be placed", /^6 pods cannot be placed/.test(said),
	    said);
	const rows = await page.$$eval(".two .groups > li", (all) => all.map((e) =>
	    [parseInt(e.innerText, 10), e.innerText]));
	const row = (what) => rows.find((r) => r[1].includes(what))?.[1] ?? "";

	ok("each pod is in one list, and once", rows.reduce((n, r) => n + r[0], 0) === 6 &&
	    !/by reason/.test(said), said);
	ok("by severity: what cannot be placed first, what a gate holds last",
	    /^2\s+Cannot be placed No node has disk=nvme/.test(row("disk=nvme")) &&
	    /^1\s+Preemption will place it/.test(row("d/urgent")) &&
	    /^1\s+Waits for a gate/.test(rows.at(-1)[1]) &&
	    rows.at(-2)[1] === row("d/urgent"), said);
	ok("owners stand for their pods", /d · Deployment\/db \(2 pods\)/.test(said) &&
	    !/d\/db-a/.test(said), said);
	ok("with what is requested and what is free", row("d/urgent").includes(
	    "Requested: 4 cpu. Free: 3, at most 3 on one node."), row("d/urgent"));
	const [map, list] = await page.$$eval(".two > *", (all) => all.map((e) =>
	    e.getBoundingClientRect().toJSON()));

	ok("beside a map of the nodes", await page.$eval(".two canvas", (e) =>
	    /^Nodes by cpu/.test(e.getAttribute("aria-label"))) &&
	    map.right <= list.left && map.top === list.top, JSON.stringify([map, list]));
	ok("the tiles say of which state they are", said.includes(
	    "The cluster now, before pods of the queue are placed"), said);
	ok("problems have remedies, and the pods that they place",
	    problems.length > 0 && problems.every((p) => said.includes(p.text) &&
		said.includes(p.remedy)) &&
	    /label node \S+ disk=nvme \(tried: any one of the 2 fits then/.test(said),
	    said);
	ok("budgets that block drains",
	    /1\s+pods of d may not be evicted: the budget keep/.test(said), said);
	for (const theme of ["light", "dark"])
		for (const width of [1440, 400]) {
			await open(width, theme);
			await shows("Remedy:");
			await check(`the overview, ${width} pixels, ${theme}`);
		}
	await task("the cause of a pending pod", 2, async () => {
		await click("Deployment/db");
		await comesTo("owner");
		await click("d/db-a");
	}, "No node has disk=nvme");
	await finds("deployment/d", "^owner d/Deployment/db$", "#/pods?q=owner");
	await task("the pods of an owner", 1, () => click("Deployment/db"), "2 pods");
	await task("the cheapest remedy", 2, () => click("d/gpu-a"), "Remedy:");
	await task("the fullest zone", 1, () => click("1b", "Fullest zone"),
	    "1 of 2 nodes[^]*gpu-1");
	await task("nodes that strand GPUs", 1, () => click("1 node", "Stranded gpu"),
	    "1 of 2 nodes[^]*gpu-1");
	await task("all pods of one cause", 1, () => click("^2$",
	    "disk=nvme"), "2 pods[^]*d/db-a");
	await task("anything by its name", 1, async () => {
		clicks++;
		await page.click("#find");
		await page.keyboard.type("gpu-a");
		await says("#found", "d/gpu-a");
		await page.keyboard.press("Enter");
	}, "d/gpu-a\\s+scheduler");
	await task("two files compared", 2, async () => {
		clicks += 2;
		await page.click('nav a[href="#/workbench"]');
		const button = await page.waitForSelector("::-p-text(Open a file)");
		const [chooser] = await Promise.all([page.waitForFileChooser(),
			button.click()]);

		await chooser.accept([more[0]]);
	}, "pods? would move|No pod would move");
}

/* Each number of the overview leads to as many rows. */
async function counts() {
	await open();
	await shows("Remedy:");
	await shows("may not be evicted");
	const links = await page.$$eval("main a", (all) => all.map((a) =>
	    [a.getAttribute("href").slice(1), a.innerText, a.closest("li, .fact, p, h1")
		.innerText.replaceAll("\n", " ")])
	    .filter(([, text]) => /^\d+( [a-z]+)*$/.test(text)));
	const bare = await page.$$eval("main .groups > li > b, .fact dd, h1", (all) =>
	    all.filter((e) => /^\d+(?! %)\b/.test(e.innerText) && !e.querySelector("a"))
		.map((e) => e.innerText));

	ok("every number is a link", bare.length === 0, bare.join("\n"));
	for (const what of ["empty", "Over-committed", "Remedy:", "a gate",
	    "Stranded gpu", "would be placed", "may not be evicted", "get no node"])
		ok(`there is a number of: ${what}`, links.some((l) =>
		    l[2].includes(what)), JSON.stringify(links));
	for (const [href, text, what] of links) {
		await go("/nodes?q=nothing");
		await go(href);
		ok(`${what.slice(0, 60)}: ${text}`, await page.waitForFunction((n) =>
		    [...document.querySelectorAll(".table:not(.short) table")].at(-1)
			?.getAttribute("aria-rowcount") === String(n + 1),
		{ timeout: 10000 }, parseInt(text, 10)).then(() => true, () => false),
		`${href}\n${await page.$eval("main", (e) => e.innerText)}`);
	}
	const { problems } = await api("reasons?remedies=true");

	ok("problems lead to causes", problems.length > 3 && problems.every((p) =>
	    links.some((l) => l[0].includes(`cause%3A${p.cause}`))),
	JSON.stringify(links));
	await check("the pods of a cause");
}

/* Drain, defrag, capacity and audit: what the commands print, with links. */
async function maintenance() {
	const links = () => page.$$eval("#answer a", (all) => all.map((a) =>
	    `${decodeURIComponent(a.getAttribute("href"))}`));
	const panels = (title) => page.$$eval("#answer section", (all, t) =>
	    all.filter((e) => e.querySelector("h2")?.innerText === t)
		.map((e) => e.innerText).join(), title);

	await open();
	await go("/node/a-1");
	await click("^Drain it$");
	ok("a node leads to its drain", await comesTo("#/drain?node=a-1") &&
	    await shows("What blocks the drain"), await text());
	const drain = await api("drain?node=a-1");

	ok("what blocks the drain is apart", /budget d\/keep/.test(
	    await panels("What blocks the drain")) && !/slow/.test(
	    await panels("What blocks the drain")), await text());
	ok("from what slows it", /2\s+pods of the budget d\/slow: one at a time/.test(
	    await panels("What slows it")), await text());
	ok("steps are in the order of the command", await page.$$eval(
	    "#answer .two > section .groups li > b", (all) => all.map((e) =>
		e.innerText).join()) === drain.plan.filter((s) => !s.blocks)
		.map((s) => s.step).join(), await text());
	const leads = await links();

	ok("pods and nodes lead to their views", drain.pods.length === 3 &&
	    drain.pods.every((p) => leads.includes(`#/pod/${p.pod}`) &&
		leads.includes(`#/node/${p.from}`) && (p.to === null ||
		    leads.includes(`#/node/${p.to}`))), leads.join());
	await page.type('input[aria-label="Name of a node"]', "b-1");
	await page.keyboard.press("Enter");
	ok("another node is added by keyboard", await comesTo("node=a-1&node=b-1") &&
	    await shows("d/job-1"), await text());
	await check("a drain");
	await page.click('[aria-label="Leave a-1 out"]');
	ok("and one is left out", await page.waitForFunction(() =>
	    /node=b-1/.test(location.hash) && !/a-1/.test(location.hash) &&
	    !document.getElementById("answer").innerText.includes("d/db-1"),
	{ timeout: 5000 }).then(() => true, () => false), await text());
	await page.select(".bar-controls select", "zone");
	ok("without a choice nothing is asked", await shows("Choose nodes\\."),
	    await text());
	await page.select('[aria-label="Zone"]', "1b");
	ok("a zone is drained", await comesTo("zone=1b") && await shows("d/full-1") &&
	    await shows("Nodes drained\\s+2"), await text());
	await page.click('input[type="checkbox"]');
	ok("or lost, where no budget counts", await shows("Nodes lost\\s+2") &&
	    !/The steps/.test(await text()), await text());
	await go("/drain?node=nothing");
	ok("an error is in plain words", await shows(
	    'node "nothing" is not in the cluster'), await text());
	await check("an error");

	await go("/pod/d/big-1");
	await click("^Moves that let it in$");
	const defrag = await api("defrag?name=d/big-1");

	ok("a pod leads to the moves that let it in", await comesTo("#/defrag") &&
	    await shows("It fits on b-1 after 1 move, and not after fewer"),
	await text());
	ok("which are the command's", defrag.moves.length === 1 && (await links())
	    .join().includes(`#/pod/${defrag.moves[0].pod},#/node/${
		defrag.moves[0].from},#/node/${defrag.moves[0].to}`),
	    (await links()).join());
	await go("/defrag?name=d/db-1");
	ok("a pod that needs no room", await shows("d/db-1 is on node a-1 already"),
	    await text());
	await go("/capacity");
	ok("without a pod nothing is asked", await shows("Choose a pod"),
	    await text());
	await page.type('input[aria-label="Name of a pod"]', "d/job-1");
	await page.keyboard.press("Enter");
	const capacity = await api("capacity?name=d/job-1");

	ok("how many more fit", await comesTo("name=d%2Fjob-1") && await shows(
	    `${capacity.copies} more copies fit`) && capacity.copies === 2,
	await text());
	ok("on each node", await rowNames() === capacity.nodes.map((n) => n.node)
	    .join(), await rowNames());
	await go("/overview");
	await click("^Full audit$");
	ok("the audit", await comesTo("#/audit") && await shows(
	    "Over-committed\\s+1 times a node") && await shows("keep"),
	await text());
	ok("amounts have their units", await shows("b-2\\s+cpu\\s+5\\s+4"),
	    await text());
	ok("its tabs", await page.$$eval('nav[aria-label="Maintenance"] a', (all) =>
	    all.map((a) => (a.hasAttribute("aria-current") ? "*" : "") +
		a.innerText).join()) === "Drain,Defrag,Capacity,*Audit");
	for (const theme of ["light", "dark"])
		for (const width of [1440, 1280, 400]) {
			await open(width, theme);
			for (const [route, found] of [["/drain?zone=1a", "The steps"],
			    ["/defrag?name=d/big-1", "It fits"],
			    ["/capacity?name=d/job-1", "more copies"],
			    ["/audit", "Over-committed"], ["/drain", "Choose"]]) {
				await go(route);
				await shows(found);
				await check(`${route}, ${width} pixels, ${theme}`);
			}
		}
	const own = troubles.filter((t) => !/40[049]|422/.test(t));

	ok("no error is logged", own.length === 0, own.join("\n"));
}

/* Rows of a table in the panel of tune: texts of their cells. */
const tuned = (label) => page.$$eval(`#tuning [aria-label="${label}"] tbody tr`,
    (all) => all.map((row) => [...row.children].map((e) => e.innerText).join()));
const tuneSays = (pattern, timeout = 60000) => page.waitForFunction((p) =>
    new RegExp(p).test(document.querySelector("#tuning [role=status]").innerText),
    { timeout }, pattern).then(() => true, () => false);

/* Weights that tune finds become a variant with its numbers. */
async function tune() {
	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	await page.select("#tuning select", "packing");
	await press("Find weights");
	const d = await api("tune?objective=packing");

	ok("better weights are found, and the work is told", d.improved &&
	    await tuneSays(`Better weights for packing were found: ${
		d.simulations} simulations`), await text());
	ok("changed weights are the command's", (await tuned("Weights")).join("|") ===
	    d.weights.filter((w) => w.today !== w.proposed).map((w) => [w.priority,
		w.today || "–", w.proposed || "–"].join()).join("|"),
	await tuned("Weights"));
	ok("so are the numbers before and after", (await tuned("Effect")).join("|") ===
	    [["Pods placed, of 4", d.today.balance.placed,
		d.proposed.balance.placed],
	    ["Nodes in use", d.today.nodesInUse, d.proposed.nodesInUse],
	    ...["packing", "spread", "zones", "balance"].map((name) =>
		[`Cost of ${name}`, d.today.costs[name].toFixed(4),
		    d.proposed.costs[name].toFixed(4)])].join("|"),
	await tuned("Effect"));
	await press("Keep as a variant");
	ok("they become a variant", await tuneSays("Kept as variant A"),
	    await text());
	const row = await page.$eval('[aria-label="Variants"] tbody tr', (e) =>
	    [...e.children].map((c) => c.innerText.trim()).join());

	ok("which has its origin and the command's numbers",
	    row.startsWith(`A tuned for packing,${d.proposed.balance.placed},–,${
		d.proposed.balance.emptyNodes},`), row);
	await page.waitForSelector('#result[data-stage="full"]:not(.busy)');
	const weight = d.weights.find((w) => w.today !== w.proposed);

	ok("and is opened", await page.$eval(`[aria-label="Weight of ${
	    weight.priority}"]`, (e) => e.value) === String(weight.proposed));
	ok("as the command's policy", await page.$eval("textarea", (e) => e.value)
	    .then((value) => JSON.stringify(JSON.parse(value).priorities)) ===
	    JSON.stringify(d.policy.priorities),
	await page.$eval("textarea", (e) => e.value));
	for (const theme of ["light", "dark"])
		for (const width of [1440, 1280, 400]) {
			await open(width, theme);
			await go("/workbench");
			await page.waitForSelector('#result[data-stage="full"]');
			await page.select("#tuning select", "balance");
			await press("Find weights");
			ok("where there are none it says so", await tuneSays(
			    "No better weights for balance were found") &&
			    !/Keep as a variant/.test(await text()), await text());
			await check(`tune, ${width} pixels, ${theme}`);
		}
	ok("no error is logged", troubles.length === 0, troubles.join("\n"));
}

/* A search that takes long is called off. */
async function tuneLong() {
	await open();
	await go("/workbench");
	await page.waitForSelector('#result[data-stage="full"]');
	await page.select("#tuning select", "packing");
	await press("Find weights");
	ok("it says that it runs, and for how long at most", await page
	    .waitForFunction(() => /[12] s of at most 10 s/.test(document
		.getElementById("tuning").innerText), { timeout: 10000 })
	    .then(() => true, () => false), await text());
	await check("a search for weights");
	await press("Cancel");
	ok("it is called off", await tuneSays("Called off", 2000), await text());
	ok("and may begin again", await page.evaluate(() =>
	    [...document.querySelectorAll("#tuning button")].every((b) =>
		!b.disabled && b.textContent !== "Cancel")));
}

/* What decided between two nodes, where all get much of one rule. */
async function whyThere(name) {
	const change = { kind: "scores", rule: "NodePreferAvoidPodsPriority",
		weight: 1000000, profile: null };
	const { rows, scores, chosen, best } = await api(
	    `pod?name=${name}&fits=true&limit=1000`, { changes: [change] });
	const winner = rows.find((r) => r.node === chosen), next = rows[best];
	const leads = scores.map((s, i) => s.weight *
	    (winner.scores[i] - next.scores[i])).filter((n) => n !== 0);

	await go(`/pod/${name}?c=${encodeURIComponent(
	    `scores:${change.rule}=${change.weight}`)}`);
	ok("why it goes there names the chosen node", await shows("Why this node") &&
	    await page.$eval("#because", (e) => e.innerText).then((said) =>
		said.startsWith(`${chosen} is ${winner.total - next.total} ahead of ` +
		    `the next best, ${next.node}, above all because `) &&
		said.includes(` gives ${chosen} ${Math.max(...leads)} more`)),
	`${chosen} ${next.node} ${leads} ${await text()}`);
	ok("with differences alone: a weight that all share is invisible",
	    await page.$$eval("section:has(#because) li", (all) => all.map((e) =>
		e.innerText)).then((all) => all.length === leads.length &&
		!all.join().includes(change.rule) && leads.toSorted((a, b) =>
		Math.abs(b) - Math.abs(a)).every((n, i) => all[i].startsWith(
		    `${n > 0 ? "+" : "−"}${Math.abs(n)}`))), await text());
	ok("1280 pixels: nothing is cut off", await cutOff() === "",
	    await cutOff());
	await check("why a pod goes to its node");
}

/* What does not fit into its own box, but for what scrolls. */
const cutOff = () => page.$$eval("main *", (all) => all.filter((e) => {
	const style = getComputedStyle(e);

	return e.innerText && !e.closest(".hidden-text") && style.display !== "inline" &&
	    (e.scrollWidth > e.clientWidth + 1 && /hidden|clip/.test(style.overflowX) ||
		e.matches(".tall span") && e.scrollHeight > e.clientHeight + 1);
}).map((e) => `${e.outerHTML.slice(0, 120)}`).join("\n"));

/* One pod: its map, another node, scores, what to copy. */
async function pod() {
	await open();
	const { problems } = await api("reasons?remedies=true");
	const [name] = problems.find((p) => p.action === "label").examples;
	const d = await api(`pod?name=${name}`);

	await go(`/pod/${name}`);
	ok("the pod's map says which rules refuse its nodes",
	    await shows(`refused by ${d.filters.toSorted((a, b) =>
		b.refuses - a.refuses)[0].name}: \\d+`), await text());
	ok("the remedy is a command to copy", await page.$eval(".patch pre",
	    (e) => e.innerText) ===
	    `kubectl label node ${d.diagnosis.change.subject} disk=nvme`,
	await page.$eval(".patch", (e) => e.innerText));
	const why = await api(`why-not?name=${name}&node=general-a-000`);

	await page.waitForSelector("canvas");
	await clickMap();
	ok("a square of the map leads to why it is not there", why.changes.length > 0 &&
	    await shows(`To fit there it needs:\\s+${why.changes[0]}`),
	    await text());
	await check("a pod that waits, with another node");
	const [first] = problems.filter((p) => p.action === "request")
	    .flatMap((p) => p.examples);

	await go(`/pod/${first}`);
	ok("a request is a part of the pod to copy",
	    /^# in all containers together\nresources:\n {2}requests:\n {4}\S+: "[\d.]+"$/
		.test(await page.$eval(".patch pre", (e) => e.innerText)));
	await whyThere(await podNamed("placed"));
	for (const theme of ["light", "dark"])
		for (const width of [1440, 400]) {
			await open(width, theme);
			await go(`/pod/${name}`);
			await shows("refused by");
			await check(`a pod, ${width} pixels, ${theme}`);
		}
}

/* Two pods of 3 cpu and one of 5m wait for a node of 4, and no policy is known. */
async function queue() {
	await open();
	const named = await page.$$eval("#policy", (all) =>
	    all.map((p) => p.innerText).join());

	// The policy in force is named.
	ok("without a policy the page says so before any number",
	    /^No policy is known/.test(named), named);
	ok("and that the release is assumed", /which is assumed/.test(named), named);
	await go("/pending?show=all");
	await shows("takes before it");
	const said = await text();

	// Pending means simulated.
	ok("it says how many stay pending in the queue's order",
	    /2 pods would be placed and 1 would stay pending/.test(said), said);
	ok("and who takes the room",
	    /alone it would go to north, which d\/a takes before it/.test(said), said);
	// Numbers in units that show them.
	ok("5m of cpu are not nothing", /\b0\.005\b/.test(said), said);
	ok("a GPU is listed", /1 example\.com\/gpu/.test(said), said);
	await go("/pending?each=1&show=all");
	await shows("only one");
	ok("each alone is a switch",
	    /3 pods would be placed and 0 refused, each/.test(await text()),
	    await text());
	await check("pods, each alone");
	await go("/pending?show=all");
	await shows("takes before it");
	// Sort everywhere, and the map by keyboard.
	ok("pods are sorted by cpu, the most first",
	    await sortBy("cpu", "d/[ab]") && /^d\/[ab],d\/[ab],d\/c$/.test(
		await rowNames()), await rowNames());
	ok("and the other way", await sortBy("cpu", "d/c") &&
	    /^d\/c,/.test(await rowNames()), await rowNames());
	await go("/pod/d/c");
	await shows("Every node and every rule");
	ok("nodes that do not fit come last by score",
	    await sortBy("Total", "north") && await rowNames() === "north,mini",
	    await rowNames());
	ok("in the other direction, too", await sortBy("Total", "north") &&
	    await rowNames() === "north,mini", await rowNames());
	await go("/nodes");
	await page.focus("canvas");
	await page.keyboard.press("ArrowRight");
	ok("the map by keyboard: a node's amounts", /cpu: /.test(await page.$eval(
	    ".tip:not([hidden])", (tip) => tip.innerText)));
	await page.keyboard.press("Enter");
	ok("and its page", await comesTo("#/node/"), page.url());
	await go("/nodes");
	await sortBy("gpu", "north");
	await sortBy("gpu", "north");
	ok("nodes without GPUs come last, upwards too",
	    await rowNames() === "north,mini", await rowNames());
}

/* What is not known is not called nothing, and errors are in plain words. */
async function states() {
	/* The overview has asked for reasons already. */
	await page.goto(url.replace("#", "#/nodes?"));
	await page.waitForSelector("main[data-view]");
	let reply = null;

	await page.setRequestInterception(true);
	page.on("request", async (request) => {
		if (!/\/api\/v1\/(reasons|pods|baseline)/.test(request.url())) {
			request.continue();
		} else if (reply === null) {
			await settle(2500);
			request.continue();
		} else {
			request.respond(reply);
		}
	});
	timed("that it loads is said after 200 ms", await page.evaluate(async () => {
		const started = performance.now();

		location.hash = "#/pending";
		while (!/Loading/.test(document.querySelector("main").innerText))
			await new Promise(requestAnimationFrame);
		return performance.now() - started;
	}), 250);
	await settle(1000);
	// States: loading, and errors in plain words.
	ok("while it loads nothing is called empty", /Loading/.test(await text()) &&
	    !/No pod/.test(await text()), await text());
	await shows("would be placed");
	await page.evaluate(() => { location.hash = "#/pods"; });
	await settle(1000);
	ok("nor is a list", /Loading/.test(await text()) &&
	    !/No pod/.test(await text()), await text());
	await shows("d/a");
	await page.evaluate(() => { location.hash = "#/workbench"; });
	ok("the workbench has its rules before any pod is placed", await says("main",
	    "Scores: weights[^]*Placing all pods by the policy in force"), await text());
	ok("and then its numbers", await says(".summary", "pods placed · "), await text());
	reply = { status: 502, contentType: "text/html",
		body: "<html><h1>502 Bad Gateway</h1></html>" };
	await page.evaluate(() => { location.hash = "#/pods?q=a"; });
	await shows("server does not answer");
	ok("an error is in plain words, with what to do, and of no daemon",
	    !/<|Gateway|daemon/.test(
	    await text()) && /See whether/.test(await text()),
	    await text());
}

async function empty() {
	await open();
	for (const view of ["nodes", "pending", "pods", "workbench"]) {
		await go(`/${view}`);
		await settle(200);
		await check(`an empty cluster: ${view}`);
	}
	await go("/nodes");
	await page.waitForSelector("thead th");
	// Long names, and paper.
	ok("a long name hides no column", await page.$eval("thead th:last-child",
	    (th) => th.getBoundingClientRect().right <= innerWidth));
	await page.emulateMediaType("print");
	ok("on paper there are no controls, and whole tables",
	    await page.$eval("nav", (e) => getComputedStyle(e).display) === "none" &&
	    await page.$eval(".table", (e) =>
		getComputedStyle(e).overflowY) === "visible");
	await page.emulateMediaType("screen");
	await go("/pending");
	ok("no pod is pending", /No pod is pending/.test(await text()));
}

/* more: a file to touch, and the server's process. */
async function changes() {
	const [file, server] = more;
	const banner = (pattern) => page.waitForFunction((p) =>
	    new RegExp(p).test(document.getElementById("banner").innerText),
	    { timeout: 20000 }, pattern);

	await open();
	await page.waitForFunction(() =>
	    document.getElementById("source").textContent !== "");
	await go("/nodes");
	writeFileSync(file, readFileSync(file, "utf8")
	    .replaceAll("east-a-2", "east-a-9"));
	await banner("has changed");
	ok("a cluster that changes is announced", true);
	await check("a cluster that has changed");
	await page.click("#banner button");
	await page.waitForFunction(() =>
	    document.querySelector("main").innerText.includes("east-a-9"));
	ok("and shown when asked for", true);
	writeFileSync(file, "{");
	await banner("cannot be read any more");
	ok("one that cannot be read is announced", true);
	process.kill(Number(server), "SIGINT");
	await banner("does not answer");
	// A state that is stale.
	ok("a server that ends is announced, with the time of its last answer",
	    /Last answer \d\d:\d\d:\d\d/.test(await page.$eval("#banner",
		(b) => b.innerText)));
	await go("/pending");
	ok("and has a view", /does not answer/.test(await text()), await text());
	await check("a server that has ended");
}

async function token() {
	await page.setViewport({ width: 1280, height: 900 });
	await page.goto(`${origin}/`);
	await page.waitForSelector("main[data-view]");
	ok("without the token the page says so",
	    /needs its token/.test(await text()), await text());
	await check("a page without its token");
}

async function pictures() {
	const [folder] = more;
	const shots = [["web-overview", "/overview", 1280, "light", 800],
	    ["web-nodes", "/nodes", 1280, "light", 800],
	    ["web-workbench",
		"/workbench?c=scores%3ALeastRequestedPriority%3D0&" +
		"c=scores%3AMostRequestedPriority%3D3", 1280, "light", 860],
	    ["web-workbench-narrow",
		"/workbench?c=scores%3ALeastRequestedPriority%3D0&" +
		"c=scores%3AMostRequestedPriority%3D3", 400, "dark", 860],
	    ["web-pod", "/pod/PENDING", 1280, "dark", 860]];

	for (const [name, route, width, theme, height] of shots) {
		await open(width, theme);
		await page.setViewport({ width, height });
		await go(route.replace("PENDING", await podNamed("pending")));
		if (route.startsWith("/workbench"))
			await page.waitForSelector('#result[data-stage="full"]',
			    { timeout: 60000 });
		await settle(1500);
		await page.screenshot({ path: join(folder, `${name}.png`) });
	}
	ok("pictures are taken", true);
}

/* ---- the daemon's page ---- */

const liveRoutes = {
	overview: "/overview",
	queue: "/queue?place=unschedulable",
	"a search": "/queue?q=big",
	decisions: "/decisions",
	"refused ones": "/decisions?kind=refused",
	nodes: "/nodes",
	"a node": "/node/node-00003",
	pending: "/pending",
	pods: "/pods?state=placed",
	"a pod that waits": "/pod/default/big",
	"a pod that has a node": "/pod/default/fits-1",
	"a view that is not there": "/nothing",
	"a node that is not there": "/node/nothing",
};

const shows = (pattern, timeout = 60000) => page.waitForFunction((p) =>
    new RegExp(p).test(document.querySelector("main").innerText), { timeout },
    pattern).then(() => true, () => false);

/* Whether the text of an element comes to match. */
const says = (selector, pattern) => page.waitForFunction((at, p) =>
    new RegExp(p).test(document.querySelector(at)?.innerText), { timeout: 30000 },
selector, pattern).then(() => true, () => false);

/* As if the daemon's status had these members, until show() has been awaited. */
async function pretend(members, show) {
	const respond = async (request) => {
		if (!request.url().includes("/debug/status")) {
			request.continue();
			return;
		}
		const reply = await fetch(request.url(),
		    { headers: request.headers() });

		request.respond({ status: 200, contentType: "application/json",
			body: JSON.stringify({ ...await reply.json(), ...members }) });
	};

	await page.setRequestInterception(true);
	page.on("request", respond);
	await page.reload();
	await page.waitForSelector("main[data-view] h1");
	await show();
	page.off("request", respond);
	await page.setRequestInterception(false);
}

/* What is said about the cluster is said by the modules of the other page. */
async function overviewOfDaemon() {
	await page.goto("about:blank");
	await open(1440);
	ok("the page opens on what cannot be placed", await says("h1",
	    "^\\d+ pods cannot be placed$") &&
	    await page.$eval("nav a", (a) => a.innerText === "Overview" &&
		a.getAttribute("aria-current") === "page"), await text());
	ok("its views are those of the other page, but for what it cannot do",
	    await page.$$eval("nav a", (all) => all.map((a) => a.innerText).join()) ===
		"Overview,Nodes,Pending,Pods,Queue,Decisions");
	ok("that nothing is wrong, and who leads", await shows(
	    "State\\s+Healthy\\s+Leads\\s+this process \\S"), await text());
	ok("the oldest pod", await shows("The oldest waits\\s+2 h\\s+default/big"),
	    await text());
	ok("and how many wait long", await shows("Wait over 15 minutes\\s+1\\s"),
	    await text());
	ok("the policy: its source, rules, and since when", await shows(
	    "Policy\\s+kube-system/scheduler-policy\\[policy.cfg\\], a ConfigMap: " +
	    "\\d+ rules, in force for \\d+ (s|min)"), await text());
	ok("with its weights", await shows("LeastRequestedPriority × 1"), await text());
	ok("what helps, as it was tried", await shows(
	    "Remedy: [^]*\\(tried: (the pod|any one of)[^]* fits then\\)"), await text());
	const [map, list] = await page.$$eval(".two > *", (all) => all.map((e) =>
	    e.getBoundingClientRect().toJSON()));

	ok("beside a map of the nodes", await page.$eval(".two canvas", (e) =>
	    /^Nodes by \w+/.test(e.getAttribute("aria-label"))) &&
	    map.right <= list.left && map.top === list.top, JSON.stringify([map, list]));
	ok("owners stand for their pods", await shows(
	    "default · Job/owned \\(2 pods\\)"), await text());
	const causes = await page.$$eval(".groups li", (all) => all.map((li) => ({
		n: li.querySelector("b").innerText, text: li.innerText,
		href: li.querySelector("b a").getAttribute("href") })));

	ok("each cause has its severity", causes.length > 2 && causes.every(
	    (cause) => /Cannot be placed/.test(cause.text)),
	causes.map((cause) => cause.text).join("\n"));
	for (const width of [1440, 768])
		for (const theme of ["light", "dark"]) {
			await open(width, theme);
			await shows("Remedy:");
			await check(`overview, ${width} pixels, ${theme}`);
		}
	for (const { n, href, text: what } of causes) {
		await go(href.slice(1));
		ok(`the number of a cause leads to ${n}`, await says(".query",
		    `^${n} pods?$`) && await page.waitForFunction((rows) =>
		    document.querySelector(".table table").getAttribute(
			"aria-rowcount") === String(rows + 1), { timeout: 10000 },
		parseInt(n, 10)).then(() => true, () => false),
		`${what}\n${await text()}`);
	}
	await check("pods of a cause");
	await page.goto("about:blank");
	await open(400);
	ok("bars have axes", await says(".charts", "Pods placed a second[^]*" +
	    "10 min ago\\s+now"), await text());
	const plot = "[aria-label='Pods in the queue']";

	await page.waitForFunction((at) => document.querySelectorAll(`${at} i`)
	    .length > 2, { timeout: 30000 }, plot);
	ok("with their highest value", await page.$eval(plot, (e) =>
	    Number(e.parentNode.querySelector(".scale span").innerText) >= 12));
	await page.focus(plot);
	await page.keyboard.press("Home");
	ok("the keyboard reads a value of the past", await page.$eval(plot, (e) =>
	    /^\d\d:\d\d:\d\d · \d+$/.test(e.getAttribute("aria-valuetext")) &&
		e.parentNode.innerText.includes(e.getAttribute("aria-valuetext"))),
	await page.$eval(plot, (e) => e.parentNode.innerText));
	await settle(4000);
	ok("and stays there", await page.$eval(plot, (e) =>
	    document.activeElement === e && e.querySelector(".chosen") !== null));
	ok("rates of the API server, evictions and failures, too", await says(
	    ".charts", "API server's answers take[^]*\\d ms[^]*failed a minute" +
		"[^]*evicted a minute[^]*watches that failed a minute"),
	await text());
	await page.hover("[aria-label='Pods refused a second'] i:last-child");
	ok("so does the pointer", await says("figure:nth-child(2) figcaption",
	    "\\d\\d:\\d\\d:\\d\\d · \\S"), await text());
	await check("a value of the past");
	const status = { leads: false, leader: null, problems: [{ since: null,
		text: "Nobody leads", cure: "See the lease." }],
	waitingComplete: false, policy: {
		source: "configmap", origin: "a/b", generation: 1, rules: 3,
		since: "2026-01-01T00:00:00.000000Z", refused: true,
		problem: "policy.cfg:3:7: error: no such rule" } };

	await pretend(status, async () => {
		ok("who leads, and why nothing is scheduled: 0 clicks",
		    await shows("State\\s+1 problem\\s+Leads\\s+nobody") &&
		    await says("#banner", "Nobody leads See the lease"),
		    await text());
		ok("a count that is not complete is said so",
		    await shows("at least 1"), await text());
		ok("a policy that is refused has its problem with the line",
		    await says(".bad-panel", "policy.cfg:3:7: error: no such rule"),
		    await text());
		await check("problems");
	});
	await page.goto("about:blank");
	await open();
}

/* more: a program that makes a pod of the name it gets. */
async function live() {
	const [make] = more;

	await open();
	ok("the token is not in the address", !page.url().includes("token"),
	    page.url());
	for (const width of [1280, 400])
		for (const theme of ["light", "dark"]) {
			await open(width, theme);
			for (const [name, route] of Object.entries(liveRoutes)) {
				await go(route);
				await check(`${name}, ${width} pixels, ${theme}`);
			}
		}
	await page.goto("about:blank");
	await open();
	await page.keyboard.press("Tab");
	ok("the keyboard comes to the skip link first", await page.evaluate(() =>
	    document.activeElement.className === "skip"));
	await overviewOfDaemon();
	for (const [part, row, to] of [["big-too", "^pod default/big-too$",
	    "#/pod/default/big-too"], ["node-00003", "^node node-00003$",
	    "#/node/node-00003"], ["larger than any", "^cause Larger than any node",
	    "#/pending?show=stay&q=cause"], ["owned", "^owner default/Job/owned$",
	    "#/pods?q=owner"], ["decis", "^view Decisions$", "#/decisions"]])
		await finds(part, row, to);
	await openFinder();
	await check("the finder");
	await page.keyboard.press("Escape");
	await go("/queue?place=unschedulable");
	ok("a pod's reason is there", await shows("Insufficient cpu"),
	    await text());
	ok("with its nearest misses", await shows("Nearest: .* cpu short"),
	    await text());
	ok("a query finds pods by reason and request",
	    await find('reason:"Insufficient cpu" cpu>500', "^2 pods$"),
	    await text());
	ok("and they are sorted", await sortBy("Pod", "default/big") &&
	    await sortBy("Pod", "default/big-too"), await rowNames());
	await page.$eval("#query", (box) => { box.value = ""; });
	await page.focus("input[type=search]");
	await page.keyboard.type("big-t");
	ok("a search by keyboard finds the pod", await shows("1 pod in all places") &&
	    /big-too/.test(await text()), await text());
	await page.evaluate(() => {
		document.querySelector("tbody a").focus();
	});
	await settle(4000);
	ok("the keyboard stays at the link when the table is drawn again",
	    await page.evaluate(() => /big-too/.test(
		document.activeElement.textContent)));
	await page.keyboard.press("Enter");
	ok("and leads to its decision", await shows("Larger than any node"),
	    await text());
	ok("with preemption and misses of each node",
	    await shows("Nearest misses") && await shows("Preemption"));
	await go("/queue?place=unschedulable");
	ok("pods have their age, from their creation", (await page.$$eval("thead th",
	    (all) => all.map((e) => e.innerText))).includes("Age") &&
	    await page.$$eval("tbody time", (all) => all.length) > 0);
	await go("/decisions");
	const started = Date.now();

	execFileSync(make, ["fresh"]);
	ok("a decision appears as it is made", await shows("default/fresh"),
	    await text());
	console.log(`# ${Date.now() - started} ms after the pod's creation`);
	await page.focus("#pause");
	await page.keyboard.press("Space");
	ok("the keyboard pauses the page", await page.$eval("#pause", (b) =>
	    b.getAttribute("aria-pressed") === "true"));
	execFileSync(make, ["later"]);
	await settle(5000);
	ok("then nothing moves", !/default\/later/.test(await text()));
	await page.keyboard.press("Space");
	ok("and goes on from there", await shows("default/later"), await text());
	await go("/nodes");
	await clickMap();
	ok("a square of the map leads to its node", await comesTo("#/node/"),
	    page.url());
	ok("nothing is asked of other servers", strangers.length === 0,
	    strangers.join("\n"));
	ok("and nothing but read", [...methods].join() === "GET",
	    [...methods].join());
	/* Replies that say 4xx are logged by Chromium itself. */
	const own = troubles.filter((t) => !/404/.test(t));

	ok("no error is logged", own.length === 0, own.join("\n"));
}

/* more: the daemon's process. */
async function liveEnd() {
	const [daemon] = more;

	const isRed = () => page.waitForFunction(() => document.getElementById(
	    "banner").querySelector(".problem"), { timeout: 20000 });

	await open();
	await shows("Remedy:");
	ok("a daemon that is well says so", await page.waitForFunction(() =>
	    /^Healthy/.test(document.getElementById("source").innerText)));
	process.kill(Number(daemon), "SIGSTOP");
	const stopped = Date.now();

	await isRed();
	console.log(`# red ${Date.now() - stopped} ms after the daemon was stopped`);
	ok("a daemon that is stopped does not answer, in red", /does not answer/.test(
	    await page.$eval("#banner", (b) => b.innerText)));
	await check("a daemon that is stopped");
	process.kill(Number(daemon), "SIGCONT");
	ok("one that goes on is well again", await page.waitForFunction(() =>
	    document.getElementById("banner").innerText === "", { timeout: 20000 }));
	process.kill(Number(daemon), "SIGTERM");
	await page.waitForFunction(() => document.getElementById("banner")
	    .innerText !== "", { timeout: 20000 });
	ok("a daemon that ends is announced", true);
	await check("a daemon that has ended");
}

async function liveBig() {
	await page.setViewport({ width: 1280, height: 900 });
	let ms = Infinity;

	for (let i = 0; i < 3; i++) {
		await page.goto("about:blank");
		const started = Date.now();

		await page.goto(url.replace("#", "#/queue?"));
		await page.waitForSelector("tbody a");
		ms = Math.min(ms, Date.now() - started);
	}
	console.log(`# the queue is there after ${ms} ms`);
	timed("a long queue is there within 3 s", ms, 3000);
	await page.evaluate(() => {
		const box = document.querySelector(".table");

		box.scrollTop = box.scrollHeight;
	});
	await settle(500);
	await page.waitForFunction(() =>
	    document.querySelectorAll("tbody tr:not(.spacer) a").length > 5,
	    { timeout: 60000 });
	ok("so are the last of its pods that are listed", true);
	const rows = await page.$$eval("tbody tr", (all) => all.length);

	ok("only rows in sight are in the document", rows < 120, rows);
	ok("a list that becomes shorter shows its end",
	    await page.evaluate(async () => {
		const { WindowTable, localRows } =
		    await import(new URL("dom.js", document.baseURI));
		const table = new WindowTable("numbers", [{ name: "n" }],
		    (n) => [String(n)]);
		const numbers = (n) => localRows([...Array(n).keys()]);

		table.box.style.height = "300px";
		document.body.append(table.box);
		table.set(numbers(5000));
		table.box.scrollTop = table.box.scrollHeight;
		table.show();
		table.set(numbers(100));
		const text = table.box.innerText;

		table.box.remove();
		return text.includes("99");
	}));
	const started = Date.now();

	await go("/nodes");
	await page.waitForSelector("canvas");
	console.log(`# the nodes are there after ${Date.now() - started} ms`);
}

async function livePictures() {
	const [folder] = more;

	for (const [name, route, width, theme, height] of [
	    ["web-daemon", "/overview", 1280, "light", 860],
	    ["web-queue", "/queue?place=unschedulable", 1280, "light", 800],
	    ["web-decisions", "/decisions", 1280, "dark", 620],
	    ["web-queue-narrow", "/queue?place=unschedulable", 400, "dark",
		860]]) {
		await open(width, theme);
		await page.setViewport({ width, height });
		await go(route);
		await settle(5000);
		await page.screenshot({ path: join(folder, `${name}.png`) });
	}
	ok("pictures are taken", true);
}

try {
	await { live, liveBig, liveEnd, livePictures, views, hostile, safety, costs, weights, compare, drafts, query, overview, counts, maintenance, tune, tuneLong, pod, queue, states, fast, big, empty, changes, token, pictures }[test]();
} catch (error) {
	ok(`${test} goes through`, false, error.stack);
}
await browser.close();
process.exit(failures > 0 ? 1 : 0);
