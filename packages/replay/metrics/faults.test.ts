import { expect, test } from "vitest";
import { calls, inOrder, reply, result, user } from "../test-support/messages.ts";
import { alignRequest } from "./alignment.ts";
import { createFaultMeter } from "./grounding.ts";

const read = (id: string, path: string) => calls(id, "read", { path });
const history = inOrder(user("go"), reply(read("1", "a")), result("1", "text of a"));

function measure(sent: readonly number[], next: ReturnType<typeof reply>) {
	const messages = history.filter((_, index) => sent.includes(index));
	return createFaultMeter()(history, alignRequest(history, messages), next);
}

test("a call faults when it repeats one whose output is gone", () => {
	expect(measure([0], reply(read("2", "a")))).toEqual({ evicted: 1, faults: 1 });
});

test("no call faults while the output is in the request, or when it is another call", () => {
	expect(measure([0, 1, 2], reply(read("2", "a")))).toEqual({ evicted: 0, faults: 0 });
	expect(measure([0], reply(read("2", "b")))).toEqual({ evicted: 1, faults: 0 });
});

test("an output counts as evicted once, and a later copy of it answers the call", () => {
	const meter = createFaultMeter();
	const again = inOrder(...history, reply(read("2", "a")), result("2", "text of a"));
	const past = again.slice(0, 3);
	const next = reply(read("3", "a"));
	expect(meter(past, alignRequest(past, past.slice(0, 1)), next)).toEqual({ evicted: 1, faults: 1 });
	const sent = again.filter((_, index) => index === 0 || index > 2);
	expect(meter(again, alignRequest(again, sent), next)).toEqual({ evicted: 0, faults: 0 });
});
