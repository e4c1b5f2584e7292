import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createReport } from "../report/report.ts";
import { writeLongSession } from "../test-support/long-session.ts";
import { chartsOf, expectBalanced, scriptsOf } from "../test-support/pages.ts";
import { replayWith, testSettings, underBudget, writeSessionFile } from "../test-support/replay-run.ts";
import { scratchFolder } from "../test-support/scratch-folder.ts";
import { formatPage } from "./replay-page.ts";

const folder = scratchFolder();
beforeAll(async () => {
	await writeSessionFile(join(folder, "a <b> & c.jsonl"), writeLongSession(40));
	for (const rounds of [10, 15, 20, 25]) {
		await writeSessionFile(join(folder, `rounds-${rounds}.jsonl`), writeLongSession(rounds));
	}
});

async function pageOf(paths: readonly string[], policies: string): Promise<string> {
	const options = { paths, arms: underBudget(policies), setup: { withContexts: true } };
	const run = await replayWith(options);
	return formatPage(createReport(run, testSettings(options)), run, "on a test machine");
}

test("a page holds every chart and table, and no session's name can break it", async () => {
	const page = await pageOf([folder], "none,recency,paper,cwl,compaction:keep=500:summary=100");
	expectBalanced(page);
	expect(chartsOf(page)).toHaveLength(1 + 3);
	expect(page.match(/<table>/g)).toHaveLength(2);
	expect(page).toContain("a &lt;b&gt; &amp; c");
	expect(page).not.toContain("<b>");
	expect(page).toContain("on a test machine");
});

test("a page may load nothing, and only its own scripts run", async () => {
	const page = await pageOf([folder], "none,paper");
	const [policy = ""] = /default-src[^"]*/.exec(page) ?? [];
	const hashes = scriptsOf(page).map((script) => createHash("sha256").update(script).digest("base64"));
	expect(hashes).toHaveLength(2);
	const allowed = hashes.map((hash) => `'sha256-${hash}'`).join(" ");
	expect(policy).toBe(`default-src 'none'; style-src 'unsafe-inline'; script-src ${allowed}`);
});

test("of many policies the first eight are shown, those that people ask for before the others", async () => {
	const page = await pageOf([join(folder, "rounds-25.jsonl")], "all");
	const lines =
		chartsOf(page)
			.at(-1)
			?.sets.filter(({ style }) => style === "line") ?? [];
	const shown = lines.filter(({ isHidden }) => isHidden !== true).map(({ name }) => name);
	expect(shown).toEqual(expect.arrayContaining(["none", "paper", "cwl", "compaction"]));
	expect(shown).toHaveLength(8);
	expect(lines).toHaveLength(underBudget("all").length);
});

test("one policy, a short session, or nothing at all make a page too", async () => {
	for (const page of [
		await pageOf([join(folder, "rounds-10.jsonl")], "none"),
		await pageOf([join(folder, "missing.jsonl")], "none,paper"),
	]) {
		expectBalanced(page);
	}
	const empty = await pageOf([join(folder, "missing.jsonl")], "none,paper");
	expect(empty).toContain("there is no such file");
	expect(scriptsOf(empty)).toEqual([]);
});

test("the three longest sessions are drawn", async () => {
	const page = await pageOf([folder], "none,cwl");
	const drawn = chartsOf(page).flatMap(
		({ summary }) => /of session (.*), by policy/.exec(summary)?.[1] ?? [],
	);
	expect(drawn).toEqual(["a <b> & c", "rounds-25", "rounds-20"]);
});
