import fc from "fast-check";
import { expect, test } from "vitest";
import { isRecord } from "#basics";
import * as say from "../test-support/host-messages.ts";
import { open, reload, under } from "../test-support/host-runs.ts";
import { anyBudget, anyHostSession } from "../test-support/host-sessions.ts";
import type { HostMessage } from "./host-message.ts";
import { repairMessage } from "./repair-message.ts";

test("messages as pi writes them are passed on as they are", () => {
	fc.assert(
		fc.property(anyHostSession, (messages) => {
			for (const message of messages) expect(repairMessage(message)).toBe(message);
		}),
	);
});

const oddBlocks = [[], [null], [{ type: "text" }], [{ type: 7 }], [{ type: "x", text: 0 }]];
const odd = fc.oneof(
	fc.constantFrom(null, 0, true, "", "text", {}, { toString: 1 }, ...oddBlocks),
	fc.jsonValue(),
);

/** A message with another value in place of one of its fields, or of a field of one of its blocks. */
function damage(message: HostMessage, pick: number, value: unknown): HostMessage {
	const copy = structuredClone(message) as unknown as Record<string, unknown>;
	const blocks = Array.isArray(copy.content) ? copy.content : [];
	const block: unknown = blocks[pick % (blocks.length + 1)];
	// Damage at the same place a second time finds a block that is a record no longer.
	const target = isRecord(block) ? block : copy;
	const names = Object.keys(target).filter((name) => name !== "role");
	const name = names[pick % Math.max(1, names.length)];
	if (name !== undefined) Reflect.set(target, name, value);
	if (block && pick % 5 === 0) blocks[pick % (blocks.length + 1)] = value;
	return copy as unknown as HostMessage;
}

test("a session with any field of the wrong type is kept to its budget, or says what is in the way", () => {
	const places = fc.array(fc.tuple(fc.nat(), fc.nat(), odd), { minLength: 1, maxLength: 6 });
	fc.assert(
		fc.property(anyHostSession, anyBudget, places, (messages, budget, damages) => {
			const damaged = [...messages];
			for (const [at, pick, value] of damages) {
				const index = at % Math.max(1, damaged.length);
				const message = damaged[index];
				if (message) damaged[index] = damage(message, pick, value);
			}
			const { tokens, pass } = open().request(reload(damaged).map(repairMessage), under(budget));
			expect(Number.isFinite(tokens)).toBe(true);
			if (tokens > budget) expect(pass?.blockers.length).toBeGreaterThan(0);
		}),
	);
});

test("a part that cannot be read becomes empty, and the rest of its message stays", () => {
	const message = say.parse(
		'{"role":"assistant","content":[null,{"type":"toolCall","id":"1","name":"read"},{"type":"text","text":"yes"}],"api":"x","provider":"x","model":"x","stopReason":"stop"}',
	);
	expect(repairMessage(message)).toMatchObject({
		content: [
			{ type: "text", text: "" },
			{ type: "toolCall", id: "1", name: "read", arguments: {} },
			{ type: "text", text: "yes" },
		],
	});
});
