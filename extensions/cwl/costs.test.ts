import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { reply } from "../../packages/pi/test-support/host-messages.ts";
import { countCalls } from "./costs.ts";

test("a request that was refused or stopped counts only if the provider charged something for it", () => {
	const sessionManager = SessionManager.inMemory();
	const answer = reply("ok", 1);
	sessionManager.appendMessage(answer);
	const uncharged = { ...answer, usage: { ...answer.usage, totalTokens: 0 } };
	sessionManager.appendMessage({ ...uncharged, stopReason: "error" });
	sessionManager.appendMessage({ ...uncharged, stopReason: "aborted" });
	expect(countCalls({ sessionManager })).toBe(1);
	sessionManager.appendMessage({ ...answer, stopReason: "aborted" });
	expect(countCalls({ sessionManager })).toBe(2);
});
