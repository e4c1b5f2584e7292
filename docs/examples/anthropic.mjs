import { readFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";
import { withLifecycle } from "context-window-lifecycle";

const client = new Anthropic({ fetch: withLifecycle({ budget: "auto" }) });
const input_schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools = [{ name: "read", description: "Reads a file.", input_schema }];
const messages = [{ role: "user", content: "Read all files and say what they are." }];

for (;;) {
	const stream = client.messages.stream({ model: "claude-opus-5-5", max_tokens: 8_000, tools, messages });
	const { content } = await stream.finalMessage();
	messages.push({ role: "assistant", content });
	const calls = content.filter(({ type }) => type === "tool_use");
	if (calls.length === 0) break;
	const read = ({ id, input }) => ({
		type: "tool_result",
		tool_use_id: id,
		content: readFileSync(input.path, "utf8"),
	});
	messages.push({ role: "user", content: calls.map(read) });
}
console.log(messages.at(-1).content.at(-1).text);
