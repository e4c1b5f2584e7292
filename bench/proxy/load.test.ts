import { expect, test } from "vitest";
import { formatLoad, measureLoad } from "./load.ts";

test("sessions at once are all answered, and memory is read after each tenth", async () => {
	const figures = await measureLoad(3, 20, new AbortController().signal);
	expect(figures).toMatchObject({ sessions: 3, requests: 20, lost: 0 });
	expect(figures.memory.length).toBeGreaterThanOrEqual(10);
	for (const megabytes of figures.memory) expect(megabytes).toBeGreaterThan(10);
	expect(formatLoad(figures)).toContain("none lost");
});
