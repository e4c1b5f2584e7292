import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { type Compared, endLastLine, mendSessionFile } from "./session-repair.ts";

/** The fate of one write of the host, as the share of its bytes that reach the file; `mend` is a look at the file. */
const step = fc.oneof(
	{ weight: 3, arbitrary: fc.constant({ type: "write" as const, left: 0, share: 1 }) },
	{ weight: 2, arbitrary: fc.constant({ type: "write" as const, left: 0, share: 0 }) },
	{
		weight: 2,
		arbitrary: fc
			.double({ min: 0, max: 1, noNaN: true })
			.map((share) => ({ type: "write" as const, left: 0, share })),
	},
	{ weight: 1, arbitrary: fc.nat({ max: 3 }).map((left) => ({ type: "write" as const, left, share: 1 })) },
	{ weight: 3, arbitrary: fc.constant({ type: "mend" as const }) },
	{ weight: 1, arbitrary: fc.constant({ type: "foreign" as const }) },
);

const HEADER = '{"type":"session","id":"s"}\n';

/** Ids of the entries that a reader of the file finds. */
function idsIn(text: string): readonly string[] {
	return text.split("\n").flatMap((line) => {
		try {
			const { type, id } = JSON.parse(line);
			return type === "session" ? [] : [id];
		} catch {
			return [];
		}
	});
}

test("rule 18: whatever of a host's writes is lost or cut short, every entry is in the file once, and what stood there stays", () => {
	const file = join(createScratch(), "session.jsonl");
	fc.assert(
		fc.property(fc.array(step, { maxLength: 14 }), fc.boolean(), (steps, isTorn) => {
			writeFileSync(file, HEADER + (isTorn ? '{"type":"mess' : ""));
			let compared: Compared = { bytes: endLastLine(file), entries: 0 };
			const entries: { readonly id: string; readonly text: string }[] = [];
			const foreign: string[] = [];
			for (const [index, each] of [...steps, { type: "mend" as const }].entries()) {
				const before = readFileSync(file, "utf8");
				if (each.type === "mend") compared = mendSessionFile(file, entries, compared).compared;
				else if (each.type === "foreign") {
					foreign.push(`f${index}`);
					// Another process ends a line that was cut short, as ours does when it opens the file.
					endLastLine(file);
					appendFileSync(file, `${JSON.stringify({ id: `f${index}` })}\n`);
				} else {
					const entry = { id: `e${index}`, text: "ä\n".repeat(index) };
					entries.push(entry);
					const line = Buffer.from(`${JSON.stringify(entry)}\n`);
					const length = Math.floor(line.length * each.share) - each.left;
					appendFileSync(file, line.subarray(0, Math.max(0, length)));
				}
				expect(readFileSync(file, "utf8").startsWith(before)).toBe(true);
			}
			const found = idsIn(readFileSync(file, "utf8"));
			expect(found.toSorted()).toEqual([...entries.map(({ id }) => id), ...foreign].toSorted());
			expect(readFileSync(file, "utf8").endsWith("\n")).toBe(true);
		}),
	);
});
