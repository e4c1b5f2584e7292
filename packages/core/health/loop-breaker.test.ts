import { expect, test } from "vitest";
import { testTools } from "../test-support/tools.ts";
import { createLoopBreaker, type LoopBreaker } from "./loop-breaker.ts";

const file = { path: "a.ts" };

function open(): LoopBreaker {
	return createLoopBreaker(testTools);
}

/** Ask until it is refused; answers how many calls were made. */
function callsUntilRefused(
	breaker: LoopBreaker,
	tool: string,
	args: Record<string, unknown>,
	answer = "same",
) {
	let calls = 0;
	while (calls < 20 && breaker.ask(tool, args).type === "go") {
		breaker.answered(tool, args, answer);
		calls += 1;
	}
	return calls;
}

test("what was answered the same five times is refused, with what to do instead", () => {
	const breaker = open();
	expect(callsUntilRefused(breaker, "read", file)).toBe(5);
	expect(breaker.ask("read", file)).toEqual({
		type: "refuse",
		reason: expect.stringMatching(/^read was called .* 5 times .* do something else\.$/),
	});
	expect(breaker.ask("read", { path: "b.ts" }).type).toBe("go");
});

test("a model that goes on all the same is stopped; refusals count until another call is answered or a person speaks", () => {
	const breaker = open();
	const verdicts = () => [1, 2, 3].map(() => breaker.ask("read", file).type);
	callsUntilRefused(breaker, "read", file);
	expect(verdicts()).toEqual(["refuse", "refuse", "stop"]);
	breaker.answered("read", { path: "b.ts" }, "other");
	expect(breaker.ask("read", file).type).toBe("refuse");
	breaker.reset();
	callsUntilRefused(breaker, "read", file);
	expect(verdicts()).toEqual(["refuse", "refuse", "stop"]);
});

test("another answer, a change, or a person's word begin anew", () => {
	const breaker = open();
	for (const answer of ["1", "2", "3", "4", "5"]) breaker.answered("read", file, answer);
	expect(callsUntilRefused(breaker, "read", file)).toBe(5);
	breaker.answered("edit", { path: "b.ts" }, "done");
	expect(callsUntilRefused(breaker, "read", file)).toBe(5);
	breaker.reset();
	expect(callsUntilRefused(breaker, "read", file)).toBe(5);
});
