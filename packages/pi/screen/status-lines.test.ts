import fc from "fast-check";
import { expect, test } from "vitest";
import type { Episode } from "#core/graph";
import { measurePressure } from "#core/health";
import type { Pass } from "#core/log";
import { boundaryLine, describeMadePass, type Footer, footerLine, nameEpisodes } from "./status-lines.ts";
import { paintLine, widthOf } from "./terminal-text.ts";

const burn = { recent: 1_200, before: 900, isSteep: false, isSpike: false };
const footer: Footer = {
	pressure: measurePressure({ used: 61_300, budget: 80_000, source: "reported", burn }),
	cachedShare: 0.924,
	lastPass: { number: 2, freed: "12k" },
};

const lineOf = (shown: Footer, width = 200) => paintLine(footerLine(shown, width), (_tone, text) => text);

test("says used, budget, growth, cached share and the pass that /cwl undo takes back, by its number", () => {
	expect(lineOf(footer)).toBe("cwl 61k/80k 77% · 1.2k more a request · 92% cached · pass #2: 12k less");
});

test("says at the end that pi's compaction is stopped, which pi's own footer shows as (auto)", () => {
	expect(lineOf({ ...footer, stopsCompaction: true })).toMatch(/12k less · pi's auto-compaction stopped$/);
});

test.each([
	["next message", 0, "at your next message: 9.1k less"],
	["next expl", 0, "when the model marks its next expl: likely 9.1k less"],
	["full", 7_900, "within 7.9k tokens: likely 9.1k less"],
	["full", 0, "with the next results: likely 9.1k less"],
	["cold cache", 0, "after 5 minutes without a request: 9.1k less"],
] as const)("names the nearest pass, whatever brings it: %s in %s", (at, dueIn, words) => {
	const figures = { thinking: 0, outputs: 6, episodes: 2 };
	const effect = at === "full" || at === "next expl" ? null : figures;
	const next = {
		at,
		dueIn,
		idle: 5,
		freed: 9_100,
		effect,
		strips: [],
		reductions: [],
		lines: 0,
		kept: [],
	};
	expect(lineOf({ ...footer, next })).toContain(`77% · pass ${words} · `);
});

const shorter = [
	["next request", "next request"],
	["next message", "next message"],
	["next expl", "next expl"],
	["cold cache", "cold cache"],
] as const;

test("a rise is named in words, sizes of a pass have one mark, and in 60 columns a part shows whole or not at all", () => {
	const pressure = measurePressure({
		used: 61_300,
		budget: 80_000,
		source: "estimated",
		burn: { ...burn, isSpike: true },
	});
	const lists = { strips: [], reductions: [], lines: 0, kept: [] };
	const next = { at: "full" as const, dueIn: 7_900, idle: 0, freed: 9_100, effect: null, ...lists };
	const shown = { ...footer, pressure, next, lastPass: { number: 2, freed: "~12k" } };
	const parts = lineOf(shown).split(" · ");
	expect(parts).toEqual([
		...["cwl ~61k/80k 77%", "pass within ~7.9k tokens: likely ~9.1k less"],
		...["~1.2k more a request (a spike)", "92% cached", "pass #2: ~12k less"],
	]);
	const short = "within ~7.9k: likely ~9.1k less";
	expect(lineOf(shown, 60)).toBe([parts[0], short].join(" · "));
	for (let width = 20; width < 120; width += 1)
		expect([...parts, short]).toEqual(expect.arrayContaining(lineOf(shown, width).split(" · ")));
	const dropped = { ...shown, droppedThinking: 3, cachedShare: undefined, lastPass: undefined };
	for (const [at, words] of shorter) {
		const line = lineOf({ ...dropped, next: { ...next, at, idle: 5 } }, 60);
		expect(line).toBe(`${parts[0]} · ${words}: likely ~9.1k less`);
	}
});

test("is never wider than the terminal", () => {
	const size = fc.nat(10_000_000);
	fc.assert(
		fc.property(fc.integer({ min: 20, max: 300 }), size, size, size, (width, used, budget, recent) => {
			const pressure = measurePressure({
				used,
				budget,
				source: "estimated",
				burn: { recent, isSpike: true },
			});
			const line = lineOf({ ...footer, pressure }, width);
			expect(widthOf(line)).toBeLessThanOrEqual(width);
			expect(line).toMatch(/^cwl ~/);
		}),
	);
});

function episode(name: string): Episode {
	const fixed = { kind: "act", origin: "declared", state: "closed", description: undefined } as const;
	return { ...fixed, id: name, name, dependencies: [], turn: 0, items: [], tokens: 9_000, place: 0 };
}

function passOver(...episodes: readonly string[]): Pass {
	const strips = episodes.map((id) => ({ episode: id, level: 4 as const, items: [], tokens: 6_000 }));
	return { version: 1, policy: "cwl", budget: 80_000, before: 81_000, after: 52_000, strips, blockers: [] };
}

test("of the episodes of a pass the largest are named, and first the one that was asked for", () => {
	const strips = names.map((id, at) => ({ episode: id, level: 4 as const, items: [], tokens: 10 ** at }));
	expect(nameEpisodes({ ...passOver(), strips }, graph, [])).toBe("tidy, add-tests, 2 more");
	expect(nameEpisodes({ ...passOver(), strips }, graph, [], "look")).toBe("look, tidy, 2 more");
});

const names = ["look", "fix-parser", "add-tests", "tidy"];
const graph = { episodes: names.map(episode), reasoning: [] };

test("a pass is told with its size, the first episodes by name, and the way back", () => {
	expect(describeMadePass(passOver("look"), "29k", graph, [])).toBe(
		"29k tokens evicted from look; recall reaches it, /cwl undo takes it back.",
	);
	expect(describeMadePass(passOver(...names), "29k", graph, [])).toContain("from look, fix-parser, 2 more;");
});

test("unmarked words have the name of the row that the panel has for them", () => {
	const text = { type: "text" as const, id: "a.0", message: 1, tokens: 9 };
	const words = { ...episode("unmarked-1"), origin: "inferred" as const, items: [text] };
	const episodes = [episode("look"), words, { ...words, id: "unmarked-2", name: "unmarked-2" }];
	const pass = passOver("look", "unmarked-1", "unmarked-2");
	expect(nameEpisodes(pass, { episodes, reasoning: [] }, [])).toBe("other text, look");
});

test("is one line, whatever the model calls its episodes", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), (name) => {
			expect(
				describeMadePass(passOver(name), "29k", { ...graph, episodes: [episode(name)] }, []),
			).not.toMatch(/\p{Cc}/u);
		}),
	);
});

