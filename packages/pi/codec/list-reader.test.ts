import { expect, test } from "vitest";
import { countCharacters, user } from "../test-support/host-messages.ts";
import { createListReader } from "./list-reader.ts";
import { readMessage } from "./messages.ts";

test("a list that leaves the one before is read from where it leaves it, each message under a name of its own", () => {
	const read: string[] = [];
	const readList = createListReader((message, index, key) => {
		read.push(key);
		return readMessage(message, index, key, countCharacters);
	});
	const messages = ["a", "b", "c"].map((text, index) => user(text, index));
	expect(readList(messages).differsAt).toBeUndefined();
	expect(readList(structuredClone(messages)).differsAt).toBeUndefined();
	const [first, , last] = messages;
	if (!first || !last) throw new Error("three messages");
	expect(readList([first, user("x", 9), last]).differsAt).toBe(1);
	const again = readList([first, user("again", 0)]);
	expect(again.differsAt).toBe(1);
	expect(read).toEqual(["user-0", "user-1", "user-2", "user-9", "user-2", "user-0~2"]);
	expect(again.messages).toHaveLength(2);
});

test("a message that cannot be read once leaves nothing half read", () => {
	let isBroken = true;
	const readList = createListReader((message, index, key) => {
		if (isBroken && index === 1) throw new Error("broken");
		return readMessage(message, index, key, countCharacters);
	});
	const messages = ["a", "b"].map((text, index) => user(text, index));
	expect(() => readList(messages)).toThrow("broken");
	isBroken = false;
	expect(readList(messages).messages.map(({ items }) => items[0]?.id)).toEqual(["user-0", "user-1"]);
});
