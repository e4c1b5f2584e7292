import { expect, test } from "vitest";
import * as say from "../test-support/host-messages.ts";
import { countSetbacks } from "./setbacks.ts";

function answered(input: number, cacheRead: number, stopReason: "stop" | "error" = "stop") {
	const message = say.reply("ok", 1);
	return {
		type: "message",
		message: { ...message, stopReason, usage: { ...message.usage, input, cacheRead, cacheWrite: 0 } },
	};
}
const custom = (customType: string, data: object) => ({ type: "custom", customType, data });

test("a session's setbacks: requests while cwl was off, passes taken back, requests with nothing in the cache", () => {
	expect(countSetbacks([])).toEqual({ offRequests: 0, undone: 0, uncached: 0, passes: 0 });
	const pass = { version: 1, policy: "cwl", budget: 9, before: 2, after: 1, strips: [], blockers: [] };
	const branch = [
		// Too small to be cached.
		...[answered(900, 0), answered(8_000, 0), answered(100, 8_000)],
		// One that failed was sent if the provider counted it.
		...[custom("cwl.pass", pass), answered(0, 0, "error"), answered(6_000, 0, "error"), answered(10, 6_000)],
		...[custom("cwl.steering", { enabled: false }), answered(0, 0), answered(9_000, 0), answered(50, 9_000)],
		...[custom("cwl.steering", { enabled: true }), custom("cwl.undo", { version: 1 }), answered(50, 9_000)],
	];
	expect(countSetbacks(branch)).toEqual({ offRequests: 2, undone: 1, uncached: 2, passes: 1 });
});
