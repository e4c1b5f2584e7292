import { expect, test } from "vitest";
import type { Pass } from "#core/log";
import { flatPrices } from "../../core/test-support/prices.ts";
import * as say from "../test-support/host-messages.ts";
import { measureRewrite, readRewrites } from "./rewrites.ts";

const pass: Pass & { readonly newest: string } = {
	...{ version: 1, policy: "cwl", budget: 20_000, before: 6_432, after: 4_331, strips: [], blockers: [] },
	newest: "user-9",
	reported: { budget: 20_000, before: 6_217, after: 4_156 },
};
const made = { type: "custom", customType: "cwl.pass", data: pass };

const answered = (input: number, cacheRead: number, cacheWrite: number) => {
	const message = say.reply([say.says("ok")], 1);
	return {
		type: "message",
		message: { ...message, usage: { ...message.usage, input, cacheRead, cacheWrite } },
	};
};

const measure = (...branch: Parameters<typeof readRewrites>[0]) =>
	measureRewrite(pass, readRewrites(branch), flatPrices({ read: 0.1, write: 1.25 }));

test("what a request wrote again is what its provider reported, less what was new", () => {
	// Of 4,128 tokens nothing was cached, and 82 had come since the request before.
	const [before, after] = [answered(6_135, 0, 0), answered(50, 0, 4_078)];
	expect(measure(before, made, after)).toEqual({ rewritten: 4_046, paidBackAfter: 23 });
	expect(measure(before, made, answered(12, 3_966, 150))).toEqual({ rewritten: 80, paidBackAfter: 1 });
});

test("nothing is measured before an answer has usage, and a compaction leaves nothing to be written again", () => {
	expect(measure(answered(6_135, 0, 0), made)).toBeUndefined();
	expect(measure(answered(6_135, 0, 0), made, answered(0, 0, 0))).toBeUndefined();
	const compaction = { type: "compaction" };
	expect(measure(answered(6_135, 0, 0), compaction, made, answered(50, 0, 4_078))?.rewritten).toBe(0);
});
