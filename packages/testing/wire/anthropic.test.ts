import { expect, test } from "vitest";
import { totalTokens } from "../prompt-cache.ts";
import { countTokens } from "../tokens.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { MESSAGE_FRAMING } from "./api.ts";

const read = (body: object) => ANTHROPIC.read({ model: "m", ...body }, countTokens);
const text = (said: string) => ({ type: "text", text: said });

test("a user message with results and text reads as the results, then the text", () => {
	const content = [
		{ type: "tool_result", tool_use_id: "a", content: "fine" },
		{ type: "tool_result", tool_use_id: "b", content: [text("no"), text("such file")], is_error: true },
		text("go on"),
	];
	expect(read({ messages: [{ role: "user", content }] }).request.messages).toEqual([
		{ type: "result", callId: "a", text: "fine", isError: false },
		{ type: "result", callId: "b", text: "no\nsuch file", isError: true },
		{ type: "user", text: "go on" },
	]);
});

test("equal blocks differ by role and by the place in their message", () => {
	const { segments } = read({
		messages: [
			{ role: "user", content: [text("hi"), text("hi")] },
			{ role: "assistant", content: [text("hi")] },
		],
	});
	expect(new Set(segments.map(({ bytes }) => bytes)).size).toBe(3);
	const [first = 0, second = 0, third] = segments.map(({ tokens }) => tokens);
	expect([first - second, third]).toEqual([MESSAGE_FRAMING, first]);
});

test("breakpoints live five minutes, or an hour when they ask for it", () => {
	const marked = (more: object) => ({ ...text("x"), cache_control: { type: "ephemeral", ...more } });
	const { breakpoints } = read({
		tools: [{ name: "t" }],
		system: [marked({})],
		messages: [{ role: "user", content: [text("x"), marked({ ttl: "1h" })] }],
	});
	expect(breakpoints).toEqual([
		{ position: 1, lifetime: 5 * 60_000 },
		{ position: 3, lifetime: 60 * 60_000 },
	]);
});

test("an image costs tokens whatever its bytes", () => {
	const image = (data: string) =>
		totalTokens(
			read({ messages: [{ role: "user", content: [{ type: "image", source: { data } }] }] }).segments,
		);
	expect(image("x")).toBeGreaterThan(100);
	expect(image("x".repeat(5000))).toBe(image("x"));
});

test("a system message reaches the scripted model, with the tools that it adds and removes", () => {
	const definition = { name: "grep", description: "Searches", input_schema: {} };
	const content = [
		text("Search instead."),
		{ type: "tool_removal", tool: { type: "tool_reference", name: "read" } },
		{ type: "tool_addition", tool: { type: "tool_definition", definition } },
	];
	const messages = [
		{ role: "user", content: "Hi." },
		{ role: "system", content },
	];
	expect(read({ tools: [{ name: "read" }], messages }).request).toMatchObject({
		tools: [{ name: "grep" }],
		messages: [{ type: "user" }, { type: "system", text: "Search instead." }],
	});
});
