import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../workspace/test-support/scratch.ts";
import { recordings } from "../test-support/recordings.ts";
import { damages, outline } from "../test-support/session-folder.ts";
import { readSession } from "./registry.ts";

test("one file an event is one session, in the order of the numbers; damage to one costs no other", async () => {
	const folder = scratchFolder();
	const stream = recordings.find(({ name }) => name.startsWith("actions of one response"));
	const events: readonly unknown[] = Object(stream?.document);
	for (const [i, event] of events.entries())
		await writeFile(join(folder, `${i}.json`), JSON.stringify(event));
	await writeFile(join(folder, "9.json"), "{cut");
	const session = await readSession(folder);
	const lines = stream?.reads.filter((line) => !line.includes("write#c9")) ?? [];
	expect(outline(session)).toEqual([...lines.slice(0, -1), "custom: read-only", ...lines.slice(-1)]);
	expect(damages(session)).toEqual([
		":9 no JSON object: skipped",
		":12 neither an action nor an observation: skipped",
	]);
});
