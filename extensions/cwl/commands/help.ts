/** `/cwl help`: what each command does; the same words describe the commands while one is typed. */
import { CwlError, nearestName } from "#pi";
import { showName } from "#workspace";
import type { Command } from "./command.ts";

export type Commands = Readonly<Record<string, Command>>;

/** Each in one line, beginning with a verb. */
const purposes: Readonly<Record<string, string>> = {
	plan: "previews the next pass and its price",
	why: "says why an episode was evicted, or stays",
	evict: "makes a pass now, or evicts one episode",
	pin: "keeps an episode in the context",
	unpin: "lets a pinned episode go again",
	undo: "takes the last pass back",
	recall: "brings evicted text back",
	release: "shortens long text that you pasted",
	goal: "sets the goal, which the model always sees",
	task: "sets the active task",
	constraint: "adds what the model must keep to",
	checkpoint: "writes what a fresh session needs to go on",
	notes: "writes episodes as Markdown, reads edits back",
	memory: "shows what earlier sessions found out",
	on: "keeps this session under its budget",
	off: "sends the whole history",
	budget: "sets the tokens that a request may hold",
	policy: "sets what a pass evicts first: cwl, lru, ...",
	settings: "shows all settings and their sources",
	health: "shows metrics and open alerts",
	report: "writes one HTML page about this session",
	doctor: "checks what could break the budget",
	json: "prints the whole state as JSON",
	help: "shows this list",
};

export function describePurpose(name: string): string {
	return purposes[name] ?? "";
}

export function createHelp(commands: Commands): Command {
	const help: Command = {
		usage: "help",
		run() {
			const all = Object.entries({ ...commands, help });
			const width = Math.max(...all.map(([, { usage }]) => usage.length));
			const rows = all.map(([name, { usage }]) => `  /cwl ${usage.padEnd(width)}  ${describePurpose(name)}`);
			return [
				`/cwl shows where the tokens are; REF is the name of an episode, or its beginning`,
				...rows,
			].join("\n");
		},
	};
	return help;
}

/** @returns CwlError `no-command` with the nearest name */
export function refuseUnknown(typed: string, commands: Commands): CwlError {
	const nearest = nearestName(typed, Object.keys(commands));
	const suggestion = nearest === undefined ? "" : ` Did you mean /cwl ${nearest}?`;
	return new CwlError(
		"no-command",
		`there is no command /cwl ${showName(typed)}.${suggestion} /cwl help lists all.`,
	);
}
