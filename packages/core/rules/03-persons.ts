import { expect } from "vitest";
import { everyItem, sentItems } from "../test-support/inspection.ts";
import { rule } from "../test-support/simulation.ts";

export const rule3 = [
	rule("rule 3: what a person wrote is sent in full and in order", ({ messages, parts }) => {
		const written = everyItem(messages).filter((item) => item.type === "user");
		expect(sentItems(messages, parts).filter((item) => item.type === "user")).toEqual(written);
	}),
];
