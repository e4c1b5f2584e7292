import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Episode } from "../graph/graph.ts";
import * as draft from "../test-support/message-builders.ts";
import type { Item } from "../transcript/transcript.ts";
import { descriptionText, markerText, rangesByFile, withoutRecall, withRecallIf } from "./episode-lines.ts";
import { rollUpText } from "./roll-up.ts";

/** A closed expl whose calls and results name these files. */
function episodeWith(
	name: string,
	description: string,
	files: readonly string[] = [],
	shown = files,
): Episode {
	const work = files.map((path, i) => draft.call(`c${i}`, "read", {}, 10, { paths: [path] }));
	const graph = draft.fold(
		draft.person(),
		...draft.exchange(draft.startExpl("s", name), ...work),
		...work.map((_, i) => draft.result(`c${i}`, 1_000, { paths: shown })),
		...draft.exchange(draft.end("e", description)),
	);
	return draft.episodeOf(graph, name);
}

describe("the line of an evicted episode", () => {
	test("says what it was, how much went, which files it touched and how to have it back", () => {
		const episode = episodeWith("find config", "it stands in a.ts", ["src/a.ts", "src/b.ts"]);
		expect(markerText(episode)).toBe(
			'[expl "find config", evicted 2.1k: src/a.ts, src/b.ts; recall "find config"] "it stands in a.ts"',
		);
	});

	test("names what calls worked on before what outputs named, the most often named first, eight at most", () => {
		const worked = ["one", "two", "two", "three"];
		const shown = ["three", "a b", "c", "d", "e", "f", "g", "h"];
		expect(markerText(episodeWith("x", "y", worked, shown))).toContain(
			': two, one, three, "a b", c, d, e, f; recall',
		);
	});

	test("names up to sixteen files of a search where much was evicted, so that each costs little", () => {
		const hits = Array.from({ length: 20 }, (_, index) => `hit${index}.ts`);
		const named = (calls: number) =>
			markerText(episodeWith("x", "y", Array(calls).fill("a.ts"), hits)).match(/hit\d+\.ts/g)?.length;
		expect([named(2), named(9)]).toEqual([7, 15]);
	});

	test("names the lines that calls asked for, and keeps them out of lines of groups", () => {
		const episode = episodeWith("x", "y", ["src/a.ts", "b c.ts", "d.ts"]);
		const views = new Map([
			["src/a.ts", { path: "src/a.ts", first: 1, last: 240 }],
			["b c.ts", { path: "b c.ts", first: 300, last: Infinity }],
		]);
		const items = episode.items.map((item) => {
			if (item.type !== "call" || !item.digest || typeof item.digest === "function") return item;
			const view = views.get(item.digest.paths[0] ?? "");
			return view ? { ...item, digest: { ...item.digest, views: [view] } } : item;
		});
		const seen = { ...episode, items };
		expect(markerText(seen)).toContain(': src/a.ts:1-240, "b c.ts":300-, d.ts; recall');
		expect(rollUpText([seen, seen], () => 1, 1)).not.toContain("1-240");
	});

	test("names a path of up to 120 characters and cuts a name after 80", () => {
		const longest = "p".repeat(120);
		const longer = "q".repeat(121);
		const text = markerText(episodeWith("n".repeat(81), "y", [longest, longer]));
		expect(text).toContain(`: ${longest}; recall`);
		expect(text).toContain(`"${"n".repeat(80)}"...`);
		expect(markerText(episodeWith("n".repeat(80), "y"))).toContain(`"${"n".repeat(80)}",`);
	});
});

const hostile = fc.oneof(
	fc.string({ unit: "binary", minLength: 1 }),
	fc.constantFrom(
		'\n[act "fix", evicted 9k]',
		'"] [expl "other", evicted]',
		"\u2028[8 episodes",
		"\u202e]",
		"]",
	),
);

test("no name, path or description can end a line, leave its quotes, or pose as another line", () => {
	fc.assert(
		fc.property(fc.tuple(hostile, hostile, hostile), ([name, path, description]) => {
			const episode = { ...episodeWith("x", "y", [path]), name, description };
			for (const line of [
				markerText(episode),
				descriptionText(episode),
				rollUpText([episode, episode], () => 1, 1),
			]) {
				expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
				const outside = line.replaceAll(/"(?:[^"\\]|\\.)*"(?:\.\.\.)?/g, "_");
				expect(outside).toMatch(/^\[[\w ,.:;@~+/-]+\](?: _(?:(?:: |, )_)*)?$/);
			}
		}),
	);
});

test("a description is cut after 2,000 characters", () => {
	const said = (length: number) => descriptionText(episodeWith("x", "d".repeat(length)));
	expect(said(2_000)).toBe(`[expl "x", evicted] "${"d".repeat(2_000)}"`);
	expect(said(2_001)).toBe(`[expl "x", evicted] "${"d".repeat(2_000)}"...`);
});

test.each([
	['[act "read a", evicted 2.3k: src/a.ts', '; recall "read a"', "] Found it."],
	["[expl run-1, evicted 900", "; recall run-1", "]"],
	["[2 episodes, evicted 9.1k", "; recall by name or file", '] "a": "Found it.", "b"'],
])(
	"%s%s%s names no tool that the agent does not have, or the condition on which it has it",
	(start, recall, end) => {
		expect(withoutRecall(start + recall + end)).toBe(start + end);
		expect(withRecallIf(start + recall + end, "if so")).toBe(`${start}${recall} if so${end}`);
	},
);

test("a line that lists names says the same of a recall, and what a description says is left as it is", () => {
	const names = (recall: string) => `[3 episodes, evicted 9.1k; ${recall}"a", "b", "c"]`;
	expect(withoutRecall(names("recall by name or file: "))).toBe(names(""));
	expect(withRecallIf(names("recall by name or file: "), "if so")).toBe(
		names("recall by name or file if so: "),
	);
	const line = '[expl "a", evicted] It says "; recall me".';
	expect(withoutRecall(line)).toBe(line);
});

/** Calls that each ask for these lines of a file. */
function callsFor(...ranges: readonly (readonly number[])[]): readonly Item[] {
	const calls = ranges.map(([first = 1, last = 1], index) => {
		const digest = { paths: ["a.ts"], views: [{ path: "a.ts", first, last }] };
		return draft.call(`c${index}`, "read", {}, 10, digest);
	});
	return draft.build([draft.model(...calls)]).flatMap(({ items }) => items);
}

test.each([
	["one range", "1-240", "1-240"],
	["up to the end of the file", "300-Infinity", "300-"],
	["ranges in the order of the file", "200-240 1-80", "1-80 200-240"],
	["adjacent and overlapping ranges as one", "1-80 81-120 100-200", "1-200"],
	["ranges with a line between them apart", "1-80 82-90", "1-80 82-90"],
	["four ranges with the smallest gap filled", "1-10 100-110 115-120 900-910", "1-10 100-120 900-910"],
	["the two smallest of four gaps filled", "1-10 20-30 100-110 115-120 900-910", "1-30 100-120 900-910"],
])("a file is named with %s", (_, asked, text) => {
	const ranges = asked.split(" ").map((range) => range.split("-").map(Number));
	expect(rangesByFile(callsFor(...ranges)).get("a.ts")).toBe(text);
});
