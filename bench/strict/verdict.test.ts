import { describe, expect, test } from "vitest";
import type { HostMessage } from "#pi/codec";
import * as say from "../../packages/pi/test-support/host-messages.ts";
import { judge } from "./verdict.ts";
import { wires } from "./wires.ts";

const history = say.inOrder(
	say.user("go"),
	say.reply([say.calls("c1")]),
	say.result("c1", [say.words("x")]),
	say.user("and now?"),
	say.reply([say.calls("c2")]),
	say.result("c2", [say.words("y")]),
	say.user("and then?"),
);

/** Their indexes in the history. */
const [CALL_1, CALL_2] = [1, 4];

function without(...indexes: readonly number[]): readonly HostMessage[] {
	return history.filter((_, index) => !indexes.includes(index));
}

describe.each(wires)("$name", (wire) => {
	const refused = { wire: wire.name, refusal: { status: 400 } };

	test("takes a request that is the history", () => {
		expect(judge(wire, history, history)).toBeUndefined();
	});

	test("takes a request without a call and its result", () => {
		expect(judge(wire, without(CALL_1, CALL_1 + 1), history)).toBeUndefined();
	});

	test("refuses a result whose call is gone", () => {
		expect(judge(wire, without(CALL_1), history)).toMatchObject(refused);
	});

	test("excuses a request where the history itself is broken", () => {
		expect(judge(wire, without(CALL_1), without(CALL_1))).toBeUndefined();
		expect(judge(wire, without(CALL_1, CALL_2, CALL_2 + 1), without(CALL_1))).toBeUndefined();
	});

	test("refuses a request that breaks the rule at another place than the history", () => {
		expect(judge(wire, without(CALL_1, CALL_2), without(CALL_1))).toMatchObject(refused);
		expect(judge(wire, without(CALL_1, CALL_2), without(CALL_2))).toMatchObject(refused);
	});
});
