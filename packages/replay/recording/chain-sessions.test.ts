import { expect, test } from "vitest";
import { recorded, user } from "../test-support/messages.ts";
import { chainSessions } from "./chain-sessions.ts";

test("sessions follow each other by the time of their first message, each whole", () => {
	const session = (start: number, ...texts: readonly string[]) => {
		const { messages, ...rest } = recorded(...texts.map(user));
		return { ...rest, messages: messages.map((message, i) => ({ ...message, timestamp: start + 10 * i })) };
	};
	const [late, early] = [session(5, "c", "d"), session(1, "a", "b")];
	const damage = [{ place: "a.jsonl:1", reason: "torn" }];
	const chain = chainSessions([{ ...late, damage }, early], "all");
	expect(chain.messages).toEqual([...early.messages, ...late.messages]);
	expect(chain).toMatchObject({ name: "all", format: "pi", damage });
});
