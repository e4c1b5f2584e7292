import { describe, expect, test } from "vitest";
import type { HostMessage } from "#pi";
import * as say from "../../packages/pi/test-support/host-messages.ts";
import { judge } from "./verdict.ts";
import { wires } from "./wires.ts";

const history = say.inOrder(
	say.user("go"),
	say.reply([say.calls("c1")]),
	say.result("c1", [say.words("x")]),
	say.user("and now?"),
);

function without(index: number): readonly HostMessage[] {
	return history.toSpliced(index, 1);
}

describe.each(wires)("$name", (wire) => {
	test("takes a request that is the history", () => {
		expect(judge(wire, history, history)).toBeUndefined();
	});

	test("takes a request without a call and its result", () => {
		expect(judge(wire, history.toSpliced(1, 2), history)).toBeUndefined();
	});

	test("refuses a result whose call is gone", () => {
		expect(judge(wire, without(1), history)).toMatchObject({ wire: wire.name, refusal: { status: 400 } });
	});

	test("holds nothing against a request that the history itself breaks", () => {
		expect(judge(wire, without(1), without(1))).toBeUndefined();
	});
});
