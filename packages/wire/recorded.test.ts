/** Recorded sessions as wire traffic: an agent sends them through the proxy's engine, and strict providers judge it. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readSession } from "#replay/readers";
import { sendSession } from "./test-support/sent-session.ts";
import type { WireApi } from "./test-support/wire-agent.ts";

/** Recorded sessions are no part of the project: the environment names their folder, or it is next to the project. */
const beside = fileURLToPath(new URL("../../../shared/sessions/recorded", import.meta.url));
const folder = process.env.CWL_SESSIONS ?? beside;

/** Every so many files: the whole set takes too long for a test. */
const STRIDE = 30;
test.each<[WireApi, string]>([
	["anthropic", "claude-fable-5-2"],
	["responses", "gpt-6.2-sol"],
	["completions", "deepseek-v4"],
])("recorded sessions in the form of %s", async (api, model) => {
	const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
	const paths = files.sort().filter((_, index) => index % STRIDE === 0);
	let passes = 0;
	for (const file of paths) {
		const { messages } = await readSession(join(folder, file));
		const whole = sendSession(api, model, messages, Number.MAX_SAFE_INTEGER);
		expect(whole, file).toMatchObject({ edited: 0, refusals: [] });
		const evicted = sendSession(api, model, messages, 20_000);
		expect(evicted, file).toMatchObject({ refusals: [], prefixBreaks: 0 });
		const searching = sendSession(api, model, messages, 20_000, { isUnsteady: true, searches: true });
		expect(searching, file).toMatchObject({ refusals: [], prefixBreaks: 0 });
		passes += evicted.passes;
	}
	expect(passes > 0 || paths.length === 0).toBe(true);
});
