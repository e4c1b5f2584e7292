import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOOPBACK_PROVIDER, type ModelReply, type ModelRequest } from "#loopback";
import { readState } from "./test-support/state.ts";
import { keepsSystemMessages, PROJECT, startTrial } from "./test-support/trial.ts";

const MODEL = ["--model", `${LOOPBACK_PROVIDER}/claude-opus-5-5`];
const TOOLS_COMMAND = ["-e", join(PROJECT, "extensions", "cwl", "test-support", "tools-command.ts")];

interface Body {
	readonly system: unknown;
	readonly tools: unknown;
	readonly messages: readonly {
		readonly role: string;
		readonly content: readonly { readonly type: string }[];
	}[];
}

/** Reads a file of its own in each turn. */
function reader({ messages }: ModelRequest): ModelReply {
	const asked = messages.findLastIndex(({ type, text }) => type === "user" && text.startsWith("turn "));
	if (messages.slice(asked).some(({ type }) => type === "result")) return { text: "read it" };
	const path = `${messages[asked]?.text ?? ""}.txt`;
	return { thinking: "I should read it.", calls: [{ name: "read", arguments: { path } }] };
}

test.runIf(keepsSystemMessages)(
	"a tool that leaves in the middle changes neither prompt nor tools in front, and no pass moves the message that says so",
	async () => {
		const trial = await startTrial({ model: reader, models: ["claude-opus-5-5"] });
		const text = "some text of the file\n".repeat(400);
		for (let turn = 0; turn < 8; turn += 1) await writeFile(join(trial.work, `turn ${turn}.txt`), text);
		const pi = trial.rpc({ args: [...MODEL, ...TOOLS_COMMAND], environment: { CWL_BUDGET: "10k" } });
		for (let turn = 0; turn < 3; turn += 1) await pi.prompt(`turn ${turn}`);
		await pi.command("/drop-tool write");
		for (let turn = 3; turn < 8; turn += 1) await pi.prompt(`turn ${turn}`);
		expect((await readState(pi)).passes.length).toBeGreaterThan(0);

		const bodies = trial.bodies().map((body): Body => JSON.parse(body));
		const [first] = bodies;
		for (const { system, tools } of bodies) {
			expect(system).toEqual(first?.system);
			expect(tools).toEqual(first?.tools);
		}
		const removals = bodies.map(({ messages }) =>
			messages.filter(({ role, content }) => role === "system" && content.some(isRemoval)),
		);
		expect(removals.slice(0, 6).flat()).toEqual([]);
		for (const found of removals.slice(6)) expect(found).toHaveLength(1);
		expect(trial.loopback.records().filter(({ refused }) => refused)).toEqual([]);
	},
	120_000,
);

const isRemoval = ({ type }: { readonly type: string }) => type === "tool_removal";
