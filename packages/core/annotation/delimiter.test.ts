import { expect, test } from "vitest";
import {
	after,
	endFix,
	endLook,
	type Input,
	refusal,
	startFix,
	startLook,
} from "../test-support/delimiter-calls.ts";
import {
	advanceProtocol,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	type ProtocolState,
} from "./delimiter.ts";

test("the four canonical calls are accepted in turn", () => {
	const state = after(startLook, endLook, startFix, endFix);
	expect(state.open).toBeUndefined();
	expect([...state.kinds]).toEqual([
		["look", "expl"],
		["fix", "act"],
	]);
});

const looked = after(startLook, endLook);

test.each<[ProtocolState, Input, object]>([
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

const refusals: readonly (readonly [string, ProtocolState, Input, string, readonly string[]])[] = [
	[
		"an unknown action",
		emptyProtocol,
		{ action: "begin" },
		"unknown-action",
		['"begin"', '"start"', '"end"'],
	],
	["an action that is no text", emptyProtocol, { action: 7 }, "unknown-action", ["action is 7:"]],
	["no action", emptyProtocol, {}, "unknown-action", ['"start"', '"end"']],
	["a start without a name", emptyProtocol, { ...startLook, name: " " }, "missing-name", ['"name":"..."']],
	["a name that is no text", emptyProtocol, { ...startLook, name: 7 }, "missing-name", ['"name":"..."']],
	[
		"an unknown type",
		emptyProtocol,
		{ ...startLook, type: "nap" },
		"unknown-type",
		['"nap"', '"expl"', '"act"'],
	],
	["no type", emptyProtocol, { action: "start", name: "look" }, "unknown-type", ['"expl"', '"act"']],
	[
		"an act without dependencies",
		looked,
		{ ...startFix, dependencies: undefined },
		"missing-dependencies",
		['"look"', "[]"],
	],
	[
		"dependencies that are no list",
		looked,
		{ ...startFix, dependencies: "look" },
		"missing-dependencies",
		["list"],
	],
	[
		"a dependency that is no name",
		looked,
		{ ...startFix, dependencies: [3] },
		"missing-dependencies",
		["list"],
	],
	[
		"an unknown dependency",
		looked,
		{ ...startFix, dependencies: ["loook"] },
		"unknown-dependency",
		['"loook"', '"look"'],
	],
	["itself as dependency", looked, { ...startFix, dependencies: ["fix"] }, "unknown-dependency", ['"fix"']],
	[
		"a dependency that is still open",
		after(startLook),
		startFix,
		"open-dependency",
		['"look"', '"end"', "one message"],
	],
	[
		"an act as dependency",
		after({ ...startFix, dependencies: [] }, endFix),
		{ ...startFix, name: "more", dependencies: ["fix"] },
		"act-dependency",
		['"fix"', "none yet"],
	],
	[
		"an expl with dependencies",
		looked,
		{ ...startLook, name: "more", dependencies: ["look"] },
		"expl-with-dependencies",
		["leave them out"],
	],
	[
		"a start inside an expl",
		after(startLook),
		{ ...startLook, name: "more" },
		"already-open",
		['"look"', '{"action":"end","description":"..."}', "one message"],
	],
	[
		"a start inside an act",
		after({ ...startFix, dependencies: [] }),
		startLook,
		"already-open",
		['"fix"', '{"action":"end"}'],
	],
	["a name that was used", looked, startLook, "duplicate-name", ['"look"', "not used before"]],
	["an end without a start", looked, endFix, "nothing-open", ['"start"']],
	[
		"an expl that ends without a description",
		after(startLook),
		{ action: "end" },
		"missing-description",
		['"look"', '"description":"..."'],
	],
	[
		"an act that ends with a description",
		after({ ...startFix, dependencies: [] }),
		endLook,
		"act-with-description",
		['"fix"', '{"action":"end"}'],
	],
];

test.each(refusals)("%s is refused, and the message names the mend", (_, state, input, code, mends) => {
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
