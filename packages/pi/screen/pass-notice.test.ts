import fc from "fast-check";
import { expect, test } from "vitest";
import type { Episode } from "#core/graph";
import type { Pass } from "#core/log";
import { describeMadePass } from "./pass-notice.ts";

function episode(name: string): Episode {
	const fixed = { kind: "act", origin: "declared", state: "closed", description: undefined } as const;
	return { ...fixed, id: name, name, dependencies: [], turn: 0, items: [], tokens: 9_000, place: 0 };
}

function passOver(...episodes: readonly string[]): Pass {
	const strips = episodes.map((id) => ({ episode: id, level: 4 as const, items: [], tokens: 6_000 }));
	return { version: 1, policy: "cwl", budget: 80_000, before: 81_000, after: 52_000, strips, blockers: [] };
}

const names = ["look", "fix-parser", "add-tests", "tidy"];
const graph = { episodes: names.map(episode) };

test("a pass is told with its size, the first episodes by name, and the way back", () => {
	expect(describeMadePass(passOver("look"), graph)).toBe(
		"29k tokens evicted from look; recall reaches all of it, /cwl undo takes the pass back.",
	);
	expect(describeMadePass(passOver(...names), graph)).toContain("from look, fix-parser, 2 more;");
});

test("an episode that was stripped twice in one pass is named once", () => {
	expect(describeMadePass(passOver("look", "look"), graph)).toContain("from look;");
});

test("is one line, whatever the model calls its episodes", () => {
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), (name) => {
			expect(describeMadePass(passOver(name), { episodes: [episode(name)] })).not.toMatch(/\p{Cc}/u);
		}),
	);
});

test("says as much as fits in the columns that there are", () => {
	const told = (width: number) => describeMadePass(passOver(...names), graph, { width });
	expect(told(200)).toContain("from look, fix-parser, 2 more; recall reaches all of it");
	expect(told(84)).toBe("29k tokens evicted from look, fix-parser, 2 more; recall reaches it, /cwl undo.");
	expect(told(68)).toBe("29k tokens evicted from 4 episodes; recall reaches it, /cwl undo.");
	expect(told(50)).toBe("29k tokens evicted; recall reaches it, /cwl undo.");
	expect(told(30)).toBe("29k tokens evicted, see /cwl.");
});
