import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scripted } from "#testing";
import { call } from "./test-support/following.ts";
import { startTrial } from "./test-support/trial.ts";

/** More blocks than Anthropic looks back over from a mark. */
const files = Array.from({ length: 24 }, (_, index) => `${index}.txt`);
const wide = { calls: files.map((path) => call("read", { path })) };

/** For every request but the first, how much it read from the cache, compared with everything that the previous request had sent. */
function cachedAndSent(records: readonly { promptTokens: number; cachedTokens: number }[]) {
	return records.slice(1).map(({ cachedTokens }, index) => [cachedTokens, records[index]?.promptTokens]);
}

test("without message threads, what the request before has sent is read from Anthropic's cache, however many calls ran at once", async () => {
	const turn = [wide, wide, wide, { text: "done" }];
	const trial = await startTrial({ model: scripted([...turn, ...turn]), api: "anthropic" });
	const text = "some text that is worth caching\n".repeat(20);
	for (const path of files) await writeFile(join(trial.work, path), text);
	// In a message thread the provider holds what was sent before, and no request can mark it.
	const config = join(trial.agent, "models.json");
	const known = await readFile(config, "utf8");
	await writeFile(
		config,
		known.replaceAll('"supportsMessageThreads": true', '"supportsMessageThreads": false'),
	);
	const pi = trial.rpc();
	// Anthropic caches nothing shorter than 1,024 tokens.
	await pi.prompt("Read the files once more. ".repeat(100));
	await pi.prompt("go on");
	const records = trial.loopback.records();
	expect(records.length).toBe(8);
	for (const [cached, sent] of cachedAndSent(records)) expect(cached).toBe(sent);
});
