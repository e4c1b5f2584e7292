/**
 * The pages of cwl in a real Chromium: a session that holds HTML and JavaScript wherever text can stand runs no script and
 * sends no request, and every page can be read on a narrow screen.
 */

import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTrial } from "../../extensions/cwl/test-support/trial.ts";
import * as say from "../pi/test-support/host-messages.ts";
import { type Browser, chromium, type Page, startBrowser } from "./test-support/browser.ts";

if (!chromium) console.warn("no chromium on the path: the pages are not opened in a real browser");

let browser: Browser;
/** A server that no page may reach, and how often it was reached. */
let canary: { readonly url: string; readonly hits: () => number; readonly close: () => void };
beforeAll(async () => {
	if (!chromium) return;
	browser = await startBrowser();
	let hits = 0;
	const server = createServer((_request, response) => {
		hits += 1;
		response.end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	canary = { url: `http://127.0.0.1:${port}`, hits: () => hits, close: () => server.close() };
});
afterAll(async () => {
	await browser?.close();
	canary?.close();
});

/** Ways out of text, an attribute, a script, JSON, a style and a title. */
const attacks = () => {
	const run = `window.hacked=1;fetch('${canary.url}/leak')`;
	return [
		`<img src="${canary.url}/img" onerror="${run}">`,
		`</script><script>${run}</script>`,
		`"><svg onload="${run}"><a href="javascript:${run}">x</a>`,
		`' onmouseover='${run}' x='`,
		`</style></title></textarea><iframe src="javascript:${run}"></iframe>`,
		`&quot;&gt;&lt;script&gt;${run}&lt;/script&gt;`,
		`]]><!--<script>${run}//--><link rel=stylesheet href="${canary.url}/css">`,
		`<meta http-equiv=refresh content="0;url=${canary.url}/refresh"><base href="${canary.url}">`,
	];
};
const attack = (index: number) => attacks()[index % attacks().length] ?? "";

/** A session in pi's format in which every text that a person, a model or a tool can choose attacks. */
function hostileSession(rounds: number): string {
	const said = (...blocks: say.ModelBlock[]) => ({
		...say.reply(blocks),
		provider: attack(2),
		model: attack(1),
	});
	const answered = (id: string, toolName: string, text: string) => ({ ...say.result(id, text), toolName });
	const delimit = (id: string, args: Record<string, unknown>) => [
		said(say.calls(id, "delimiter", args)),
		answered(id, "delimiter", attack(1)),
	];
	const roundOf = (n: number) => [
		say.user(attack(n)),
		...delimit(`start${n}`, { action: "start", type: "expl", name: `${attack(n)}-${n}`, dependencies: [] }),
		said(
			say.thinks(attack(n + 2)),
			say.calls(`read${n}`, "read", { path: `src/${attack(n + 1)}${n}.ts` }),
			say.calls(`odd${n}`, attack(n + 3), { [attack(n)]: attack(n + 4) }),
		),
		answered(`read${n}`, "read", `${attack(n)}\n`.repeat(40)),
		answered(`odd${n}`, attack(n + 3), attack(n + 5)),
		...delimit(`end${n}`, { action: "end", description: attack(n + 6) }),
		said(say.says(attack(n + 7))),
	];
	const messages = say.inOrder(...Array.from({ length: rounds }, (_, n) => roundOf(n)).flat());
	const entries = messages.map((message, index) => ({
		type: "message",
		id: `e${index}`,
		parentId: index > 0 ? `e${index - 1}` : null,
		message,
	}));
	const head = { type: "session", version: 3, id: attack(0), cwd: `/tmp/${attack(1)}` };
	return [head, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Moves over the page and through its controls, as a reader does, so that handlers would run. */
async function readThrough(page: Page): Promise<void> {
	for (let y = 50; y < 900; y += 100) await page.hover(300, y);
	for (let n = 0; n < 5; n += 1) await page.press("Tab");
	await page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))");
}

async function expectHarmless(page: Page, own: string): Promise<void> {
	await readThrough(page);
	const facts = `({
		hacked: "hacked" in window,
		title: document.title,
		foreign: document.querySelectorAll("img,iframe,object,embed,svg,link:not([rel=icon]),base,form,meta[http-equiv=refresh]").length,
		links: [...document.querySelectorAll("[href],[src]")].filter((each) => !["/health.json", "data:,"].includes(each.getAttribute("href"))).length,
		handlers: [...document.querySelectorAll("*")].filter((each) => [...each.attributes].some(({ name }) => name.startsWith("on"))).length,
		address: location.href.split("#")[0],
	})`;
	expect(await page.evaluate(facts)).toEqual({
		hacked: false,
		title: expect.stringMatching(/^[\w ]+$/),
		foreign: 0,
		links: 0,
		handlers: 0,
		address: own,
	});
	expect(page.requests.filter((url) => url !== own)).toEqual([]);
	expect(page.incidents).toEqual([]);
	expect(canary.hits()).toBe(0);
}

/** The addresses of a report and of a replay's page of two hostile sessions, made by the program itself. */
async function makePages(): Promise<{ readonly report: string; readonly replay: string }> {
	const trial = await startTrial();
	// A file name may hold anything but a slash.
	const folder = join(trial.work, '<img src=x onerror="window.hacked=1">');
	await mkdir(folder);
	const file = join(folder, `"><script>window.hacked=1<&script>'.jsonl`);
	await writeFile(file, hostileSession(12));
	await writeFile(join(folder, "javascript:window.hacked=1.jsonl"), hostileSession(8));
	const report = join(trial.directory, "report.html");
	const replay = join(trial.directory, "replay.html");
	const made = await trial.run(["report", file, "--budget", "8k", "--out", report]);
	expect(made).toMatchObject({ code: 0, stderr: "" });
	const flags = ["--budget", "8k", "--policy", "none,paper,cwl,compaction", "--html", replay];
	expect(await trial.run(["replay", folder, ...flags])).toMatchObject({ code: 0 });
	return { report: pathToFileURL(report).href, replay: pathToFileURL(replay).href };
}

describe.skipIf(!chromium)("in a real browser", () => {
	test("the pages of a hostile session run no script of its and ask for nothing, and can be read", async () => {
		const pages = await makePages();
		for (const url of [pages.report, pages.replay]) {
			for (const options of [{ width: 1280 }, { width: 420, isDark: true }]) {
				const page = await browser.open(url, options);
				await expectHarmless(page, url);
				await expectReadable(page, options.width);
			}
		}
	});
});

/** No text is smaller than 11 px, and no chart and no table is wider than the window or its place. */
async function expectReadable(page: Page, width: number): Promise<void> {
	const facts = `new Promise((resolve) => setTimeout(resolve, 300)).then(() => ({
		small: [...document.querySelectorAll("body *")].filter((each) => each.innerText && parseFloat(getComputedStyle(each).fontSize) < 11).map((each) => each.outerHTML.slice(0, 80)),
		ticks: typeof Chart === "undefined" ? [] : Object.values(Chart.instances).flatMap(({ scales }) => Object.values(scales)).map(({ options }) => options.ticks.font.size).filter((size) => size < 11),
		width: document.documentElement.scrollWidth,
		wide: [...document.querySelectorAll("canvas")].filter((each) => each.clientWidth > each.parentElement.clientWidth + 1).length,
		clipped: [...document.querySelectorAll(".scroll")].filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.innerText.slice(0, 80)),
	}))`;
	expect(await page.evaluate(facts)).toEqual({ small: [], ticks: [], width, wide: 0, clipped: [] });
}
