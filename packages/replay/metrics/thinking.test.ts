import { describe, expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { countQuarters } from "../test-support/messages.ts";
import { createThinkingMeter, type RequestThinking } from "./thinking.ts";

type Reply = HostMessage & { readonly role: "assistant" };

const user = (text: string): HostMessage => ({ role: "user", content: text, timestamp: 1 });

/** An answer that thinks 40 characters, which count as 10 tokens. */
function answer(timestamp: number, text = `answer ${timestamp}`): Reply {
	const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };
	const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
	const thinking = `thought ${timestamp} `.padEnd(40, ".");
	return {
		...{ role: "assistant", timestamp, api: "anthropic-messages", provider: "anthropic", model: "m" },
		...{ usage: { ...usage, cost }, stopReason: "stop" },
		content: [
			{ type: "thinking", thinking, thinkingSignature: "s" },
			{ type: "text", text },
		],
	};
}

const withoutThinking = (reply: Reply): Reply => ({ ...reply, content: reply.content.slice(1) });

const [first, second, third] = [answer(10), answer(20), answer(30)];
const [hello, more, last] = [
	user("hello"),
	{ ...user("more"), timestamp: 15 },
	{ ...user("last"), timestamp: 25 },
];

/** The figures of requests that are each sent whole. */
function measure(
	requests: readonly (readonly [messages: readonly HostMessage[], reply: Reply])[],
	isChecked = true,
) {
	const meter = createThinkingMeter(countQuarters, isChecked);
	return requests.map(([messages, reply]): ReturnType<typeof meter> => {
		const request: RequestThinking = { messages, sharedMessages: 0, reply };
		return meter(request);
	});
}

const untouched: readonly (readonly [readonly HostMessage[], Reply])[] = [
	[[hello], first],
	[[hello, first, more], second],
];

describe("thinking in the requests of a replay", () => {
	test("can all be read while nothing before it changes", () => {
		const [, , figures] = measure([...untouched, [[hello, first, more, second, last], third]]);
		expect(figures).toEqual({ requestsWithStale: 0, sent: 20, readable: 20, all: 20 });
	});

	test("is stale behind a changed message, and stays readable before it", () => {
		const [, , figures] = measure([...untouched, [[hello, first, user("other"), second, last], third]]);
		expect(figures).toEqual({ requestsWithStale: 1, sent: 20, readable: 10, all: 20 });
	});

	test("may be left out at the start and at the end of the run, but nowhere else", () => {
		const cut = (...kept: readonly Reply[]) =>
			measure([
				...untouched,
				[[hello, first, more, second, last], third],
				[[hello, kept[0] ?? first, more, kept[1] ?? second, last, kept[2] ?? third], answer(40)],
			])[3];
		const [one, two, three] = [first, second, third].map(withoutThinking);
		if (!one || !two || !three) throw new Error("no answers");
		expect(cut(one)).toMatchObject({ requestsWithStale: 0, readable: 20, all: 30 });
		expect(cut(first, second, three)).toMatchObject({ requestsWithStale: 0, readable: 20 });
		expect(cut(first, two)).toMatchObject({ requestsWithStale: 1, sent: 20, readable: 10 });
	});

	test("is told apart where two answers of one moment think the same", () => {
		const [one, two] = [answer(10, "one"), answer(10, "two")];
		const [, , figures] = measure([
			[[hello], one],
			[[hello, one, more], two],
			[[hello, one, more, two, last], third],
		]);
		expect(figures).toEqual({ requestsWithStale: 0, sent: 20, readable: 20, all: 20 });
	});

	test("counts the same when only what is new is looked at", () => {
		const meter = createThinkingMeter(countQuarters, true);
		meter({ messages: [hello], sharedMessages: 0, reply: first });
		meter({ messages: [hello, first, more], sharedMessages: 1, reply: second });
		const figures = meter({ messages: [hello, first, more, second, last], sharedMessages: 3, reply: third });
		expect(figures).toEqual({ requestsWithStale: 0, sent: 20, readable: 20, all: 20 });
	});

	test("is readable behind any prefix on a model that does not check", () => {
		const [, , figures] = measure([...untouched, [[hello, first, user("other"), second], third]], false);
		expect(figures).toEqual({ requestsWithStale: 0, sent: 20, readable: 20, all: 20 });
	});
});
