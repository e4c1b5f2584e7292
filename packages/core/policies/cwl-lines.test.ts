import { describe, expect, test } from "vitest";
import { fold, model, person, text } from "../test-support/message-builders.ts";
import { passTaking } from "../test-support/passes.ts";
import { ending, expl, passOfCwl as pass, useFile as use } from "../test-support/small-sessions.ts";

describe("what stays behind", () => {
	const episode = (at: number) => expl(`look-${at}`, ...use("read", `r${at}`, `src/file-${at}.ts`));

	test("one line for an evicted episode: kind, name, size, files, and how to have it back", () => {
		const { pass: made } = pass([person(), ...episode(1), ...ending], { budget: 450 });
		const [strip] = made?.strips ?? [];
		expect(strip?.level).toBe(4);
		expect(strip?.marker?.text).toMatch(
			/^\[expl "look-1", evicted 20\d: src\/file-1\.ts; recall "look-1"\] /,
		);
	});

	test("unmarked work of calls alone, without a word, leaves its line too", () => {
		const work = [...use("read", "r1"), ...use("read", "r2"), person(1), ...use("read", "r3")];
		const { pass: made, evicted } = pass([person(), ...work, ...ending], { budget: 560 });
		expect(evicted).toEqual(["r1", "r1 result", "r2", "r2 result"]);
		const [strip] = made?.strips ?? [];
		expect(strip?.level).toBe(4);
		expect(strip?.marker?.text).toMatch(/^\[expl "unmarked-\d+", evicted 200: r1\.ts, r2\.ts; recall/);
	});

	test("of an open run that nobody marked, one line where its calls left; later passes leave that line as it is", () => {
		const run = (from: number, to: number) =>
			Array.from({ length: to - from }, (_, at) =>
				use("read", `r${from + at}`, `src/${from + at}.ts`),
			).flat();
		const first = pass([person(), ...run(0, 40), ...ending], { budget: 3_000, lowWater: 0.7 });
		const [strip] = first.pass?.strips ?? [];
		expect(strip?.level).toBeLessThan(4);
		expect(strip?.marker?.anchor).toBe(strip?.items[0]);
		expect(strip?.marker?.text).toMatch(
			/^\[expl "unmarked-\d+", evicted in part: src\/0\.ts, .*; recall "unmarked-\d+"\]$/,
		);
		const all = [person(), ...run(0, 80), ...ending];
		const second = pass(all, { budget: 3_000, lowWater: 0.7 }, first.log);
		expect(second.pass?.strips).toHaveLength(1);
		expect(second.pass?.strips[0]?.marker).toBeUndefined();
		expect(second.pass?.after).toBeLessThanOrEqual(2_100);
	});

	test("lines that outgrow their share fold into groups, and those into groups of groups", () => {
		const many = Array.from({ length: 100 }, (_, at) => episode(at)).flat();
		const { pass: made } = pass([person(), ...many, ...ending], { budget: 3_000, lowWater: 0.5 });
		expect(made?.after).toBeLessThanOrEqual(3_000);
		const sizes = (made?.indexLines ?? []).map(({ episodes }) => episodes.length);
		expect(sizes.filter((size) => size === 8).length).toBeGreaterThan(1);
		expect(Math.max(...sizes)).toBeGreaterThan(8);
		expect(made?.indexLines?.[0]?.marker.text).toMatch(
			/^\[\d+ episodes, evicted .*; recall by name or file\] "look-0": "x"/,
		);
	});

	test("lines fold when only that brings the session back to its budget", () => {
		const session = [person(), ...episode(1), ...episode(2), person(1), model(text(50))];
		const log = fold(...session).episodes.map(({ id, items }) => {
			const marker = { anchor: items[0]?.id ?? "", text: `a long line for ${id}`, tokens: 500 };
			return passTaking(
				id,
				items.map((item) => item.id),
				0,
				{ level: 4, marker },
			);
		});
		const { pass: made, total } = pass(session, {}, log);
		expect(made?.indexLines).toHaveLength(1);
		expect(made?.after).toBeLessThan(total);
	});
});
