/** The examples of the READMEs: they run against the hosts' packages, and evict what the adapters evict. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { AgentInputItem } from "@openai/agents-core";
import type { ModelMessage } from "ai";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { scripted as scriptedAiSdk } from "../ai-sdk/conformance-run.ts";
import { answer as answerAiSdk } from "../ai-sdk/example.ts";
import { scripted as scriptedLangChain } from "../langchain/conformance-run.ts";
import { createManagedAgent } from "../langchain/example.ts";
import { scriptedAgent } from "../openai-agents/conformance-run.ts";
import { answer as answerOpenAi } from "../openai-agents/example.ts";
import { playTurns } from "../opencode/conformance-run.ts";
import { ContextWindowLifecycle } from "../opencode/example.ts";
import { createPlayer, type Player } from "./host-run.ts";
import { makeScript } from "./script.ts";

const BUDGET = 3_000;
const script = makeScript(11, 8);

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "cwl-adapters-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const examples: Readonly<Record<string, (player: Player) => Promise<void>>> = {
	"ai-sdk": async (player) => {
		let messages: readonly ModelMessage[] = [];
		for (const { asks } of script) {
			const asked = [...messages, { role: "user" as const, content: asks }];
			const chat = { id: "chat/1", ...scriptedAiSdk(player), messages: asked };
			({ messages } = await answerAiSdk(chat, BUDGET, folder));
		}
	},
	langchain: async (player) => {
		const { model, tools } = scriptedLangChain(player);
		let messages: readonly BaseMessage[] = [];
		for (const { asks } of script) {
			const agent = createManagedAgent(model, tools, BUDGET, folder);
			const options = { configurable: { thread_id: "chat/1" }, recursionLimit: 999 };
			({ messages } = await agent.invoke({ messages: [...messages, new HumanMessage(asks)] }, options));
		}
	},
	"openai-agents": async (player) => {
		let history: AgentInputItem[] = [];
		for (const { asks } of script) {
			history.push({ role: "user", content: asks });
			history = await answerOpenAi(scriptedAgent(player), { id: "chat/1", history }, BUDGET, folder);
		}
	},
	opencode: async (player) => {
		// The example uses nothing else of what opencode gives a plugin.
		const input = { directory: folder } as Parameters<typeof ContextWindowLifecycle>[0];
		await playTurns(script, player, () => ContextWindowLifecycle(input, { budget: BUDGET }));
	},
};

test.each(Object.entries(examples))("%s", async (host, run) => {
	const player = createPlayer(script);
	await run(player);
	const files = readdirSync(host === "opencode" ? join(folder, ".cwl") : folder);
	expect(files).toEqual([host === "opencode" ? "s.jsonl" : "chat%2F1.jsonl"]);
	const sizes = player.requests.map((request) => JSON.stringify(request).length);
	expect(Math.max(...sizes)).toBeLessThan(4 * BUDGET * 1.7);
	const path = (name: string) => new URL(`../${host}/${name}`, import.meta.url);
	expect(readFileSync(path("README.md"), "utf8")).toContain(
		`\`\`\`ts\n${readFileSync(path("example.ts"), "utf8")}\`\`\``,
	);
});
