import { getModel } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { loadModel, priceLists, priceRequest } from "./prices.ts";

test("OpenAI serves no short prefix", () => {
	const cost = priceRequest({ tokens: 1_023, sharedTokens: 1_023, outputTokens: 0 }, priceLists.openai);
	expect(cost).toBeCloseTo(1_023);
});

const broken = { tokens: 100_000, sharedTokens: 90_001, endedTokens: 50_000, outputTokens: 1_000 };

test("an Anthropic model reads up to a breakpoint and pays for writing the rest", async () => {
	const { prices } = await loadModel("anthropic/claude-sonnet-4-5");
	const { cost } = getModel("anthropic", "claude-sonnet-4-5");
	const expected = cost.cacheRead * 0.05 + cost.cacheWrite * 0.05 + cost.output * 0.001;
	expect(priceRequest(broken, prices)).toBeCloseTo(expected, 9);
});

test("an OpenAI model reads whole steps of the prefix", async () => {
	const { prices } = await loadModel("openai/gpt-5");
	const { cost } = getModel("openai", "gpt-5");
	const expected = cost.cacheRead * 0.089984 + cost.input * 0.010016 + cost.output * 0.001;
	expect(priceRequest(broken, prices)).toBeCloseTo(expected, 9);
});

test("a model that the table does not know is answered with some that it knows", async () => {
	await expect(loadModel("anthropic/claude-0")).rejects.toMatchObject({
		code: "unknown-model",
		message: expect.stringContaining("anthropic/claude-"),
	});
	await expect(loadModel("gpt-5")).rejects.toThrow("openai/...");
	await expect(loadModel("anthropic/claude-opuss-5-5")).rejects.toThrow(
		/Did you mean "anthropic\/claude-opus-5-5"\?/,
	);
});

test("newer models check thinking, older ones do not", async () => {
	expect((await loadModel("anthropic/claude-opus-5.5")).checksThinking).toBe(true);
	expect((await loadModel("anthropic/claude-haiku-4-5")).checksThinking).toBe(false);
});
