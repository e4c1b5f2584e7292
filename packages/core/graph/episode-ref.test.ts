import fc from "fast-check";
import { expect, test } from "vitest";
import * as draft from "../test-support/message-builders.ts";
import { act, expl } from "../test-support/small-sessions.ts";
import { editDistance, findEpisode } from "./episode-ref.ts";

const session = [draft.person(), ...expl("look at auth"), ...expl("Look twice"), ...act("fix", [])];
const graph = draft.fold(...session);
const { episodes } = graph;
const found = (reference: string) => {
	const lookup = findEpisode(episodes, reference);
	return lookup.type === "found" ? lookup.episode.name : lookup.closest;
};

test.each([
	["fix", "fix"],
	[' "look at auth" ', "look at auth"],
	["LOOK TWICE", "Look twice"],
	["look t", "Look twice"],
	["f", "fix"],
])("%s names one episode", (reference, name) => {
	expect(found(reference)).toBe(name);
});

test("an id names its episode", () => {
	const named = episodes.map((episode) => ({ ...episode, id: `id of ${episode.name}` }));
	expect(findEpisode(named, "id of fix")).toEqual({ type: "found", episode: named[2] });
});

test("a beginning that several episodes share is answered with those", () => {
	expect(found("look")).toEqual(["Look twice", "look at auth"]);
});

test("what names nothing is answered with what it may have meant, the closest first", () => {
	expect(found("fax")).toEqual(["fix", "Look twice", "look at auth"]);
	expect(findEpisode([], "fix")).toEqual({ type: "unknown", closest: [] });
	const four = ["axe", "fox", "fun", "six"].map((name) => ({ ...draft.episodeOf(graph, "fix"), name }));
	expect(findEpisode(four, "fax")).toEqual({ type: "unknown", closest: ["fox", "axe", "fun"] });
});

test("every exact name is found, whatever it holds", () => {
	fc.assert(
		fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 5 }), (raw) => {
			const names = [...new Set(raw.map((name) => `n${name}`.trim().replaceAll('"', "'")))];
			const named = draft.fold(draft.person(), ...names.flatMap((name) => act(name, []))).episodes;
			for (const name of names) {
				expect(findEpisode(named, name)).toMatchObject({ type: "found", episode: { name } });
			}
		}),
	);
});

test("the edit distance is a metric", () => {
	const text = fc.string({ maxLength: 12 });
	fc.assert(
		fc.property(text, text, text, (a, b, c) => {
			expect(editDistance(a, b)).toBe(editDistance(b, a));
			expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
			expect(editDistance(a, b) === 0).toBe(a.toLowerCase() === b.toLowerCase());
		}),
	);
});

test("what comes after the first 64 characters tells no two names apart", () => {
	const long = "n".repeat(63);
	expect(editDistance(`${long}nx`, `${long}ny`)).toBe(0);
	expect(editDistance(`${long}x`, `${long}y`)).toBe(1);
});
