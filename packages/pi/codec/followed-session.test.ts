import { expect, test } from "vitest";
import { countCharacters, user } from "../test-support/host-messages.ts";
import { followSession } from "./followed-session.ts";
import { readMessage } from "./messages.ts";

test("a list that leaves the one before is read from where it leaves it, each message under a name of its own", () => {
	const read: string[] = [];
	const session = followSession((message, index, key) => {
		read.push(key);
		return readMessage(message, index, key, countCharacters);
	});
	const messages = ["a", "b", "c"].map((text, index) => user(text, index));
	expect([session.follow(messages), session.follow(structuredClone(messages))]).toEqual([
		undefined,
		undefined,
	]);
	const [first, , last] = messages;
	if (!first || !last) throw new Error("three messages");
	expect(session.follow([first, user("x", 9), last])).toBe(1);
	expect(session.follow([first, user("again", 0)])).toBe(1);
	expect(read).toEqual(["user-0", "user-1", "user-2", "user-9", "user-2", "user-0~2"]);
	expect(session.graph().messages).toHaveLength(2);
});

test("a message that cannot be read once leaves nothing half read", () => {
	let isBroken = true;
	const session = followSession((message, index, key) => {
		if (isBroken && index === 1) throw new Error("broken");
		return readMessage(message, index, key, countCharacters);
	});
	const messages = ["a", "b"].map((text, index) => user(text, index));
	expect(() => session.follow(messages)).toThrow("broken");
	isBroken = false;
	session.follow(messages);
	expect(session.graph().messages.map(({ items }) => items[0]?.id)).toEqual(["user-0", "user-1"]);
});
