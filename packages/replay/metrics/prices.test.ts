import { expect, test } from "vitest";
import { breakpointHits, priceLists, priceRequest } from "./prices.ts";

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

test("a broken prefix is read up to where an earlier request ended", () => {
	const request = { tokens: 9_000, sharedTokens: 6_000, endedTokens: 5_000, outputTokens: 0 };
	expect(breakpointHits(request)).toBe(5_000);
	expect(breakpointHits({ ...request, endedTokens: 900 })).toBe(0);
	expect(priceLists.anthropic.hits(request)).toBe(6_000);
});
