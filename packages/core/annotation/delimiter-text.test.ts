/** Texts of the model in delimiter calls: bounded at the door, and safe in what the model reads of them. */
import { expect, test } from "vitest";
import { after, endLook, refusal, startFix, startLook } from "../test-support/delimiter-calls.ts";
import { MAX_NAME_LENGTH } from "../transcript/quote.ts";
import {
	admitDelimiter,
	decideDelimiter,
	describeCommand,
	emptyProtocol,
	MAX_DESCRIPTION,
} from "./delimiter.ts";

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
