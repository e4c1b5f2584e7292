import { expect, test } from "vitest";
import { openRecording } from "#replay/recording";
import {
	calls,
	countQuarters,
	recorded,
	reply,
	result,
	says,
	user,
} from "../../packages/replay/test-support/messages.ts";
import { chanceUnder, fitLine, type Line, logLoss, splitByProject } from "./fit.ts";
import { readPairs } from "./pairs.ts";

const line: Line = { base: 0.5, byScore: 0.3, newest: 1, own: -0.5, touched: 2 };
const described = [-16, -12, -9, -6].flatMap((score) =>
	([[], ["newest"], ["own"], ["newest", "touched"], ["own", "touched"]] as const).map((signals) => {
		return { score, signals };
	}),
);

/** As many needs as the line expects. */
function drawn(under: Line, count: number) {
	return described.flatMap((output) => {
		const needed = Math.round(count * chanceUnder(under, output));
		return Array.from({ length: count }, (_, at) => ({ ...output, neededIn: at < needed ? at : undefined }));
	});
}

test("a known line is found again, and no other line has a lower log loss", () => {
	const pairs = drawn(line, 5_000);
	const fitted = fitLine(pairs);
	for (const [name, weight] of Object.entries(line)) expect(Object(fitted)[name]).toBeCloseTo(weight, 1);
	const lossOf = (tried: Line) => logLoss(pairs, (pair) => chanceUnder(tried, pair));
	for (const name of ["base", "byScore", "newest", "own", "touched"] as const) {
		for (const change of [-0.1, 0.1]) {
			expect(lossOf({ ...fitted, [name]: fitted[name] + change })).toBeGreaterThan(lossOf(fitted));
		}
	}
});

test("a signal that no pair has gets no weight", () => {
	const pairs = drawn(line, 500).filter(({ signals }) => signals.length === 0);
	const { byScore, touched } = fitLine(pairs);
	expect(byScore).toBeCloseTo(line.byScore, 1);
	expect(touched).toBe(0);
});

test("no project is in both halves, and all pairs are in one", () => {
	const sizes = { a: 5, b: 40, c: 25, d: 10, e: 1 };
	const pairs = Object.entries(sizes).flatMap(([project, size]) =>
		Array.from({ length: size }, () => ({ project })),
	);
	const { fitted, judged } = splitByProject(pairs);
	const projects = [fitted, judged].map((half) => [...new Set(half.map(({ project }) => project))]);
	expect(projects).toEqual([
		["b", "e"],
		["c", "d", "a"],
	]);
	expect(fitted.length + judged.length).toBe(pairs.length);
	expect(splitByProject(pairs.slice(0, 5)).judged).toEqual([]);
});

test("an output is needed where an edit takes its text, counted from the turn that begins, unless something newer shows it", () => {
	const shown = "the line that stands in the file";
	const wrote = "what the agent wrote into a new file";
	const edit = (id: string, old: string) => [
		reply(calls(id, "edit", { path: "a.ts", oldText: old, newText: "x" })),
		result(id, "ok"),
	];
	const session = recorded(
		user("go"),
		reply(calls("r", "read", { path: "a.ts" })),
		result("r", shown),
		reply(calls("w", "write", { path: "b.ts", content: wrote })),
		result("w", "ok"),
		reply(calls("n", "bash", { command: "npm test" })),
		result("n", "all passed"),
		reply(says("done")),
		user("next"),
		reply(says("yes")),
		user("on"),
		...edit("e", shown),
		reply(calls("again", "read", { path: "b.ts" })),
		result("again", wrote),
		...edit("f", wrote),
	);
	const pairs = readPairs(openRecording(session, countQuarters), "p", { system: 0, tools: 0 });
	expect(pairs.map(({ neededIn }) => neededIn)).toEqual([2, undefined, undefined, 0, undefined, undefined]);
	expect(pairs[0]?.signals).toContain("touched");
	expect(pairs[3]?.signals).not.toContain("touched");
	expect(pairs[3]?.score).toBeLessThan(pairs[0]?.score ?? 0);
});
