import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLongSession } from "../test-support/long-session.ts";
import { reportWith, writeSessionFile } from "../test-support/replay-run.ts";
import { formatCsv } from "./csv.ts";

test("one row a policy and one a session, with the figures of the report", async () => {
	const folder = await mkdtemp(join(tmpdir(), "cwl-csv-"));
	await writeSessionFile(join(folder, 'a,"b".jsonl'), writeLongSession(20));
	await writeSessionFile(join(folder, "short.jsonl"), writeLongSession(2));
	const report = await reportWith({ paths: [folder] });
	await rm(folder, { recursive: true });
	const [head = "", ...rows] = formatCsv(report).trimEnd().split("\r\n");
	const columns = head.split(",");
	expect(columns.slice(0, 4)).toEqual(["policy", "budget", "session", "requests"]);
	expect(new Set(columns).size).toBe(columns.length);
	expect(rows.map((row) => row.split(",").slice(0, 3).join())).toEqual([
		...["none,4000,", 'none,4000,"a', "none,4000,short"],
		...["paper,4000,", 'paper,4000,"a', "paper,4000,short"],
	]);
	expect(rows[1]).toContain('"a,""b"""');
	const cells = rows[3]?.split(",") ?? [];
	const cell = (column: string) => cells[columns.indexOf(column)];
	const paper = report.policies[1];
	expect(cell("tokensProcessed")).toBe(String(paper?.tokensProcessed));
	expect(cell("cost.anthropic")).toBe(String(paper?.cost.anthropic));
	expect(cell("grounding.edit.kept")).toBe(String(paper?.grounding.edit.kept));
	expect(cell("pressed.requests")).toBe(String(paper?.pressed?.requests));
	expect(rows[5]?.split(",")[columns.indexOf("pressed.requests")]).toBe("");
});
