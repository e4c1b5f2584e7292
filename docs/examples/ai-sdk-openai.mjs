import { readFileSync } from "node:fs";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { withLifecycle } from "context-window-lifecycle";

const openai = createOpenAI({ fetch: withLifecycle({ budget: "auto" }) });
const properties = { path: { type: "string" } };
const read = tool({
	description: "Reads a file.",
	inputSchema: jsonSchema({ type: "object", properties, required: ["path"] }),
	execute: ({ path }) => readFileSync(path, "utf8"),
});
const { text } = await generateText({
	model: openai("gpt-6.2-sol"),
	prompt: "Read all files and say what they are.",
	tools: { read },
	stopWhen: stepCountIs(99),
	providerOptions: { openai: { store: false } },
});
console.log(text);
