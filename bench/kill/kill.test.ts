import { describe, expect, test } from "vitest";
import { checkChain, checkGrowth, checkReported, differInStatusOnly } from "./checks.ts";
import { type KillReport, killSession } from "./command.ts";
import { drawMoment, MOMENT_TYPES, type Moment } from "./kill-moment.ts";

test("a session killed in a pass, in a log write, in a tool and in an answer continues as if it had never been killed", async () => {
	const moments: readonly Moment[] = [
		{ type: "pass", afterMs: 0, skip: 0, share: 0.5 },
		{ type: "pass-sent", afterMs: 0, skip: 0, share: 0 },
		{ type: "tool", afterMs: 5, skip: 2, share: 0 },
		{ type: "stream", afterMs: 0, skip: 1, share: 0 },
		{ type: "work", afterMs: 700, skip: 0, share: 0 },
	];
	const reports: KillReport[] = [];
	await killSession(1, moments, new AbortController().signal, (report) => reports.push(report));
	expect(reports.flatMap(({ findings }) => findings)).toEqual([]);
	expect(reports.map(({ moment }) => moment)).toEqual(moments);
	expect(reports.map(({ marks }) => marks.includes("torn"))).toEqual([true, false, false, false, false]);
	for (const { marks } of reports.slice(0, 4)) {
		expect(marks).toContain("compared");
		expect(marks).not.toContain("idle");
	}
});

test("the same seed draws the same moments, and many draws cover every kind", () => {
	const draw = () => Array.from({ length: 200 }, (_, run) => drawMoment(7, run));
	expect(draw()).toEqual(draw());
	expect(new Set(draw().map(({ type }) => type))).toEqual(new Set(MOMENT_TYPES));
});

describe("the checks find their faults", () => {
	const entry = (id: string, parentId: string | null) => JSON.stringify({ type: "custom", id, parentId });
	const lines = [JSON.stringify({ type: "session" }), entry("a", null), entry("b", "a")];

	test("a line that changed, disappeared or swallowed another one", () => {
		const before = { lines, tail: '{"type":"mess' };
		expect(checkGrowth(before, { lines: [...lines, before.tail, entry("c", "b")], tail: "" })).toEqual([]);
		expect(checkGrowth(before, before)).toEqual([]);
		const swallowed = { lines: [...lines, before.tail + entry("c", "b")], tail: "" };
		expect(checkGrowth(before, swallowed)).toEqual(["line 4 of the session file has changed"]);
		expect(checkGrowth(before, { lines: lines.slice(1), tail: "" })).toHaveLength(4);
	});

	test("a gap in the chain, and a line that cannot be parsed", () => {
		expect(checkChain({ lines, tail: "" }, new Set())).toEqual([]);
		expect(checkChain({ lines: lines.toSpliced(1, 1), tail: "" }, new Set())).toHaveLength(1);
		const torn = { lines: [...lines, "{", entry("c", "b")], tail: "" };
		expect(checkChain(torn, new Set(["{"]))).toEqual([]);
		expect(checkChain(torn, new Set())).toEqual(["line 4 of the session file cannot be read"]);
	});

	test("a request that differs in more than a late git status", () => {
		const status = (text: string) => ({
			role: "user",
			content: `<git-status 123456>\n${text}\n</git-status>`,
		});
		const ask = {
			role: "user",
			content: [{ type: "text", text: "go on", cache_control: { type: "ephemeral" } }],
		};
		const bare = { role: "user", content: [{ type: "text", text: "go on" }] };
		const old = [{ role: "user", content: "go" }, status("a"), { role: "assistant", content: "yes" }];
		const json = (...messages: readonly unknown[]) => JSON.stringify({ model: "m", messages });
		expect(differInStatusOnly(json(...old, ask), json(...old, bare, status("b")))).toBe(true);
		expect(differInStatusOnly(json(...old, bare, status("c")), json(...old, bare, status("b")))).toBe(true);
		expect(differInStatusOnly(json(...old, ask), json(...old, ask))).toBe(false);
		expect(differInStatusOnly(json(...old, ask), json(...old, status("b")))).toBe(false);
		expect(differInStatusOnly(json(...old, ask), json(...old.toSpliced(1, 1), ask))).toBe(false);
	});

	test("a reported message that is missing, unless it is the last one", () => {
		const [first, second] = ["one", "two"].map((content) => ({ role: "user", content }));
		const file = { lines: [JSON.stringify({ type: "message", message: second })], tail: "" };
		if (!first || !second) throw new Error("unreachable");
		expect(checkReported(file, [second, first])).toEqual([]);
		expect(checkReported(file, [first, second])).toHaveLength(1);
	});
});
