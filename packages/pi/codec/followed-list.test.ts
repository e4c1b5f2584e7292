import { expect, test } from "vitest";
import { user } from "../test-support/host-messages.ts";
import { createIdentities } from "./followed-list.ts";

function known(...texts: readonly string[]) {
	const messages = texts.map((text, index) => ({ ...user(text), timestamp: index }));
	const identities = createIdentities();
	for (const message of messages) identities.add(message);
	return { messages, identities };
}

test("a list that leaves the one before is the same up to where it leaves it", () => {
	const { messages, identities } = known("a", "b", "c");
	const changed = messages.map((message, index) => (index === 1 ? { ...message, timestamp: 9 } : message));
	expect(identities.countSame(structuredClone(messages))).toBe(3);
	expect(identities.countSame(changed)).toBe(1);
	expect(identities.countSame(messages.slice(0, 2))).toBe(2);
});

test("what was sent answers for what was not, and only while all of it is the same", () => {
	const { messages, identities } = known("a", "b", "c", "d");
	const sent = [{ message: 0 }, { message: 2 }];
	const at = (place: number) =>
		messages.map((message, index) => (index === place ? { ...message, timestamp: 9 } : message));
	expect(identities.countSame(at(1), sent)).toBe(4);
	expect(identities.countSame(at(2), sent)).toBe(2);
	expect(identities.countSame(at(3), sent)).toBe(3);
	expect(identities.countSame(messages.slice(0, 3), sent)).toBe(3);
	expect(identities.countSame(messages.toSpliced(1, 1), sent)).toBe(1);
	expect(identities.countSame(messages.toSpliced(1, 0, user("new")), sent)).toBe(1);
});
