import { expect, test } from "vitest";
import { fieldsOf } from "#basics";
import { type ModelRequest, scripted } from "#testing";
import { end, read, start } from "./test-support/following.ts";
import { startTrial } from "./test-support/trial.ts";

const look = read("a.txt");
const session = scripted([
	{ calls: [start("look", "expl"), look] },
	{ calls: [end("a.txt holds the text"), start("change", "act", { dependencies: ["look"] }), look] },
	{ calls: [start("more", "act", { dependencies: ["nowhere"] }), look] },
	{ calls: [end()] },
	{ text: "all done" },
]);

test("a name of before a compaction stays that of one episode: it is refused for another", async () => {
	const calls = [start("look", "expl"), look];
	const replies = [{ calls }, { calls: [end("a.txt")] }, { text: "done" }, { calls }];
	const trial = await startTrial({
		model: ({ tools }) => (tools.length > 0 && replies.shift()) || { text: "ok" },
		api: "anthropic",
		files: { "a.txt": "the text\n".repeat(500) },
		settings: { compaction: { keepRecentTokens: 100 } },
	});
	const pi = trial.rpc();
	await pi.prompt("go");
	await pi.send({ type: "compact" });
	await pi.prompt("again");
	const [refused] = trial.requests.map(lastResults).at(-1) ?? [];
	expect(refused).toEqual({
		text: 'an episode named "look" exists: choose a name not used before.',
		isError: true,
	});
});

/** The results that answer the last message of calls. */
function lastResults({ messages }: ModelRequest) {
	const results = messages.slice(messages.findLastIndex(({ type }) => type === "assistant") + 1);
	return results.flatMap((result) =>
		result.type === "result" ? [{ text: result.text, isError: result.isError }] : [],
	);
}

test("end, start and read work in one message, a refused call says how to mend it, and JSON mode has the decision of each call", async () => {
	const trial = await startTrial({ model: session, api: "anthropic", files: { "a.txt": "the text" } });
	const { code, stdout } = await trial.run(["--mode", "json", "go"]);
	expect(code).toBe(0);
	const [, opened, switched, refused, ended] = trial.requests.map(lastResults);
	expect(opened).toMatchObject([{ text: 'started expl "look"' }, { text: "the text" }]);
	expect(switched?.map(({ text }) => text)).toEqual([
		'ended expl "look"',
		'started act "change"',
		"the text",
	]);
	expect(refused).toEqual([
		{ text: 'no episode named "nowhere"; closed expl: "look".', isError: true },
		{ text: "the text", isError: false },
	]);
	expect(ended).toMatchObject([{ text: 'ended act "change"', isError: false }]);

	const events = stdout
		.trimEnd()
		.split("\n")
		.map((line) => fieldsOf(JSON.parse(line)));
	const ends = events.filter(
		({ type, toolName }) => type === "tool_execution_end" && toolName === "delimiter",
	);
	expect(ends.map(({ isError, result }) => (isError ? "refused" : fieldsOf(result).details))).toEqual([
		{ type: "start", name: "look", kind: "expl" },
		{ type: "end", description: "a.txt holds the text" },
		{ type: "start", name: "change", kind: "act", dependencies: ["look"] },
		"refused",
		{ type: "end" },
	]);
	// Hosts from 0.80 on tell of their own work after the run, too.
	expect(events.findLast(({ type }) => type !== "agent_settled")?.type).toBe("agent_end");
});
