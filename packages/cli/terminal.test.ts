import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { scripted } from "#testing";
import { call, end, read, start } from "../../extensions/cwl/test-support/following.ts";
import { CWL, startTrial, type Trial } from "../../extensions/cwl/test-support/trial.ts";

const run = promisify(execFile);

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface Terminal {
	type(text: string): Promise<void>;
	press(key: string): Promise<void>;
	screen(): Promise<string>;
	/** Wait until the screen shows something; a failure shows the screen. */
	shows(what: RegExp): Promise<void>;
}

/** Starts `cwl` in a terminal of 40 rows, in its own tmux server. */
async function startTerminal(trial: Trial, columns = 100): Promise<Terminal> {
	const socket = join(trial.directory, "tmux");
	const env = { ...trial.environment() };
	const tmux = async (...args: readonly string[]) =>
		(await run("tmux", ["-S", socket, ...args], { env })).stdout;
	const command = `${CWL.map((part) => `'${part}'`).join(" ")}; echo "cwl ended with $?"`;
	await writeFile(join(trial.directory, "tmux.conf"), "set -g remain-on-exit on\nset -g status off\n");
	const config = join(trial.directory, "tmux.conf");
	const size = ["-x", String(columns), "-y", "40"];
	await tmux("-f", config, "new-session", "-d", ...size, "-c", trial.work, command);
	onTestFinished(async () => void (await tmux("kill-server")));
	const screen = () => tmux("capture-pane", "-p");
	return {
		type: async (text) => void (await tmux("send-keys", "-l", text)),
		press: async (key) => void (await tmux("send-keys", key)),
		screen,
		shows: (what) => expect.poll(screen).toMatch(what),
	};
}

/** A terminal in which the agent has read a note of two words in an episode that is still open. */
async function startAsked(...later: Parameters<typeof scripted>[0]) {
	const model = scripted([
		{ calls: [start("look", "expl"), read("note.txt")] },
		{ text: "The note says 42." },
		...later,
	]);
	const trial = await startTrial({ model, files: { "note.txt": "forty-two\n" } });
	const terminal = await startTerminal(trial);
	await terminal.shows(/cwl -\/160k/);
	await terminal.type("What does the note say?");
	await terminal.press("Enter");
	await terminal.shows(/The note says 42\./);
	return { trial, terminal };
}

async function openPanel(terminal: Terminal) {
	await terminal.type("/cwl");
	await terminal.press("Enter");
	await terminal.shows(/╭─ Context Window Lifecycle ─/);
}

describe.skipIf(!hasTmux)("in a terminal", () => {
	test("/cwl is completed with its purpose and opens the panel, which q closes", async () => {
		const { terminal } = await startAsked();
		await terminal.type("/cwl");
		await terminal.shows(/shows where the tokens are; \/cwl help lists all/);
		await terminal.press("Enter");
		await terminal.shows(/╭─ Context Window Lifecycle ─+ 1 episode · 0 passes · policy cwl ─╮/);
		await terminal.shows(/▸ ████ expl look +open +\d+/);
		await terminal.press("Enter");
		await terminal.shows(/learned +The note says 42\./);
		await terminal.type("q");
		await expect.poll(terminal.screen).not.toContain("╰─ ↑↓ move");
	});

	test("a ! command of the user is in the footer once it has ended", async () => {
		const { terminal } = await startAsked();
		await terminal.type("!seq 1 3000");
		await terminal.press("Enter");
		await terminal.shows(/cwl ~?[5-9](\.\d)?k\/160k/);
	});

	test("keys of the panel pin, unpin and recall an episode, and filter the list", async () => {
		const { terminal } = await startAsked();
		await openPanel(terminal);
		await terminal.type("p");
		await terminal.shows(/» look is pinned/);
		await terminal.shows(/expl look +pinned +\d+/);
		await terminal.type("p");
		await terminal.shows(/» look is no longer pinned/);
		await terminal.type("r");
		await terminal.shows(/» look is still in the context: the model sees it already/);
		await terminal.type("/zebra");
		await terminal.shows(/Episodes 0 \/zebra/);
		await terminal.press("Escape");
		await terminal.shows(/Episodes 1 ─/);
	});

	test("what a key of the panel changes is in the footer at once", async () => {
		const { terminal } = await startAsked(
			{ calls: [end("42"), start("count", "expl"), call("bash", { command: "seq 1 3000" })] },
			{ calls: [end("3000 lines")] },
			{ text: "Counted." },
			{ text: "You are welcome." },
		);
		for (const [prompt, answer] of [
			["Count.", /Counted\./],
			["Thank you.", /You are welcome\./],
			["/cwl evict count", /\ncwl ~?[12](\.\d)?k\/160k/],
		] as const) {
			await terminal.type(prompt);
			await terminal.press("Enter");
			await terminal.shows(answer);
		}
		await openPanel(terminal);
		await terminal.type("r");
		await terminal.shows(/» /);
		await terminal.type("q");
		await terminal.shows(/\ncwl ~?[4-6](\.\d)?k\/160k/);
	});

	test("the panel follows the agent while it works, up to the answer that ends the run", async () => {
		const wait = start("wait", "act", { dependencies: ["look"] });
		// A pipe is read once somebody writes to it.
		const { trial, terminal } = await startAsked(
			{ calls: [end("42"), wait] },
			{ calls: [call("bash", { command: "mkfifo gate && cat gate" })] },
			{ text: `${"word ".repeat(400)}I have waited.` },
		);
		await terminal.type("Wait for a while.");
		await terminal.press("Enter");
		const gate = join(trial.work, "gate");
		await expect.poll(() => existsSync(gate)).toBe(true);
		await openPanel(terminal);
		await terminal.shows(/act +wait ← look/);
		await writeFile(gate, "open\n");
		// No request follows this answer.
		await terminal.shows(/act +wait ← look +open +[4-9]\d\d/);
		await terminal.type("q");
		await terminal.shows(/I have waited\./);
	});

	test("/cwl off is on the screen and in the footer, and the agent ends with code 0", async () => {
		const { terminal } = await startAsked();
		await terminal.type("/cwl off");
		await terminal.shows(/^\/cwl off\s+─+$/m);
		await terminal.press("Enter");
		await terminal.shows(/\ncwl off/);
		await terminal.press("C-d");
		await terminal.shows(/^cwl ended with 0$/m);
	});
});
