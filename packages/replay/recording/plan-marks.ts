/** The episodes that a replay marks in a session without marks: as coarse as user turns, or as fine as runs of work. */
import { effectOf } from "#core/transcript";
import { defaultToolTable, digestArguments, type HostMessage } from "#pi";
import type { MarkedEpisode } from "./write-marks.ts";

/** A reply that makes calls. */
interface Step {
	readonly reply: number;
	/** Number of user turns before it. */
	readonly turn: number;
	readonly writes: boolean;
	/** The last two components of each file that its calls name. */
	readonly files: readonly string[];
	/** The agent's last words before it. */
	readonly said: string;
}

/** One episode for each user turn that makes calls: an act if anything was changed. Acts declare nothing. */
export function planTurns(messages: readonly HostMessage[]): readonly MarkedEpisode[] {
	const runs = groupSteps(stepsOf(messages), (step, last) => step.turn === last.turn);
	return runs.map(
		(steps, index): MarkedEpisode => ({
			name: `turn-${steps[0]?.turn}`,
			kind: steps.some(({ writes }) => writes) ? "act" : "expl",
			dependencies: [],
			...extentOf(runs, index),
		}),
	);
}

/**
 * One episode for each run of replies of a user turn that only read, or that write. An act declares the expls since the
 * act before it, and every earlier one that named a file of the act.
 */
export function planRuns(messages: readonly HostMessage[]): readonly MarkedEpisode[] {
	const isOneRun = (step: Step, last: Step) => step.turn === last.turn && step.writes === last.writes;
	const runs = groupSteps(stepsOf(messages), isOneRun);
	const expls: { readonly name: string; readonly files: ReadonlySet<string> }[] = [];
	let sinceAct = 0;
	return runs.map((steps, index): MarkedEpisode => {
		const isAct = steps[0]?.writes === true;
		const name = `run-${index + 1}`;
		const files = steps.flatMap((step) => step.files);
		const needed = expls.filter(
			(expl, place) => place >= sinceAct || files.some((file) => expl.files.has(file)),
		);
		if (isAct) sinceAct = expls.length;
		else expls.push({ name, files: new Set(files) });
		return {
			...{ name, kind: isAct ? "act" : "expl" },
			dependencies: isAct ? needed.map((expl) => expl.name) : [],
			...extentOf(runs, index),
		};
	});
}

function stepsOf(messages: readonly HostMessage[]): readonly Step[] {
	const steps: Step[] = [];
	let [turn, said] = [0, ""];
	for (const [reply, message] of messages.entries()) {
		if (message.role === "user") turn += 1;
		if (message.role !== "assistant") continue;
		const calls = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
		if (calls.length > 0) {
			const writes = calls.some((call) => effectOf(defaultToolTable, call.name, call.arguments) === "writes");
			const files = calls.flatMap((call) => digestArguments(call.arguments).paths);
			steps.push({ reply, turn, writes, files, said });
		}
		said = message.content.map((block) => (block.type === "text" ? block.text : "")).join(" ") || said;
	}
	return steps;
}

function groupSteps(
	steps: readonly Step[],
	isOneRun: (step: Step, last: Step) => boolean,
): readonly (readonly Step[])[] {
	const runs: Step[][] = [];
	for (const step of steps) {
		const run = runs.at(-1);
		const last = run?.at(-1);
		if (run && last && isOneRun(step, last)) run.push(step);
		else runs.push([step]);
	}
	return runs;
}

/** Descriptions in characters: what the agent said last, on one line. */
const MAX_DESCRIPTION_LENGTH = 200;

/** An episode ends where the next one starts; the last one stays open. */
function extentOf(
	runs: readonly (readonly Step[])[],
	index: number,
): Pick<MarkedEpisode, "first" | "end" | "description"> {
	const next = runs[index + 1]?.[0];
	const said = next?.said.replace(/\s+/g, " ").trim().slice(0, MAX_DESCRIPTION_LENGTH);
	return { first: runs[index]?.[0]?.reply ?? 0, end: next?.reply, description: said || "looked around" };
}
