import { expect, test } from "vitest";
import { sessions } from "./found.ts";
import { runScript } from "./session-run.ts";

test.each(sessions)("%s keeps the rules", (_name, model, policy, budget, operations) => {
	expect(runScript({ model, budget, policy, operations }).operations).toBe(operations.length);
});
