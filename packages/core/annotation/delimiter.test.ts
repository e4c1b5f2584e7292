import { expect, test } from "vitest";
import { MAX_NAME_LENGTH } from "#basics";
import {
	admitDelimiter,
	advanceProtocol,
	type Decision,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	MAX_DESCRIPTION,
	type ProtocolState,
} from "./delimiter.ts";

type Input = Readonly<Record<string, unknown>>;

/** The state of the protocol after these calls. */
function after(...inputs: readonly Input[]): ProtocolState {
	return inputs.reduce<ProtocolState>((state, input) => {
		const decision = decideDelimiter(state, input);
		if (decision.type === "rejected") throw new Error(decision.message);
		return advanceProtocol(state, decision.command);
	}, emptyProtocol);
}

function refusal(state: ProtocolState, input: Input): Extract<Decision, { type: "rejected" }> {
	const decision = decideDelimiter(state, input);
	if (decision.type === "accepted") throw new Error("accepted");
	return decision;
}

const startLook = { action: "start", name: "look", type: "expl" };
const endLook = { action: "end", description: "found it" };
const startFix = { action: "start", name: "fix", type: "act", dependencies: ["look"] };
const endFix = { action: "end" };

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

test.each(["__proto__", "constructor", 'say "hi"', "two\nlines", "épisode ☃"])("%j is a name", (name) => {
	const state = after({ ...startLook, name }, endLook);
	expect(decideDelimiter(state, { ...startFix, dependencies: [name] }).type).toBe("accepted");
	expect(refusal(state, { ...startLook, name }).code).toBe("duplicate-name");
});

const looking = after(startLook);
const acting = after({ ...startFix, dependencies: [] });
const fixed = after({ ...startFix, dependencies: [] }, endFix);

test.each<[code: string, ProtocolState, Input, ...mends: string[]]>([
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

const oddSigns =
	"\n|\u202e|\u{e0041}|\u00ad|\u180e|\u034f|\u001b[2J|\u3164|\u2800|\u00a0|\u2003|\u0378|\u{8ffff}".split(
		"|",
	);
const oddNames = [...oddSigns, "\u0301".repeat(60)].map((sign) => `a${sign}b`);

test("a new episode's name is short and shows as it is; the protocol itself takes what older sessions hold", () => {
	const long = "n".repeat(MAX_NAME_LENGTH + 1);
	for (const name of [long, ...oddNames]) {
		const input = { ...startLook, name };
		const decision = admitDelimiter(emptyProtocol, input);
		const problem = name === long ? "choose a shorter one" : "invisible characters";
		expect(decision).toMatchObject({ type: "rejected", message: expect.stringContaining(problem) });
		expect(decideDelimiter(emptyProtocol, input)).toMatchObject({ type: "accepted" });
	}
	expect(admitDelimiter(emptyProtocol, { ...startLook, name: long.slice(1) }).type).toBe("accepted");
	expect(admitDelimiter(emptyProtocol, { ...startLook, name: "日本語 e\u0301 ✓ ที่ नमस्ते" }).type).toBe(
		"accepted",
	);
	expect(admitDelimiter(after(startLook), endLook).type).toBe("accepted");
});

test("whatever a call holds, what the model reads of it is one bounded line of printable characters", () => {
	const values = [
		...oddNames,
		"x".repeat(100_000),
		[`a${"\n".repeat(100_000)}b`],
		{ a: "\u202e".repeat(1_000) },
	];
	for (const value of values) {
		const name = String(value);
		const open = after({ ...startLook, name });
		const closed = after({ ...startLook, name }, endLook);
		const acting = after({ ...startFix, name, dependencies: [] });
		const messages = [
			refusal(emptyProtocol, { action: value }),
			refusal(emptyProtocol, { ...startLook, type: value }),
			refusal(emptyProtocol, { ...startFix, dependencies: [name] }),
			refusal(open, { action: "end" }),
			refusal(open, startLook),
			refusal(open, { ...startFix, dependencies: [name] }),
			refusal(closed, { ...startLook, name }),
			refusal(closed, startFix),
			refusal(acting, endLook),
			refusal(acting, { ...startFix, name: "other", dependencies: [name] }),
		].map(({ message }) => message);
		const answers = [
			describeCommand(emptyProtocol, { type: "start", name, kind: "expl" }),
			describeCommand(open, { type: "end", description: name }),
		];
		for (const line of [...messages, ...answers]) {
			expect(line).not.toMatch(/\p{Cc}|\p{Cf}|\u034f|\u3164|[\u{e0000}-\u{e0fff}]/u);
			expect(line.length).toBeLessThan(1_200);
		}
	}
});

test("a description that is longer than what stays of it is accepted with a note", () => {
	const description = "d".repeat(MAX_DESCRIPTION + 1);
	expect(describeCommand(after(startLook), { type: "end", description })).toBe(
		'ended expl "look"; of the description\'s 2001 characters the first 2000 stay after an eviction, so put what matters first',
	);
	expect(describeCommand(after(startLook), { type: "end", description: "short" })).toBe('ended expl "look"');
});