const start = {
	action: "start",
	name: "fix-parser",
	type: "act",
	dependencies: ["find-parser", "read-docs"],
};

test("a start names kind, episode and what it builds on; an end what was learned", () => {
	expect(boundaryLine(start, 0, 50)).toBe("── act fix-parser ← find-parser, read-docs ───────");
	expect(boundaryLine({ action: "end", description: "it is in\nparse.ts" }, 0, 40)).toBe(
		"── end: it is in parse.ts ──────────────",
	);
	expect(boundaryLine({ action: "end" }, 0, 12)).toBe("── end ─────");
});

test("what became of the episode stands on its line", () => {
	expect(boundaryLine({ ...start, dependencies: [] }, 4, 40)).toContain("act fix-parser · evicted ─");
	expect(boundaryLine({ ...start, dependencies: [] }, 2, 60)).toContain("fix-parser · partly evicted ─");
});

test("a call that is still on its way, or makes no sense, has a line too", () => {
	for (const args of [undefined, null, {}, { name: 7, dependencies: [{}] }]) {
		expect(boundaryLine(args, 0, 20)).toBe("── episode ─────────");
	}
});

test("is as wide as the terminal, and steers it nowhere, whatever the model calls its episodes", () => {
	const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\u001b[2J", "漢字"));
	const level = fc.integer({ min: 0, max: 4 });
	fc.assert(
		fc.property(text, text, level, fc.integer({ min: 20, max: 300 }), (name, need, at, width) => {
			const line = boundaryLine({ action: "start", name, type: "expl", dependencies: [need] }, at, width);
			expect(widthOf(line)).toBe(width);
			expect(line).not.toMatch(/\p{Cc}/u);
		}),
	);
});
