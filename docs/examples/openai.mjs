import { readFileSync } from "node:fs";
import { withLifecycle } from "context-window-lifecycle";
import OpenAI from "openai";

const client = new OpenAI({ fetch: withLifecycle({ budget: "auto" }) });
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools = [{ type: "function", name: "read", description: "Reads a file.", parameters, strict: false }];
const input = [{ role: "user", content: "Read all files and say what they are." }];
let calls = input;

while (calls.length > 0) {
	const answer = await client.responses.create({ model: "gpt-6.2-sol", store: false, tools, input });
	input.push(...answer.output);
	calls = answer.output.filter(({ type }) => type === "function_call");
	for (const { call_id, arguments: json } of calls) {
		const output = readFileSync(JSON.parse(json).path, "utf8");
		input.push({ type: "function_call_output", call_id, output });
	}
}
console.log(input.at(-1).content[0].text);
