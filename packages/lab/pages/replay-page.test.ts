import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replayWith, reportOn, underBudget, writeSessionFile } from "../test-support/lab.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { thin } from "./context-chart.ts";
import { formatPage } from "./replay-page.ts";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cwl-page-"));
	await writeSessionFile(join(folder, "a <b> & c.jsonl"), writeLongSession(40));
	for (const rounds of [10, 15, 20, 25]) {
		await writeSessionFile(join(folder, `rounds-${rounds}.jsonl`), writeLongSession(rounds));
	}
});
afterAll(() => rm(folder, { recursive: true }));

async function pageOf(paths: readonly string[], policies: string): Promise<string> {
	const options = { paths, arms: underBudget(policies), lab: { withCourse: true } };
	const run = await replayWith(options);
	return formatPage(reportOn(run, options), run, "on a test machine");
}

/** Elements that are opened and closed in their order. */
function expectBalanced(page: string) {
	const open: string[] = [];
	for (const [, slash, name = ""] of page.matchAll(/<(\/?)([a-zA-Z][\w]*)[^>]*>/g)) {
		if (["meta", "input", "br"].includes(name)) continue;
		if (slash === "") open.push(name);
		else expect(open.pop()).toBe(name);
	}
	expect(open).toEqual([]);
}

test("a page holds every chart and table, and asks for nothing from outside", async () => {
	const page = await pageOf([folder], "none,recency-low,paper,cwl,compaction:keep=500:summary=100");
	expectBalanced(page);
	expect(page.match(/<figure>/g)).toHaveLength(2 + 3 + 1 + 1);
	expect(page.match(/<table>/g)).toHaveLength(3);
	expect(page).not.toMatch(/https?:|<script|<link|<img|@import|\ssrc=/);
	expect(page).not.toMatch(/NaN|Infinity|undefined/);
	expect(page).toContain("a &lt;b&gt; &amp; c");
	expect(page).not.toContain("<b>");
	expect(page).toContain("on a test machine");
});

test("every policy can be hidden, and has a colour", async () => {
	const page = await pageOf([join(folder, "rounds-25.jsonl")], "all");
	const policies = underBudget("all");
	expect(page.match(/type="checkbox"/g)).toHaveLength(policies.length);
	for (const i of policies.keys()) {
		expect(page).toMatch(new RegExp(`\\.p${i}\\{--c:var\\(--c\\d\\)\\}`));
		expect(page).toContain(`body:has(#show-p${i}:not(:checked)) .p${i}`);
	}
	for (const [, colour = ""] of page.matchAll(/--c:var\((--c\d)\)/g)) expect(page).toContain(`${colour}: #`);
});

test("one policy, a short session, or nothing at all make a page too", async () => {
	for (const page of [
		await pageOf([join(folder, "rounds-10.jsonl")], "none"),
		await pageOf([join(folder, "missing.jsonl")], "none,paper"),
	]) {
		expectBalanced(page);
		expect(page).not.toMatch(/NaN|Infinity|undefined/);
	}
	expect(await pageOf([join(folder, "missing.jsonl")], "none,paper")).toContain("there is no such file");
});

test("only the longest sessions keep their course", async () => {
	const run = await replayWith({ paths: [folder], lab: { withCourse: true } });
	const charted = run.replays.filter(({ results }) =>
		results.every(({ course }) => course.contexts.length > 0),
	);
	expect(charted.map(({ session }) => session)).toEqual(["a <b> & c", "rounds-20", "rounds-25"]);
});

test("a long line is drawn with its peaks", () => {
	const values = Array.from({ length: 10_000 }, (_, i) => (i === 7_777 ? 1e6 : i % 100));
	const kept = thin(values, 500);
	expect(kept.length).toBeLessThanOrEqual(500);
	expect(kept).toContainEqual([7_777, 1e6]);
	expect(kept.map(([index]) => index)).toEqual(kept.map(([index]) => index).toSorted((a, b) => a - b));
	expect(thin([3, 1, 2], 500)).toEqual([
		[0, 3],
		[1, 1],
		[2, 2],
	]);
});
