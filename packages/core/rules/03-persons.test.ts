import { expect, test } from "vitest";
import { everyItem, sentItems } from "../test-support/inspection.ts";
import { forEveryRequest } from "../test-support/simulation.ts";

test("rule 3: what a person wrote is sent in full and in order", () => {
	forEveryRequest(({ messages, parts }) => {
		const written = everyItem(messages).filter((item) => item.type === "user");
		expect(sentItems(messages, parts).filter((item) => item.type === "user")).toEqual(written);
	});
});
