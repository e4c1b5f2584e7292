import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AuthStorage, ModelRegistry } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { createScratch } from "../../workspace/test-support/scratch.ts";
import { API_NAMES } from "../test-support/pi-ai.ts";
import { LIST_PRICES, LOOPBACK_PROVIDER, writeAgentDirectory } from "./agent-directory.ts";

test("pi's own registry finds a priced model per API, and named ones with the switches with which pi talks to them", async () => {
	const dir = createScratch();
	const models = ["claude-opus-5-5", "gpt-6.2-sol", "claude-opus-4-5"];
	await writeAgentDirectory(dir, { url: "http://127.0.0.1:1", models, contextWindow: 64_000 });
	const registry = ModelRegistry.create(AuthStorage.inMemory(), join(dir, "models.json"));
	expect(registry.getError()).toBeUndefined();
	expect(API_NAMES.map((api) => registry.find(LOOPBACK_PROVIDER, api))).toMatchObject(
		API_NAMES.map((api) => ({ id: api, reasoning: true, contextWindow: 64_000, cost: LIST_PRICES[api] })),
	);
	expect(models.map((id) => registry.find(LOOPBACK_PROVIDER, id))).toMatchObject([
		{ api: "anthropic-messages", cost: { input: 4, cacheRead: 0.2, cacheWrite: 5 } },
		{ api: "openai-responses", cost: { input: 2, cacheRead: 0.1, cacheWrite: 2.5 } },
		{ api: "anthropic-messages", cost: { input: 5 } },
	]);
	const written = JSON.parse(await readFile(join(dir, "models.json"), "utf8"));
	const compats = written.providers[LOOPBACK_PROVIDER].models
		.slice(3)
		.map((model: { compat?: object }) => model.compat);
	expect(compats).toEqual([
		expect.objectContaining({ forceAdaptiveThinking: true, supportsMidConvoEffort: true }),
		undefined,
		expect.objectContaining({ forceAdaptiveThinking: false, supportsMidConvoEffort: false }),
	]);
});
