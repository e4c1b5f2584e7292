import { getModel } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { loadModels, priceLists, priceRequest } from "./prices.ts";

test("OpenAI serves no short prefix", () => {
	const cost = priceRequest({ tokens: 1_023, sharedTokens: 1_023, outputTokens: 0 }, priceLists.openai);
	expect(cost).toBeCloseTo(1_023);
});

const broken = { tokens: 100_000, sharedTokens: 90_001, endedTokens: 50_000, outputTokens: 1_000 };

test("an Anthropic model reads up to a breakpoint and pays for writing the rest", async () => {
	const [model] = await loadModels(["anthropic/claude-sonnet-4-5"]);
	const { cost } = getModel("anthropic", "claude-sonnet-4-5");
	const expected = cost.cacheRead * 0.05 + cost.cacheWrite * 0.05 + cost.output * 0.001;
	expect(model && priceRequest(broken, model.prices)).toBeCloseTo(expected, 9);
});

test("an OpenAI model reads whole steps of the prefix", async () => {
	const [model] = await loadModels(["openai/gpt-5"]);
	const { cost } = getModel("openai", "gpt-5");
	const expected = cost.cacheRead * 0.089984 + cost.input * 0.010016 + cost.output * 0.001;
	expect(model && priceRequest(broken, model.prices)).toBeCloseTo(expected, 9);
});

test("a model that the table does not know is answered with some that it knows", async () => {
	await expect(loadModels(["anthropic/claude-0"])).rejects.toMatchObject({
		code: "unknown-model",
		message: expect.stringContaining("anthropic/claude-"),
	});
	await expect(loadModels(["gpt-5"])).rejects.toThrow("openai/...");
	await expect(loadModels(["anthropic/claude-opuss-5-5"])).rejects.toThrow(
		/Did you mean "anthropic\/claude-opus-5-5"\?/,
	);
});

test("newer models check thinking, older ones do not", async () => {
	const names = ["anthropic/claude-opus-5.5", "anthropic/claude-haiku-4-5"];
	expect((await loadModels(names)).map(({ checksThinking }) => checksThinking)).toEqual([true, false]);
});
