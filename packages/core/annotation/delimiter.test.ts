import { expect, test } from "vitest";
import * as marks from "../test-support/delimiter-calls.ts";
import {
	advanceProtocol,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	type ProtocolState,
} from "./delimiter.ts";

const { after, endFix, endLook, refusal, startFix, startLook } = marks;

test("the four canonical calls are accepted in turn", () => {
	const state = after(startLook, endLook, startFix, endFix);
	expect(state.open).toBeUndefined();
	expect([...state.kinds]).toEqual([
		["look", "expl"],
		["fix", "act"],
	]);
});

const looked = after(startLook, endLook);

test.each<[ProtocolState, marks.Input, object]>([
	[emptyProtocol, startLook, { type: "start", name: "look", kind: "expl" }],
	[looked, startFix, { type: "start", name: "fix", kind: "act", dependencies: ["look"] }],
	[after(startLook), endLook, { type: "end", description: "found it" }],
	[after(startLook, endLook, startFix), endFix, { type: "end" }],
])("after %o, the accepted call %o carries %o", (state, input, command) => {
	expect(decideDelimiter(state, input)).toEqual({ type: "accepted", command });
});

test("an end may ask to evict its episode last, and is answered so", () => {
	const open = after(startLook);
	const decision = decideDelimiter(open, { ...endLook, keep: true });
	expect(decision).toEqual({
		type: "accepted",
		command: { type: "end", description: "found it", isKept: true },
	});
	if (decision.type === "accepted") {
		expect(describeCommand(open, decision.command)).toBe('ended expl "look", which is evicted last');
	}
	const plain = { type: "accepted", command: { type: "end", description: "found it" } };
	for (const keep of [false, "", "yes", 1])
		expect(decideDelimiter(open, { ...endLook, keep })).toEqual(plain);
});

test("a start opens its episode and an end closes it, and neither changes the state it came from", () => {
	const before = after(startLook, endLook);
	const open = advanceProtocol(before, { type: "start", name: "fix", kind: "act", dependencies: [] });
	expect(open.open).toEqual({ name: "fix", kind: "act" });
	expect(before.open).toBeUndefined();
	expect(before.kinds.has("fix")).toBe(false);
	expect(advanceProtocol(open, { type: "end" }).open).toBeUndefined();
});

test("optional fields that are filled with nothing count as absent", () => {
	expect(decideDelimiter(emptyProtocol, { ...startLook, dependencies: [], description: "" }).type).toBe(
		"accepted",
	);
	const acting = after({ ...startFix, dependencies: [] });
	expect(decideDelimiter(acting, { action: "end", name: "", description: "  " }).type).toBe("accepted");
});

test("names and descriptions lose the space around them, and a dependency named twice counts once", () => {
	const state = after({ ...startLook, name: " look " }, endLook);
	expect(decideDelimiter(state, { ...startFix, dependencies: ["look", " look"] })).toMatchObject({
		command: { dependencies: ["look"] },
	});
	expect(decideDelimiter(after(startLook), { ...endLook, description: " found it\n" })).toMatchObject({
		command: { description: "found it" },
	});
});

test.each(["__proto__", "constructor", 'say "hi"', "two\nlines", "épisode ☃"])("%j is a name", (name) => {
	const state = after({ ...startLook, name }, endLook);
	expect(decideDelimiter(state, { ...startFix, dependencies: [name] }).type).toBe("accepted");
	expect(refusal(state, { ...startLook, name }).code).toBe("duplicate-name");
});

test.each(["__proto__", "constructor", "toString"])("%j is unknown until it is used", (name) => {
	expect(refusal(emptyProtocol, { ...startFix, dependencies: [name] }).code).toBe("unknown-dependency");
});

const looking = after(startLook);
const acting = after({ ...startFix, dependencies: [] });
const fixed = after({ ...startFix, dependencies: [] }, endFix);

test.each<[code: string, ProtocolState, marks.Input, ...mends: string[]]>([
	["unknown-action", emptyProtocol, { action: "begin" }, '"begin"', '"start"', '"end"'],
	["unknown-action", emptyProtocol, { action: 7 }, "action is 7:"],
	["unknown-action", emptyProtocol, {}, '"start"', '"end"'],
	["missing-name", emptyProtocol, { ...startLook, name: " " }, '"name":"..."'],
	["missing-name", emptyProtocol, { ...startLook, name: 7 }, '"name":"..."'],
	["unknown-type", emptyProtocol, { ...startLook, type: "nap" }, '"nap"', '"expl"', '"act"'],
	["unknown-type", emptyProtocol, { action: "start", name: "look" }, '"expl"', '"act"'],
	["missing-dependencies", looked, { ...startFix, dependencies: undefined }, '"look"', "[]"],
	["missing-dependencies", looked, { ...startFix, dependencies: "look" }, "list"],
	["missing-dependencies", looked, { ...startFix, dependencies: [3] }, "list"],
	["unknown-dependency", looked, { ...startFix, dependencies: ["loook"] }, '"loook"', '"look"'],
	["unknown-dependency", looked, { ...startFix, dependencies: ["fix"] }, '"fix"'],
	["open-dependency", looking, startFix, '"look"', '"end"', "one message"],
	["act-dependency", fixed, { ...startFix, name: "more", dependencies: ["fix"] }, '"fix"', "none yet"],
	["expl-with-dependencies", looked, { ...startLook, dependencies: ["look"] }, "leave them out"],
	[
		"already-open",
		looking,
		{ ...startLook, name: "more" },
		'{"action":"end","description":"..."}',
		"one message",
	],
	["already-open", acting, startLook, '"fix"', '{"action":"end"}'],
	["duplicate-name", looked, startLook, '"look"', "not used before"],
	["nothing-open", looked, endFix, '"start"'],
	["missing-description", looking, { action: "end" }, '"look"', '"description":"..."'],
	["act-with-description", acting, endLook, '"fix"', '{"action":"end"}'],
])("%s: the call is refused, and the message names the mend: %o %o", (code, state, input, ...mends) => {
	const { code: found, message } = refusal(state, input);
	expect(found).toBe(code);
	for (const mend of mends) expect(message).toContain(mend);
});

test("a refusal lists closed expl episodes only, of many the last eight", () => {
	const message = (count: number) => {
		const looks = Array.from({ length: count }, (_, at) => [{ ...startLook, name: `look-${at}` }, endLook]);
		return refusal(after(...looks.flat(), startLook), { ...startFix, dependencies: ["nobody"] }).message;
	};
	expect(message(8)).toContain('"look-0", "look-1"');
	expect(message(8)).not.toContain("...,");
	expect(message(9)).toContain('..., "look-1", "look-2"');
	expect(message(9)).not.toMatch(/"look-0"|"look"/);
});
