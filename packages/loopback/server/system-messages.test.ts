import { describe, expect, test } from "vitest";
import { type Fields, objectsOf } from "../json.ts";
import { answerRead, connect } from "../test-support/anthropic-client.ts";
import { EMPTY, edit, messageAt, say, text, user } from "../test-support/thinking-session.ts";

describe("system messages inside the conversation", () => {
	const note: Fields = { role: "system", content: [text("Be brief.")] };
	const effort: Fields = { role: "system", content: [], output_config: { effort: "high" } };

	test("are accepted by newer models only, and an empty one when it sets the effort", async () => {
		const client = await connect();
		const body = (model: string, message: Fields) => say({ ...EMPTY, model }, user(text("Hi.")), message);
		expect((await client.send(body("claude-opus-5-5", note))).status).toBe(200);
		expect((await client.send(body("claude-opus-5-5", effort))).status).toBe(200);
		expect((await client.send(body("claude-sonnet-5", note))).status).toBe(400);
		expect((await client.send(body("claude-opus-5-5", { role: "system", content: [] }))).status).toBe(400);
	});

	test("may not stand between a tool use and its result", async () => {
		const client = await connect();
		const answered = answerRead(await client.ask(say(EMPTY, user(text("Fix it.")))));
		const between = edit(answered, 2, note, messageAt(answered, 2));
		expect((await client.send(between)).status).toBe(400);
		expect((await client.send(say(answered, note))).status).toBe(200);
	});

	test("are part of the prefix", async () => {
		const client = await connect();
		const done = await client.ask(answerRead(await client.ask(say(EMPTY, user(text("Fix it."))))));
		const session = say(await client.ask(say(done, user(text("More.")), effort)), user(text("Thanks.")));
		const reads = answerRead({ ...session, messages: objectsOf(session.messages).slice(0, -1) });
		expect((await client.send(reads)).status).toBe(200);
		expect((await client.send(edit(reads, 5))).status).toBe(400);
	});

	test("reach the scripted model, with the tools that they add and remove", async () => {
		let seen: unknown;
		const client = await connect({
			model: (request) => {
				seen = request;
				return { text: "ok" };
			},
		});
		const definition = { name: "grep", description: "Searches", input_schema: {} };
		const change: Fields = {
			role: "system",
			content: [
				text("Search instead."),
				{ type: "tool_removal", tool: { type: "tool_reference", name: "read" } },
				{ type: "tool_addition", tool: { type: "tool_definition", definition } },
			],
		};
		await client.ask(say(EMPTY, user(text("Hi.")), change));
		expect(seen).toMatchObject({
			tools: [{ name: "grep" }],
			messages: [{ type: "user" }, { type: "system", text: "Search instead." }],
		});
	});
});
