import { readFileSync } from "node:fs";
import { createAnthropic } from "@ai-sdk/anthropic";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { withLifecycle } from "context-window-lifecycle";

const anthropic = createAnthropic({ fetch: withLifecycle({ budget: "auto" }) });
const properties = { path: { type: "string" } };
const read = tool({
	description: "Reads a file.",
	inputSchema: jsonSchema({ type: "object", properties, required: ["path"] }),
	execute: ({ path }) => readFileSync(path, "utf8"),
});
const { text } = await generateText({
	model: anthropic("claude-opus-5-5"),
	prompt: "Read all files and say what they are.",
	tools: { read },
	stopWhen: stepCountIs(99),
});
console.log(text);
