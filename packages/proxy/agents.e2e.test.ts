/**
 * Claude Code, Codex and opencode through `cwl proxy --enforce` and `cwl mcp`, against a server that refuses what the real
 * providers refuse. The agents must not reach a network:
 *
 *   npm install --prefix DIR @anthropic-ai/claude-code @openai/codex opencode-ai
 *   CWL_AGENTS=DIR/node_modules/.bin unshare -n sh -c 'ip link set lo up && npx vitest run --project e2e packages/proxy/agents'
 */

import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { UnknownRecord } from "#basics";
import type { ModelReply, ModelRequest } from "#testing";
import { startLoopback } from "#testing/server";
import { startProgram } from "../cli/test-support/proxy-process.ts";
import { createScratch } from "../workspace/test-support/scratch.ts";
import { type AgentProgram, agentPrograms } from "./test-support/agent-programs.ts";

/** Tokens. The agents' own prompts and tools take up to 25,000 of them. */
const BUDGET = 40_000;
const FILES = 8;

/** About 5,000 tokens. */
const contentOf = (file: number) =>
	Array.from({ length: 420 }, (_, line) => `note ${file}: fact ${line} is ${(file + 7) * (line + 3)}`).join(
		"\n",
	);

/** The replies to one prompt after the other: each file is read in an episode, and the first is recalled at the end. */
function repliesOf({ ownTool, shellCall }: AgentProgram): readonly ModelReply[] {
	const mark = (input: UnknownRecord) => ({ name: ownTool("delimiter"), arguments: input });
	const ofFiles = Array.from({ length: FILES }, (_, at): readonly ModelReply[] => {
		const start = mark({ action: "start", type: "expl", name: `Notes ${at + 1}` });
		const end = mark({ action: "end", description: `Read notes-${at + 1}.txt.` });
		const read = shellCall(`cat notes-${at + 1}.txt`);
		return [{ calls: [start, read] }, { calls: [end, shellCall("pwd")] }, { text: "I have read the file." }];
	}).flat();
	const recall = { name: ownTool("recall"), arguments: { query: "Notes 1" } };
	return [...ofFiles, { calls: [recall] }, { calls: [shellCall("pwd")] }, { text: "I have recalled it." }];
}

test.for(Object.entries(agentPrograms))(
	"%s stays below the budget, is refused nothing, and recalls what was evicted",
	{ timeout: 600_000 },
	async ([name, agent], { skip }) => {
		const path = agent.path ?? skip(`CWL_AGENTS names no folder that holds the program ${name}`);
		const root = createScratch();
		const directory = join(root, "work");
		mkdirSync(directory);
		for (let file = 1; file <= FILES; file += 1) {
			writeFileSync(join(directory, `notes-${file}.txt`), `${contentOf(file)}\n`);
		}
		const replies = repliesOf(agent);
		/** The agent's requests with tools; those for titles have none. */
		const requests: ModelRequest[] = [];
		const server = await startLoopback({
			contextWindow: 1_000_000,
			addsThinking: true,
			model(request) {
				if (request.tools.length === 0) return { text: "Notes" };
				requests.push(request);
				return replies[requests.length - 1] ?? { text: "Nothing is left to do." };
			},
		});
		onTestFinished(() => server.close());
		const store = join(root, "store");
		const flags = ["--enforce", "--budget", String(BUDGET)];
		const first = await startProgram(server.url, store, ...flags);
		const running = await agent.start(path, {
			url: `${first.url}/test`,
			directory,
			home: join(root, "home"),
		});
		onTestFinished(async () => void (await running.close()));
		for (let file = 1; file <= FILES; file += 1) {
			if (file === FILES) {
				// Another process goes on where this one is killed.
				first.child.kill("SIGKILL");
				await once(first.child, "exit");
				await startProgram(server.url, store, ...flags, "--port", new URL(first.url).port);
			}
			await running.ask(`Read notes-${file}.txt.`);
		}
		const textsOf = ({ messages }: ModelRequest) =>
			messages.flatMap((one) => ("text" in one ? one.text : []));
		const holdsFirst = (request: ModelRequest) => textsOf(request).join("\n").includes("note 1: fact 200 is");
		expect(requests).toHaveLength(3 * FILES);
		expect(requests.slice(-1).map(holdsFirst)).toEqual([false]);
		await running.ask("Recall what the first notes said.");
		expect(requests.slice(-3).map(holdsFirst)).toEqual([false, true, true]);
		const records = server.records();
		expect(records.flatMap(({ refused }) => refused?.message ?? [])).toEqual([]);
		expect(records.filter(({ staleThinking }) => staleThinking > 0)).toEqual([]);
		expect(Math.max(...records.map(({ promptTokens }) => promptTokens))).toBeLessThanOrEqual(BUDGET);
	},
);
