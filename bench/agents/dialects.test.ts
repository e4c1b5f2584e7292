import { expect, test } from "vitest";
import type { ModelCall, ModelRequest, NewCall } from "#loopback";
import { type Dialect, readRequest, speakDialect } from "./dialect.ts";
import { claudeCodeDialect, codexDialect, opencodeDialect } from "./dialects.ts";

const dialects: Readonly<Record<string, Dialect>> = {
	"claude-code": claudeCodeDialect("/repo"),
	codex: codexDialect,
	opencode: opencodeDialect("/repo"),
};

const offering = (names: readonly string[], messages: ModelRequest["messages"] = []): ModelRequest => ({
	...{ system: "", messages },
	tools: names.map((name) => ({ name, description: "", parameters: {} })),
});

/** The calls that a worker sees in the request after the one in which it made them. */
function seenAgain(dialect: Dialect, calls: readonly NewCall[]): readonly NewCall[] {
	const request = offering([`${dialect.ownPrefix}recall`]);
	const reply = speakDialect(() => ({ calls }), dialect)(request);
	const made: readonly ModelCall[] = (reply.calls ?? []).map((call, n) => ({ ...call, id: `${n}` }));
	const later = offering([], [{ type: "assistant", thinking: "", text: "", calls: made }]);
	const [message] = readRequest(later, dialect).messages;
	return message?.type === "assistant"
		? message.calls.map(({ name, arguments: input }) => ({ name, arguments: input }))
		: [];
}

test.each(Object.entries(dialects))("%s: the worker knows its own calls again", (_, dialect) => {
	const calls = [
		{ name: "bash", arguments: { command: "npm test" } },
		{ name: "recall", arguments: { query: "a" } },
	];
	expect(seenAgain(dialect, calls)).toEqual(calls);
	const grep = { name: "grep", arguments: { pattern: "it's" } };
	expect(seenAgain(dialect, [grep])).toEqual([
		{ name: "bash", arguments: { command: "git grep -nE --untracked -e 'it'\\''s' || true" } },
	]);
});

test.each(["claude-code", "opencode"])(
	"%s: files are read and changed with the agent's own tools",
	(name) => {
		const dialect = dialects[name];
		if (!dialect) throw new Error(name);
		const calls = [
			{ name: "read", arguments: { path: "src/a.ts" } },
			{ name: "edit", arguments: { path: "src/a.ts", oldText: "1", newText: "2" } },
			{ name: "write", arguments: { path: "b.ts", content: "3" } },
		];
		expect(seenAgain(dialect, calls)).toEqual(calls);
	},
);

test.each([
	["claude-code", "Read", "1\tone\n2\t\ttwo\n3\t"],
	["codex", "exec_command", "Chunk ID: 1\nProcess exited with code 0\nOutput:\none\n\ttwo\n"],
	[
		"opencode",
		"read",
		"<path>/repo/a</path>\n<content>\n1: one\n2: \ttwo\n\n(End of file - total 2 lines)\n</content>",
	],
])("%s: the worker reads a file as it is, and lines of the proxy as a message", (name, tool, text) => {
	const dialect = dialects[name];
	if (!dialect) throw new Error(name);
	const line = '[expl "part 2", evicted 1k] "found"';
	const call = { id: "1", name: tool, arguments: {} };
	const request = offering(
		[],
		[
			{ type: "assistant", thinking: "", text: "", calls: [call] },
			{ type: "result", callId: "1", text: `${text}\n\n${line}`, isError: false },
		],
	);
	const [, result, lines] = readRequest(request, dialect).messages;
	expect(result).toMatchObject({ text: "one\n\ttwo\n", isError: false });
	expect(lines).toEqual({ type: "user", text: line });
});
