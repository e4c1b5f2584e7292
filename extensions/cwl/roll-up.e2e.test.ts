import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelReply, ModelRequest } from "#loopback";
import { startTrial } from "./test-support/trial.ts";

const BUDGET = 12_000;
const TOPICS = 36;

const finding = (topic: string) =>
	`The setting of ${topic} is read in src/${topic}/load.ts, after the defaults and before the flags. ` +
	`It took a while to see. port_${topic} is 4${topic}.`;

/** `learn N` reads a file in an expl of its own and records a finding. */
function learner({ messages }: ModelRequest): ModelReply {
	const at = messages.findLastIndex(({ type, text }) => type === "user" && text.startsWith("learn "));
	const topic = messages[at]?.text.slice("learn ".length) ?? "";
	const step = messages.slice(at).filter(({ type }) => type === "assistant").length;
	if (step === 0) {
		const start = { action: "start", name: `topic-${topic}`, type: "expl" };
		return {
			calls: [
				{ name: "delimiter", arguments: start },
				{ name: "read", arguments: { path: `bulk-${topic}` } },
				{ name: "delimiter", arguments: { action: "end", description: finding(topic) } },
			],
		};
	}
	return { text: "ok" };
}

test("findings of long evicted episodes stay in sight, in lines that take their share of the budget and change with passes only", async () => {
	const trial = await startTrial({ model: learner, api: "anthropic" });
	const pi = trial.rpc({ environment: { CWL_BUDGET: String(BUDGET), CWL_POLICY: "cwl" } });
	const topics = Array.from({ length: TOPICS }, (_, at) => String(100 + at));
	for (const topic of topics) {
		const lines = Array.from({ length: 200 }, (_, line) => `${line} bottles of ${topic}`);
		await writeFile(join(trial.work, `bulk-${topic}`), lines.join("\n"));
		await pi.prompt(`learn ${topic}`);
	}

	const sent = trial.requests.map(({ messages }) => messages.map(({ text }) => text).join("\n"));
	const index = (text: string) => text.split("\n").filter((line) => /^\[\d+ episodes, /.test(line));
	const last = index(sent.at(-1) ?? "").join("\n");
	const isSaid = (topic: string) => last.includes(`port_${topic} is 4${topic}`);
	expect(index(sent.at(-1) ?? "").length).toBeGreaterThan(0);
	expect(topics.filter(isSaid).length).toBeGreaterThan(8);
	const indexes = new Set(sent.map((text) => index(text).join("\n")));
	expect(indexes.size).toBeLessThan(TOPICS / 2);
	for (const { promptTokens, refused } of trial.loopback.records()) {
		expect(refused).toBeUndefined();
		expect(promptTokens).toBeLessThanOrEqual(BUDGET);
	}
});
