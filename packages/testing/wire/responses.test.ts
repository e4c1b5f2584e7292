import { expect, test } from "vitest";
import { countTokens } from "../tokens.ts";
import { RESPONSES } from "./responses.ts";

const read = (...input: unknown[]) => RESPONSES.read({ model: "m", input }, countTokens).request;

const reasoning = (text: string) => ({ type: "reasoning", summary: [{ type: "summary_text", text }] });
const said = (text: string) => ({
	type: "message",
	role: "assistant",
	content: [{ type: "output_text", text }],
});
const call = (id: string) => ({
	type: "function_call",
	call_id: id,
	name: "read",
	arguments: '{"path":"x"}',
});

test.each([
	["text", said("one"), said("two")],
	["text after a call", call("a"), said("two")],
	["reasoning after text", said("one"), reasoning("hm")],
	["reasoning after a call", call("a"), reasoning("hm")],
])("a second response in a row begins with %s", (_name, first, second) => {
	expect(read(first, second).messages).toHaveLength(2);
});

test("instructions and developer messages make up the system prompt", () => {
	const body = { instructions: "Be brief.", input: [{ role: "developer", content: "Be kind." }] };
	const { request } = RESPONSES.read(body, countTokens);
	expect(request).toMatchObject({ system: "Be brief.\nBe kind.", messages: [] });
});

test("arguments that are no JSON read as none", () => {
	const broken = { ...call("a"), arguments: '{"path":' };
	expect(read(broken).messages).toMatchObject([{ calls: [{ arguments: {} }] }]);
});
