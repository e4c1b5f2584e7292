import { describe, expect, test } from "vitest";
import { cwl } from "#core/policies";
import { noOutputLimits, type OutputRule } from "../outputs/output-limits.ts";
import { createManagedSession } from "../session/managed-session.ts";
import { bash, calls, custom, reply, result, user } from "../test-support/host-messages.ts";
import { recallSession, walkPages } from "../test-support/recalls.ts";
import { createArrivals } from "./arrivals.ts";
import { contentText, type HostMessage } from "./host-message.ts";

/** A token has four characters. */
const count = (text: string) => Math.ceil(text.length / 4);
const limits = { "*": 500 };
const large = (of: string) => Array.from({ length: 400 }, (_, line) => `${of} line ${line}`).join("\n");

/** An exchange per call, ten ms each. */
function exchanges(
	...made: readonly (readonly [tool: string, args: Record<string, unknown>, output: string])[]
) {
	return made.flatMap(([tool, args, output], index): HostMessage[] => {
		const id = `call_${index}`;
		return [reply(calls(id, tool, args), 10 * index + 10), result(id, output, 10 * index + 15)];
	});
}

const begun = user("go", 1);
const session = [
	begun,
	...exchanges(
		["bash", { command: "make" }, large("make")],
		["read", { path: "a.ts" }, large("file")],
		["bash", { command: "cat a.ts" }, large("shown")],
		["grep", { pattern: "x" }, large("hit")],
		["bash", { command: "ls" }, "little"],
	),
];
const textOf = (message: HostMessage | undefined) =>
	message?.role === "toolResult" ? contentText(message.content) : "";

/** The indexes of the messages that are not sent as they are. */
const changes = (messages: readonly HostMessage[], sent: readonly HostMessage[]) =>
	sent.flatMap((message, index) => (message === messages[index] ? [] : [index]));

function opened(rules: readonly OutputRule[] = [{ after: "", limits }]) {
	return createArrivals(count, rules);
}

test("two results of one call keep their own shortened outputs from request to request", () => {
	const call = reply(calls("twice", "bash", { command: "make" }), 10);
	const messages = [begun, call, ...["first", "second"].map((of) => result("twice", large(of), 15))];
	const arrivals = opened();
	const sent = arrivals.asSent(messages);
	expect(sent.slice(2).every((message, at) => message !== messages[at + 2])).toBe(true);
	for (const [at, message] of arrivals.asSent(messages).entries()) expect(message).toBe(sent[at]);
});

describe("what is shortened", () => {
	test("large outputs of commands and searches are; files, small outputs and what users wrote or ran are not", () => {
		const shell = bash("make", large("user"), 900);
		const messages = [...session, user(large("pasted"), 800), shell, custom("other", large("note"), 950)];
		const sent = opened().asSent(messages);
		expect(changes(messages, sent)).toEqual([2, 8]);
		for (const index of [2, 8]) {
			const text = textOf(sent[index]);
			expect(count(text)).toBeLessThan(550);
			expect(text).toContain("tokens left out here");
		}
	});

	test("a tool that nobody knows shows a file if it is given one, and a recall is never shortened", () => {
		const messages = [
			begun,
			...exchanges(
				["mcp_files_read", { path: "a.ts" }, large("file")],
				["recall", { query: "call_9" }, large("page")],
				["mcp_issues_list", { project: "a" }, large("issue")],
			),
		];
		expect(changes(messages, opened().asSent(messages))).toEqual([6]);
	});

	test("a tool has its own limit, and 0 leaves its outputs alone", () => {
		const own = opened([{ after: "", limits: { "*": 0, grep: 100 } }]).asSent(session);
		expect(changes(session, own)).toEqual([8]);
		expect(count(textOf(own[8]))).toBeLessThan(150);
	});

	test("without a rule every list is passed on as it is", () => {
		expect(opened([]).asSent(session)).toBe(session);
		expect(opened([{ after: "", limits: noOutputLimits }]).asSent(session)).toBe(session);
	});
});

