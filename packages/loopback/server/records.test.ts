import { expect, test } from "vitest";
import { badRequest } from "../refusal.ts";
import { postText } from "../test-support/raw.ts";
import { type RequestRecord, totalRecords } from "./records.ts";
import { startLoopback } from "./server.ts";

const record = (index: number, more: Partial<RequestRecord> = {}): RequestRecord => ({
	index,
	api: "anthropic",
	model: "m",
	promptTokens: 100,
	cachedTokens: 60,
	writtenTokens: 30,
	outputTokens: 5,
	staleThinking: 2,
	droppedThinking: 1,
	cost: 0.5,
	prefixTokens: 0,
	extendsPrevious: true,
	...more,
});

test("totals leave the tokens of refused requests out", () => {
	const records = [
		record(0),
		record(1, { refused: badRequest("no") }),
		record(2, { extendsPrevious: false }),
	];
	expect(totalRecords(records)).toEqual({
		requests: 3,
		refused: 1,
		breaks: 1,
		promptTokens: 200,
		cachedTokens: 120,
		staleThinking: 6,
	});
});

test("records price each answered request, and none of a model without a price", async () => {
	const loopback = await startLoopback({ model: () => ({ text: "ok" }) });
	const ask = (model: string) => {
		const messages = [{ role: "user", content: "hi" }];
		return postText(loopback.url, "anthropic", JSON.stringify({ model, max_tokens: 9, messages }));
	};
	await ask("claude-opus-5-5");
	await ask("unknown");
	const [priced, unpriced] = loopback.records();
	await loopback.close();
	expect(priced?.cost).toBeCloseTo(
		((priced?.promptTokens ?? 0) * 4 + (priced?.outputTokens ?? 0) * 20) / 1e6,
	);
	expect(priced?.cost).toBeGreaterThan(0);
	expect(unpriced?.cost).toBeUndefined();
});
