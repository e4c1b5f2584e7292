import { describe, expect, test } from "vitest";
import { startLoopback } from "./server/server.ts";
import { type BilledTokens, findTariff, priceRequest, TARIFFS } from "./tariffs.ts";
import { postText } from "./test-support/raw.ts";

const NOTHING: BilledTokens = { input: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0 };

function price(model: string, tokens: Partial<BilledTokens>): number | undefined {
	const tariff = findTariff(model);
	return tariff && Number(priceRequest(tariff, { ...NOTHING, ...tokens }).toFixed(6));
}

describe("the price of a request", () => {
	test.each<[string, string, Partial<BilledTokens>, number]>([
		["100k tokens read from the cache on Fable 5.2", "claude-fable-5-2", { cacheRead: 100_000 }, 0.02],
		["the same tokens written again", "claude-fable-5-2", { cacheWrite5m: 100_000 }, 1],
		["a one-hour write", "claude-opus-5-5", { cacheWrite1h: 100_000 }, 0.8],
		["output", "claude-opus-5-5", { output: 10_000 }, 0.2],
		["Haiku 5.5 at its step", "claude-haiku-5-5", { input: 50_000, cacheRead: 50_000, output: 1_000 }, 0.006],
		[
			"Haiku 5.5 two tokens above its step, where every token costs five times as much",
			"claude-haiku-5-5",
			{ input: 50_002, cacheRead: 50_000, output: 1_000 },
			0.030001,
		],
		["GPT at 272,000 tokens", "gpt-6.1-sol", { input: 272_000, output: 1_000 }, 0.554],
		["GPT above it", "gpt-6.1-sol", { input: 272_001, output: 1_000 }, 1.103004],
		["GPT-5.5, which bills no writes", "gpt-5.5", { input: 100_000, cacheRead: 100_000 }, 0.55],
	])("of %s", (_name, model, tokens, dollars) => {
		expect(price(model, tokens)).toBe(dollars);
	});
});

describe("a tariff", () => {
	test.each([
		["claude-opus-5-5", "claude-opus-5-5"],
		["anthropic/claude-opus-5.5", "claude-opus-5-5"],
		["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
		["openai/gpt-6.2-sol", "gpt-6.2-sol"],
	])("is found for %s", (id, model) => {
		expect(findTariff(id)?.model).toBe(model);
	});

	test("is missing for a model that is not in the table", () => {
		expect(findTariff("claude-opus-9")).toBeUndefined();
	});

	test.each(TARIFFS.map((tariff) => [tariff.model, tariff] as const))(
		"of %s has prices above zero, reads below input and steps in order",
		(_model, tariff) => {
			for (const prices of [tariff, ...tariff.tiers]) {
				expect(prices.cacheRead).toBeGreaterThan(0);
				expect(prices.cacheRead).toBeLessThan(prices.input);
				expect(prices.cacheWrite5m).toBeGreaterThanOrEqual(prices.input);
				expect(prices.cacheWrite1h).toBeGreaterThanOrEqual(prices.cacheWrite5m);
			}
			const steps = tariff.tiers.map(({ above }) => above);
			expect(steps).toEqual([...steps].sort((a, b) => a - b));
		},
	);
});

describe("the server's records", () => {
	test("price each answered request, and none of a model without a tariff", async () => {
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
});