describe("an output that cannot fit", () => {
	/** The outputs of `session` have 1,300 to 1,800 tokens. */
	const fitting = (room: number) => opened([{ after: "", limits: noOutputLimits, room }]);

	test("is shortened whatever it shows; an output that fits stays as it is, noise included", () => {
		const noisy = exchanges(["bash", { command: "make" }, "same\n".repeat(400)]);
		const messages = [...session, ...noisy];
		const sent = fitting(1_000).asSent(messages);
		expect(changes(messages, sent)).toEqual([2, 4, 6, 8]);
		for (const index of [2, 4, 6, 8]) {
			expect(count(textOf(sent[index]))).toBeLessThan(1_000);
			expect(textOf(sent[index])).toMatch(new RegExp(`recall "call_${index / 2 - 1}" gives the whole`));
		}
		expect(fitting(2_000).asSent(messages)).toBe(messages);
	});

	/** One answer that calls these tools, and their outputs. */
	const parallel = (outputs: Readonly<Record<string, string>>) => [
		begun,
		reply(
			Object.keys(outputs).map((tool) => calls(tool, tool, { path: "a.ts" })),
			10,
		),
		...Object.entries(outputs).map(([tool, text]) => result(tool, text, 20)),
	];

	test("outputs of one answer share the room; the small ones of them and a recall stay whole", () => {
		const bash = large("one");
		const grep = large("two");
		const messages = parallel({ bash, read: "little", grep, recall: large("page") });
		const sent = fitting(3_000).asSent(messages);
		expect(changes(messages, sent)).toEqual([2, 4]);
		for (const index of [2, 4]) expect(count(textOf(sent[index]))).toBeLessThan(1_000);
		expect(changes(messages, fitting(9_000).asSent(messages))).toEqual([]);
	});

	test("a smaller limit of the user's holds, and counts as what its output takes", () => {
		const messages = parallel({ bash: large("one"), read: large("two") });
		const rule = { after: "", limits: { "*": 0, bash: 300 }, room: 2_000 };
		const sent = opened([rule]).asSent(messages);
		expect(changes(messages, sent)).toEqual([2]);
		expect(count(textOf(sent[2]))).toBeLessThan(300);
	});

	test("the room is part of the rule: another one begins with the next turn", () => {
		const arrivals = createArrivals(count);
		expect(arrivals.admit([begun], noOutputLimits, () => 1_000)).toEqual({
			after: "",
			limits: noOutputLimits,
			room: 900,
		});
		const sent = arrivals.asSent(session);
		const turn = [...session, reply("done", 60), user("again", 61)];
		expect(arrivals.admit(session, noOutputLimits, () => 4_000)).toBeUndefined();
		expect(arrivals.admit(turn, noOutputLimits, () => 1_000)).toBeUndefined();
		expect(arrivals.admit(turn, noOutputLimits, () => 4_000)).toMatchObject({
			after: "assistant-60",
			room: 3_600,
		});
		expect(arrivals.asSent(turn).slice(0, session.length)).toEqual(sent);
	});
});

describe("once sent, an output never changes", () => {
	const grown = session.map((_, index) => structuredClone(session.slice(0, index + 1)));

	test("each list begins with what the one before sent, also after a restart and a look at another list", () => {
		const arrivals = opened();
		const others = [...session.slice(0, 1), ...session.slice(7)];
		for (const list of grown) {
			expect(arrivals.asSent(others)[2]).not.toEqual(others[2]);
			const sent = arrivals.asSent(list);
			expect(sent).toEqual(opened().asSent(structuredClone(session)).slice(0, list.length));
		}
	});

	test("new limits wait for the next turn of the user, and hold for outputs that come after the answer before it", () => {
		const arrivals = createArrivals(count);
		const turn = [...session, reply("done", 60), user("again", 61)];
		const lists = [3, 7, 9].map((length) => session.slice(0, length));
		expect([...lists, turn].map((list) => arrivals.admit(list, limits)?.after)).toEqual([
			...lists.map(() => undefined),
			"assistant-60",
		]);
		const more = [...turn, ...exchanges(["bash", { command: "make" }, large("make")])].map(
			(message, index) =>
				index < turn.length ? message : { ...message, timestamp: message.timestamp + 100 },
		);
		const sent = arrivals.asSent(more);
		expect(sent.slice(0, -1)).toEqual(more.slice(0, -1));
		expect(sent.at(-1)).not.toEqual(more.at(-1));
		const rules = [{ after: "assistant-60", limits }];
		expect(opened(rules).asSent(structuredClone(more))).toEqual(sent);
	});

	test("after a compaction, what is left is sent as before", () => {
		const arrivals = createArrivals(count);
		arrivals.admit([begun], limits);
		const sent = arrivals.asSent(session);
		const compacted = [user("a summary", 5_000), ...session.slice(7)];
		expect(arrivals.asSent(compacted).slice(1)).toEqual(sent.slice(7));
	});
});

const settings = { policy: cwl, budget: 100_000, fixed: { system: 0, tools: 0 } };

test("requests of a session send and count outputs as they arrived, and recall gives the whole output", () => {
	const managed = createManagedSession(count, { outputs: [{ after: "", limits }] });
	const whole = createManagedSession(count);
	const { messages, tokens } = managed.request(session, settings);
	expect(messages).toEqual(opened().asSent(session));
	expect(tokens).toBeLessThan(whole.request(session, settings).tokens - 1_500);
	expect(managed.preview(session)).toEqual(messages);
	const recalled = walkPages(recallSession(managed, session), "call_0", count);
	expect(recalled.texts).toContain(large("make"));
});
