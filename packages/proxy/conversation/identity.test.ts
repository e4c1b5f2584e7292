/** Conversations that look alike: providers repeat call ids, or leave them empty, and agents begin with the same prompt. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "../conversation-store.ts";
import { projectBody, smallProjector } from "../test-support/small-requests.ts";
import { isDrawnId } from "../wire/wire-format.ts";

interface Exchange {
	readonly id: string;
	readonly path: string;
	readonly output: string;
}

interface Session {
	readonly system: string;
	readonly exchanges: readonly Exchange[];
}

type Api = { readonly path: string; readonly body: (session: Session, exchanges: number) => object };

const opening = { role: "user", content: "Fix the tests." };

const apis: Readonly<Record<string, Api>> = {
	messages: {
		path: "/v1/messages",
		body: ({ system, exchanges }, count) => ({
			...{ model: "m", max_tokens: 1_000, system },
			messages: [
				opening,
				...exchanges.slice(0, count).flatMap(({ id, path, output }) => [
					{ role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path } }] },
					{ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output }] },
				]),
			],
		}),
	},
	responses: {
		path: "/v1/responses",
		body: ({ system, exchanges }, count) => ({
			...{ model: "m", instructions: system },
			input: [
				opening,
				...exchanges.slice(0, count).flatMap(({ id, path, output }) => [
					{ type: "function_call", call_id: id, name: "read", arguments: JSON.stringify({ path }) },
					{ type: "function_call_output", call_id: id, output },
				]),
			],
		}),
	},
	completions: {
		path: "/v1/chat/completions",
		body: ({ system, exchanges }, count) => ({
			model: "m",
			messages: [
				{ role: "system", content: system },
				opening,
				...exchanges.slice(0, count).flatMap(({ id, path, output }) => {
					const called = { name: "read", arguments: JSON.stringify({ path }) };
					return [
						{ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: called }] },
						{ role: "tool", tool_call_id: id, content: output },
					];
				}),
			],
		}),
	},
};

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

test.each(Object.entries(apis))(
	"%s: no conversation has a pass of another one that only looks alike",
	(_, api) => {
		let passes = 0;
		fc.assert(
			fc.property(pairs, ([first, second]) => {
				const [shared, alone] = [createMemoryStore(), createMemoryStore()];
				const running = smallProjector(1_000, shared);
				for (let n = 1; n <= EXCHANGES; n += 1) {
					if (projectBody(running, api.body(first, n), api.path).pass) passes += 1;
				}
				// The second one may meet the same process or another one, from its beginning or in the middle.
				for (const later of [running, smallProjector(1_000, shared)]) {
					const own = smallProjector(1_000, alone);
					for (let n = 1; n <= EXCHANGES; n += 1) {
						const body = api.body(second, n);
						const expected = projectBody(own, body, api.path).body.toString();
						expect(projectBody(later, body, api.path).body.toString()).toBe(expected);
					}
				}
			}),
			{ numRuns: 30 },
		);
		expect(passes).toBeGreaterThan(30);
	},
);

test.each(Object.entries(apis))(
	"%s: passes of a conversation do not act in one far below its budget",
	(_, api) => {
		const store = createMemoryStore();
		const sessionOf = (name: string): Session => ({
			system: name,
			exchanges: Array.from({ length: 20 }, (_each, n) => ({
				...{ id: `functions.read:${n}`, path: `${name}/${n}.ts`, output: `${name} ${n} `.repeat(50) },
			})),
		});
		const small = smallProjector(1_000, store);
		for (let n = 1; n <= 20; n += 1) projectBody(small, api.body(sessionOf("one"), n), api.path);
		const body = Buffer.from(JSON.stringify(api.body(sessionOf("two"), 20)));
		expect(projectBody(smallProjector(8_000, store), body, api.path).body).toBe(body);
	},
);

describe("an id that a provider draws names its conversation alone", () => {
	test.each([
		"toolu_01T1x1fJ34qAmk2tNTrN7Up6",
		"toolu_bdrk_01KsCRR3z2rBCrVLFBY9Kbss",
		"call_bPaLcXqM7jSTt2dnKQeZCyyg",
		"call_9f86d081884c7d659a2feaa0c55ad015",
	])("%s", (id) => expect(isDrawnId(id)).toBe(true));

	test.each(repeatingIds.map((id) => id(7)))("not %j", (id) => expect(isDrawnId(id)).toBe(false));
});
