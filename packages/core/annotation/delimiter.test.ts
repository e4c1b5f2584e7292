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
	expect(refusal(state, { ...startLook, name }).message).toContain("choose a name not used before");
});

test.each(["__proto__", "constructor", "toString"])("%j is unknown until it is used", (name) => {
	expect(refusal(emptyProtocol, { ...startFix, dependencies: [name] }).message).toContain("no episode named");
});

const refusals: readonly (readonly [string, ProtocolState, Input, readonly string[]])[] = [
	["an unknown action", emptyProtocol, { action: "begin" }, ["action is", '"begin"', '"start"', '"end"']],
	["an action that is no text", emptyProtocol, { action: 7 }, ["action is 7:"]],
	["no action", emptyProtocol, {}, ["action is", '"start"', '"end"']],
	[
		"a start without a name",
		emptyProtocol,
		{ ...startLook, name: " " },
		["start needs a name", '"name":"..."'],
	],
	[
		"a name that is no text",
		emptyProtocol,
		{ ...startLook, name: 7 },
		["start needs a name", '"name":"..."'],
	],
	["an unknown type", emptyProtocol, { ...startLook, type: "nap" }, ["type is", '"nap"', '"expl"', '"act"']],
	["no type", emptyProtocol, { action: "start", name: "look" }, ["type is", '"expl"', '"act"']],
	[
		"an act without dependencies",
		looked,
		{ ...startFix, dependencies: undefined },
		["needs dependencies", '"look"', "[]"],
	],
	[
		"dependencies that are no list",
		looked,
		{ ...startFix, dependencies: "look" },
		["needs dependencies", "list"],
	],
	[
		"a dependency that is no name",
		looked,
		{ ...startFix, dependencies: [3] },
		["needs dependencies", "list"],
	],
	[
		"an unknown dependency",
		looked,
		{ ...startFix, dependencies: ["loook"] },
		["no episode named", '"loook"', '"look"'],
	],
	["itself as dependency", looked, { ...startFix, dependencies: ["fix"] }, ["no episode named", '"fix"']],
	[
		"a dependency that is still open",
		after(startLook),
		startFix,
		['dependency "look" is still open', '"end"', "one message"],
	],
	[
		"an act as dependency",
		after({ ...startFix, dependencies: [] }, endFix),
		{ ...startFix, name: "more", dependencies: ["fix"] },
		["is an act: an act depends on expl", '"fix"', "none yet"],
	],
	[
		"an expl with dependencies",
		looked,
		{ ...startLook, name: "more", dependencies: ["look"] },
		["declares no dependencies", "leave them out"],
	],
	[
		"a start inside an expl",
		after(startLook),
		{ ...startLook, name: "more" },
		["still open", '"look"', '{"action":"end","description":"..."}', "one message"],
	],
	[
		"a start inside an act",
		after({ ...startFix, dependencies: [] }),
		startLook,
		["still open", '"fix"', '{"action":"end"}'],
	],
	["a name that was used", looked, startLook, ["exists", '"look"', "not used before"]],
	["an end without a start", looked, endFix, ["no episode is open", '"start"']],
	[
		"an expl that ends without a description",
		after(startLook),
		{ action: "end" },
		["is an expl: end it with what was learned", '"look"', '"description":"..."'],
	],
	[
		"an act that ends with a description",
		after({ ...startFix, dependencies: [] }),
		endLook,
		["end it without a description", '"fix"', '{"action":"end"}'],
	],
];

test.each(refusals)("%s is refused, and the message names the mend", (_, state, input, mends) => {
	const { message } = refusal(state, input);
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
