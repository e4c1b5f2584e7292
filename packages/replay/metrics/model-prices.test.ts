import { getModel } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { loadModelPrices } from "./model-prices.ts";
import { priceRequest } from "./prices.ts";

const request = { tokens: 100_000, sharedTokens: 90_001, endedTokens: 50_000, outputTokens: 1_000 };

test("an Anthropic model reads up to a breakpoint and pays for writing the rest", async () => {
	const [prices] = await loadModelPrices(["anthropic/claude-sonnet-4-5"]);
	const { cost } = getModel("anthropic", "claude-sonnet-4-5");
	const expected = cost.cacheRead * 0.05 + cost.cacheWrite * 0.05 + cost.output * 0.001;
	expect(prices && priceRequest(request, prices)).toBeCloseTo(expected, 9);
});

test("an OpenAI model reads whole steps of the prefix", async () => {
	const [prices] = await loadModelPrices(["openai/gpt-5"]);
	const { cost } = getModel("openai", "gpt-5");
	const expected = cost.cacheRead * 0.089984 + cost.input * 0.010016 + cost.output * 0.001;
	expect(prices && priceRequest(request, prices)).toBeCloseTo(expected, 9);
});

test("a model that the table does not know is answered with some that it knows", async () => {
	await expect(loadModelPrices(["anthropic/claude-0"])).rejects.toMatchObject({
		code: "unknown-model",
		message: expect.stringContaining("anthropic/claude-"),
	});
	await expect(loadModelPrices(["gpt-5"])).rejects.toThrow("openai/...");
});
