/** Conversations that look alike: providers repeat call ids, or leave them empty, and agents begin with the same prompt. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDrawnId } from "../formats/wire-format.ts";
import { createMemoryStore } from "../pass-store.ts";
import { projectBody, smallProjector, type WireForm, wireForms } from "../test-support/small-requests.ts";

interface Session {
	readonly system: string;
	readonly exchanges: readonly { readonly id: string; readonly path: string; readonly output: string }[];
}

const apis = Object.entries(wireForms);

function bodyOf({ path, list, exchange }: WireForm, { system, exchanges }: Session, count: number): object {
	const entries = exchanges
		.slice(0, count)
		.flatMap(({ id, path: file, output }) => exchange(id, { name: "read", input: { path: file }, output }));
	const isChat = path.endsWith("completions");
	const begin = isChat ? [{ role: "system", content: system }] : [];
	const head = { model: "m", max_tokens: 1_000, ...(!isChat && { system, instructions: system }) };
	return { ...head, [list]: [...begin, { role: "user", content: "Fix the tests." }, ...entries] };
}

/** Ids as servers make them up that do not draw them. */
const repeatingIds: readonly ((n: number) => string)[] = [
	() => "",
	() => "call_0",
	(n) => `call_${n}`,
	(n) => `functions.read:${n}`,
	(n) => `call_${String(n).padStart(24, "0")}`,
	(n) => `toolu_readTheWholeFile${n}`,
];

const EXCHANGES = 24;

/** A session, and another one that differs from it in one place. */
const pairs = fc
	.record({
		id: fc.constantFrom(...repeatingIds),
		at: fc.nat(EXCHANGES - 1),
		differs: fc.constantFrom("path", "output", "system"),
	})
	.map(({ id, at, differs }): readonly [Session, Session] => {
		const exchanges = Array.from({ length: EXCHANGES }, (_, n) => ({
			...{ id: id(n), path: `src/part${n}.ts`, output: `line ${n} `.repeat(50) },
		}));
		const one = { system: "You help.", exchanges };
		if (differs === "system") return [one, { ...one, system: "You look for faults." }];
		const changed = exchanges.map((each, n) =>
			n === at ? { ...each, [differs]: `other ${n} `.repeat(40) } : each,
		);
		return [one, { ...one, exchanges: changed }];
	});

test.each(apis)("%s: no conversation has a pass of another one that only looks alike", (_, api) => {
	let passes = 0;
	fc.assert(
		fc.property(pairs, ([first, second]) => {
			const shared = createMemoryStore();
			const alone = createMemoryStore();
			const running = smallProjector(1_000, shared);
			for (let n = 1; n <= EXCHANGES; n += 1) {
				if (projectBody(running, bodyOf(api, first, n), api.path).pass) passes += 1;
			}
			// The second one may meet the same process or another one, from its beginning or in the middle.
			for (const later of [running, smallProjector(1_000, shared)]) {
				const own = smallProjector(1_000, alone);
				for (let n = 1; n <= EXCHANGES; n += 1) {
					const body = bodyOf(api, second, n);
					const expected = projectBody(own, body, api.path).body.toString();
					expect(projectBody(later, body, api.path).body.toString()).toBe(expected);
				}
			}
		}),
		{ numRuns: 30 },
	);
	expect(passes).toBeGreaterThan(30);
});

describe("an id that a provider draws names its conversation alone", () => {
	test.each([
		"toolu_01T1x1fJ34qAmk2tNTrN7Up6",
		"toolu_bdrk_01KsCRR3z2rBCrVLFBY9Kbss",
		"call_bPaLcXqM7jSTt2dnKQeZCyyg",
		"call_9f86d081884c7d659a2feaa0c55ad015",
	])("%s", (id) => expect(isDrawnId(id)).toBe(true));

	test.each(repeatingIds.map((id) => id(7)))("not %j", (id) => expect(isDrawnId(id)).toBe(false));
});
