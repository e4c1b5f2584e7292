import { expect, test } from "vitest";
import { runCampaign } from "./campaign.ts";

test("random sessions keep the rules, after each operation and when they are rebuilt from their file", async () => {
	const { sessions, passes, failures } = await runCampaign({ runs: 100, seed: 20_261_121, from: 0 });
	expect(failures).toEqual([]);
	expect(sessions).toBe(100);
	expect(passes).toBeGreaterThan(0);
});
