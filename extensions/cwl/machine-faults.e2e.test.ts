import { join } from "node:path";
import { expect, test } from "vitest";
import { call, following } from "./test-support/following.ts";
import { readSessionEntries } from "./test-support/session-entries.ts";
import { PROJECT, startTrial, until } from "./test-support/trial.ts";

const support = (name: string) => join(PROJECT, "extensions", "cwl", "test-support", name);

/** Calls the tool that the prompt names. */
const caller = following((name) =>
	name === "chat" ? undefined : [{ thinking: "I call.", calls: [call(name)] }],
);

test("a tool that throws and one that never returns leave a session that a strict server accepts", async () => {
	const trial = await startTrial({ model: caller, api: "anthropic" });
	const pi = trial.rpc({ args: ["-e", support("coexistence/failing-tools.ts")] });
	await pi.prompt("throws");
	expect(trial.requests.at(-1)?.messages.at(-1)).toMatchObject({ type: "result", isError: true });
	void pi.prompt("hangs");
	await until(() =>
		pi.events.some(({ type, toolName }) => type === "tool_execution_start" && toolName === "hangs"),
	);
	await pi.send({ type: "abort" });
	await pi.prompt("chat");
	expect(JSON.stringify(trial.requests.at(-1)?.messages)).toContain("the tool is broken");
	expect(pi.said("error")).toEqual([]);
	const session = await readSessionEntries(await pi.file());
	expect(session.branch).toEqual(session.entries);
});
