import { readFileSync } from "node:fs";
import { withLifecycle } from "context-window-lifecycle";
import OpenAI from "openai";

const client = new OpenAI({ fetch: withLifecycle({ budget: "auto" }) });
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools = [{ type: "function", function: { name: "read", description: "Reads a file.", parameters } }];
const messages = [{ role: "user", content: "Read all files and say what they are." }];

for (;;) {
	const { choices } = await client.chat.completions.create({ model: "gpt-5-mini", tools, messages });
	const { message } = choices[0];
	messages.push(message);
	if (!message.tool_calls) break;
	for (const { id, function: called } of message.tool_calls) {
		const content = readFileSync(JSON.parse(called.arguments).path, "utf8");
		messages.push({ role: "tool", tool_call_id: id, content });
	}
}
console.log(messages.at(-1).content);
