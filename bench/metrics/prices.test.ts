import { expect, test } from "vitest";
import { priceLists, priceRequest } from "./prices.ts";

test("Anthropic charges writes for what is not shared", () => {
	const cost = priceRequest({ tokens: 1_000, sharedTokens: 600, outputTokens: 10 }, priceLists.anthropic);
	expect(cost).toBeCloseTo(0.1 * 600 + 1.25 * 400 + 5 * 10);
});

test("OpenAI serves whole steps of the shared prefix", () => {
	const cost = priceRequest({ tokens: 3_000, sharedTokens: 1_300, outputTokens: 10 }, priceLists.openai);
	expect(cost).toBeCloseTo(0.1 * 1_280 + 1 * 1_720 + 6 * 10);
});

test("OpenAI serves no short prefix", () => {
	const cost = priceRequest({ tokens: 1_023, sharedTokens: 1_023, outputTokens: 0 }, priceLists.openai);
	expect(cost).toBeCloseTo(1_023);
});
