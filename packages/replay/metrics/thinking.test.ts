import { expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import { createSizes } from "../recording/recording.ts";
import { countQuarters, reply, says, thinks, user } from "../test-support/messages.ts";
import { createThinkingMeter } from "./thinking.ts";

type Reply = ReturnType<typeof reply>;

/** An answer that thinks 40 characters, which count as 14 tokens with their frame. */
function answer(name: string, timestamp: number): Reply {
	return { ...reply(thinks(`thought ${name} `.padEnd(40, ".")), says(name)), timestamp };
}

const hello = user("hello");
const more = user("more");
const last = user("last");
const first = answer("one", 10);
const second = answer("two", 20);
const third = answer("three", 30);

/** The figures of the last of some requests that are each sent whole. */
function measure(requests: readonly (readonly [readonly HostMessage[], Reply])[], isChecked = true) {
	const meter = createThinkingMeter(createSizes(countQuarters), isChecked);
	return requests.map(([messages, next]) => meter(messages, 0, next)).at(-1);
}

const untouched: readonly (readonly [readonly HostMessage[], Reply])[] = [
	[[hello], first],
	[[hello, first, more], second],
];
const changed: readonly HostMessage[] = [hello, first, user("other"), second, last];
const bare = (message: Reply): Reply => ({ ...message, content: message.content.slice(1) });

test("thinking can all be read while nothing before it changes, however often a message is looked at", () => {
	const whole = { sent: 28, readable: 28, all: 28 };
	expect(measure([...untouched, [[hello, first, more, second, last], third]])).toEqual(whole);
	const meter = createThinkingMeter(createSizes(countQuarters), true);
	meter([hello], 0, first);
	meter([hello, first, more], 1, second);
	const messages = [hello, first, more, second, last];
	expect(meter(messages, 3, third)).toEqual(whole);
});

test("thinking behind a changed message cannot be read, except by a model that does not check", () => {
	const requests = [...untouched, [changed, third] as const];
	expect(measure(requests)).toEqual({ sent: 28, readable: 14, all: 28 });
	expect(measure(requests, false)).toEqual({ sent: 28, readable: 28, all: 28 });
});

test("thinking may be left out at the start and at the end of the run, but nowhere else", () => {
	const sending = (...[one, two, three]: readonly [Reply, Reply, Reply]) =>
		measure([
			...untouched,
			[[hello, first, more, second, last], third],
			[[hello, one, more, two, last, three], answer("four", 40)],
		]);
	expect(sending(bare(first), second, third)).toEqual({ sent: 28, readable: 28, all: 42 });
	expect(sending(first, second, bare(third))).toEqual({ sent: 28, readable: 28, all: 42 });
	expect(sending(first, bare(second), third)).toEqual({ sent: 28, readable: 14, all: 42 });
});

test("two answers of one moment that think the same are both readable", () => {
	const twin = (text: string): Reply => ({ ...first, content: [first.content[0] ?? says(""), says(text)] });
	const one = twin("one");
	const two = twin("two");
	const requests = [[[hello], one] as const, [[hello, one, more], two] as const];
	expect(measure([...requests, [[hello, one, more, two, last], third]])).toEqual({
		sent: 28,
		readable: 28,
		all: 28,
	});
});
