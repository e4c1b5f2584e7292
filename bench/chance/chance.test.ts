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

const line: Line = { scale: 0.3, alone: 0.9, age: 0.6, edited: 0.2 };
const times = [100, 5_000, 60_000];
const described = [20, 400, 6_000].flatMap((alone) =>
	times.flatMap((age) => times.map((edited) => ({ alone, age, edited }))),
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
	for (const name of ["scale", "alone", "age", "edited"] as const) {
		for (const change of [-0.05, 0.05]) {
			expect(lossOf({ ...fitted, [name]: fitted[name] + change })).toBeGreaterThan(lossOf(fitted));
		}
	}
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
	expect(pairs[3]?.age).toBeGreaterThan(pairs[0]?.age ?? Infinity);
	expect(pairs[3]?.chance).toBeLessThan(pairs[0]?.chance ?? 0);
});
