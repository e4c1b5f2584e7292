import { expect, test } from "vitest";
import type { HostMessage } from "#pi";
import { requestsOf, shownBy, textOf } from "../test-support/kept.ts";
import { calls, inOrder, reply, result, user } from "../test-support/messages.ts";

function uses(name: string, tool: string, tokens = 100): readonly HostMessage[] {
	const output = result(name, textOf(name, tokens));
	return [reply(calls(name, tool)), { ...output, toolName: tool } as HostMessage];
}

const session = [
	user("go"),
	...uses("a", "read"),
	...uses("b", "memory"),
	...uses("c", "read"),
	...uses("d", "read"),
	...uses("e", "read"),
	...uses("f", "read"),
];

test("beyond the trigger all outputs but the last three are cleared, and every call stays", () => {
	expect(shownBy("clear-tool-uses", 600, session)).toEqual(["d", "e", "f"]);
	expect(shownBy("clear-tool-uses:trigger=10k", 600, session)).toHaveLength(6);
	const last = requestsOf("clear-tool-uses", 600, inOrder(...session)).at(-1);
	expect(last?.messages.map(({ role }) => role)).toEqual(last?.history.map(({ role }) => role));
});

test("its knobs say how many stay, which tools do, and what is worth a pass", () => {
	expect(shownBy("clear-tool-uses:keep=1", 600, session)).toEqual(["f"]);
	expect(shownBy("clear-tool-uses:exclude=memory+bash", 600, session)).toEqual(["b", "d", "e", "f"]);
	expect(shownBy("clear-tool-uses:clear-at-least=250", 600, session)).toEqual(["d", "e", "f"]);
	expect(shownBy("clear-tool-uses:clear-at-least=1k", 600, session)).toHaveLength(6);
});

test("what it cleared stays cleared until what is left passes the trigger again", () => {
	const more = ["g", "h", "i"].flatMap((name) => uses(name, "read"));
	const requests = requestsOf("clear-tool-uses", 600, inOrder(...session, ...more));
	expect(requests.filter(({ pass }) => pass)).toHaveLength(2);
	expect(shownBy("clear-tool-uses", 600, [...session, ...more.slice(0, 2)])).toEqual(["d", "e", "f", "g"]);
});

test("an output smaller than the placeholder is left as it is", () => {
	expect(
		shownBy("clear-tool-uses", 600, [user("go"), ...uses("tiny", "read", 1), ...session.slice(1)]),
	).toEqual([...["tiny", "d", "e", "f"]]);
});
