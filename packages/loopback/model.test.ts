import { expect, test } from "vitest";
import type { ModelMessage, ModelRequest } from "./model.ts";
import { echo, playlist, scripted } from "./model.ts";

const user = (text: string): ModelMessage => ({ type: "user", text });
const assistant: ModelMessage = { type: "assistant", thinking: "", text: "x", calls: [] };
const request = (...messages: ModelMessage[]): ModelRequest => ({ system: "", tools: [], messages });

const ONE = { text: "one" };
const TWO = { text: "two" };

test("echo repeats the last user text", () => {
	expect(echo(request(user("a"), assistant, user("b"), assistant))).toEqual({ text: "b" });
});

test("a script plays by the assistant messages it can see, whatever was asked before", () => {
	const model = scripted([ONE, TWO]);
	expect(model(request(user("a"), assistant))).toBe(TWO);
	expect(model(request(user("a")))).toBe(ONE);
});

test("a script says done after its last reply", () => {
	expect(scripted([ONE])(request(user("a"), assistant))).toEqual({ text: "done" });
});

test("a playlist starts again after its last reply", () => {
	const model = playlist([ONE, TWO]);
	expect(model(request(user("a"), assistant, assistant))).toBe(ONE);
	expect(model(request(user("a"), assistant, assistant, assistant))).toBe(TWO);
});
