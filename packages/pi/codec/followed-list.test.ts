import { expect, test } from "vitest";
import { user } from "../test-support/host-messages.ts";
import { createNamedList } from "./followed-list.ts";

test("a list that leaves the one before is the same up to where it leaves it", () => {
	const messages = ["a", "b", "c"].map((text, index) => user(text, index));
	const list = createNamedList((_message, _index, name) => name);
	expect(messages.map(list.append)).toEqual(["user-0", "user-1", "user-2"]);
	const changed = messages.map((message, index) => (index === 1 ? { ...message, timestamp: 9 } : message));
	expect(list.countSame(structuredClone(messages))).toBe(3);
	expect(list.countSame(changed)).toBe(1);
	expect(list.countSame(messages.slice(0, 2))).toBe(2);
	list.cut(1);
	expect(list.append(user("again", 0))).toBe("user-0~2");
});
