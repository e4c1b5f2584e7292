import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grep } from "./grep.ts";
import { findRipgrep } from "./grep-ripgrep.ts";
import { randomPattern, randomText } from "./test-support/random-pattern.ts";
import { createScratch, writeTree } from "./test-support/scratch.ts";

const ripgrep = findRipgrep();

describe.skipIf(ripgrep === undefined)("with ripgrep on the PATH (skipped: it is not installed)", () => {
	it("both engines give the same answer", async () => {
		const request = fc.record({
			pattern: randomPattern,
			ignoreCase: fc.boolean(),
			literal: fc.boolean(),
			context: fc.integer({ min: 0, max: 3 }),
			limit: fc.integer({ min: 1, max: 6 }),
			mode: fc.constantFrom("lines", "lines", "count" as const),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(randomText, { minLength: 1, maxLength: 4 }),
				request,
				async (texts, request) => {
					const cwd = createScratch();
					writeTree(cwd, Object.fromEntries(texts.map((text, at) => [`f${at}`, text])));
					const { engine: _one, ...fromRipgrep } = await grep(request, { cwd });
					const { engine: _other, ...fromJavaScript } = await grep(request, { cwd, ripgrep: false });
					expect(fromJavaScript).toEqual(fromRipgrep);
				},
			),
			{ numRuns: Number(process.env.RUNS ?? 60) },
		);
	});
});
