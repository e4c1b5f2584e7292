import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseBudget } from "#pi";
import { reportWith } from "../replay/test-support/replay-run.ts";
import { runTasks } from "./demo-run.ts";

test("a recorded demo can be replayed, with its recorded episodes or with inferred ones", {
	timeout: 60_000,
}, async () => {
	const folder = await mkdtemp(join(tmpdir(), "cwl-record-"));
	const { requests } = await runTasks({
		...{ tasks: 2, seed: 3, api: "anthropic", policy: "paper", budget: parseBudget("100k") },
		...{ keep: false, record: folder, signal: new AbortController().signal, onProgress: () => {} },
	});
	const paths = [join(folder, "worker-3.jsonl")];
	const recorded = await reportWith({ paths });
	expect(recorded).toMatchObject({ damage: [], sessions: { replayed: 1, annotated: 1 } });
	const inferred = await reportWith({ paths, annotation: "inferred" });
	expect(inferred).toMatchObject({ annotate: "inferred", sessions: { annotated: 0 } });
	expect(inferred.policies[0]?.requests).toBe(requests);
	expect(inferred.policies[0]?.tokensProcessed).toBeLessThan(recorded.policies[0]?.tokensProcessed ?? 0);
	expect(inferred.policies[0]?.grounding.path.needed).toBe(recorded.policies[0]?.grounding.path.needed);
	await rm(folder, { recursive: true });
});
