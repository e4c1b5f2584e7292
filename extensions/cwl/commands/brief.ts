/** `/cwl brief`: goal, task and constraints of this session, outside of its history, and the file that holds them. */
import { showName } from "#basics";
import { refusal } from "#pi";
import {
	addConstraint,
	constraintLines,
	describeBriefUpdate,
	MAX_GOAL_LENGTH,
	readStateText,
} from "#pi/brief";
import { contentText, messagesOf, userContent } from "#pi/codec";
import { readValue } from "#pi/settings";
import { saveBrief, syncBrief } from "../brief.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command, Context } from "./command.ts";

/** A part of the brief that a person sets. A change answers with what is in force then. */
interface Part {
	describe(settings: Runtime["settings"]): string;
	change(runtime: Runtime, ctx: Context, value: string): void | Promise<void>;
}

const parts: Readonly<Record<string, Part>> = {
	goal: {
		describe(settings) {
			const goal = settings.goal();
			if (!goal)
				return "no goal is set: /cwl brief goal TEXT, or /cwl brief goal first for your first message.";
			return goal.isDone
				? `the goal is done, and the model is no longer reminded of it: ${goal.text}`
				: `the model sees the goal until /cwl brief goal done: ${goal.text}`;
		},
		change: changeGoal,
	},
	task: {
		describe(settings) {
			const { task } = settings.state();
			return task === "" ? "no task is set: /cwl brief task TEXT." : `the active task is: ${task}`;
		},
		async change(runtime, ctx, value) {
			const task = value === "none" ? "" : readStateText("task", value);
			runtime.settings.steer(ctx, { task });
			if (task === "") await saveBrief(runtime, ctx, "end of the task");
		},
	},
	constraint: {
		describe(settings) {
			const all = constraintLines(settings.state());
			if (all.length === 0) return "no constraints are set: /cwl brief constraint TEXT adds one.";
			return ["constraints, until /cwl brief constraint none:", ...all.map((line) => `  ${line}`)].join("\n");
		},
		change({ settings }, ctx, value) {
			const none = value === "none";
			const constraints = none ? [] : addConstraint(settings.state().constraints, value);
			settings.steer(ctx, { constraints, ...(none && { notedConstraints: [] }) });
		},
	},
};

export function createBrief(runtime: Runtime): Command {
	return {
		usage: "brief [goal|task|constraint|sync]",
		purpose: "sets what the model always sees; sync: its file",
		values: [
			"goal",
			"goal first",
			"goal done",
			"goal none",
			"task",
			"task none",
			"constraint",
			"constraint none",
			"sync",
		],
		async run(value, ctx) {
			if (value === "")
				return Object.values(parts)
					.map((part) => part.describe(runtime.settings))
					.join("\n");
			if (value === "sync") {
				const { update, path } = await syncBrief(runtime, ctx, "by command");
				return describeBriefUpdate(update, path);
			}
			const [, name = "", text = ""] = /^(\S*)\s*([\s\S]*)$/.exec(value) ?? [];
			const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
			if (!part) {
				const use = "use /cwl brief, or goal, task or constraint with a text, or sync";
				throw refusal(`/cwl brief ${showName(value)}: ${use}.`);
			}
			if (text !== "") await part.change(runtime, ctx, text);
			return part.describe(runtime.settings);
		},
	};
}

async function changeGoal(runtime: Runtime, ctx: Context, value: string) {
	const { settings } = runtime;
	if (value === "done") {
		const goal = settings.goal();
		if (!goal) throw refusal("no goal is set that could be done.");
		settings.steer(ctx, { doneGoal: goal.text });
		await saveBrief(runtime, ctx, "end of the goal");
	} else if (value === "none") settings.steer(ctx, { goal: "" });
	else {
		const text = value === "first" ? firstTurn(ctx) : value;
		// A goal that is set once more is wanted once more.
		settings.steer(ctx, { goal: readValue("goal", text), doneGoal: "" });
	}
}

/** @throws CwlError before the first user turn */
function firstTurn({ sessionManager }: Context): string {
	const turns = messagesOf(sessionManager.getBranch()).map(userContent);
	const turn = turns.find((content) => content !== undefined);
	if (turn === undefined)
		throw refusal("there is no user turn yet to take the goal from: use /cwl brief goal TEXT.");
	const text = contentText(turn).trim();
	const rest = " ... (the first user turn continues)";
	return text.length <= MAX_GOAL_LENGTH ? text : text.slice(0, MAX_GOAL_LENGTH - rest.length) + rest;
}
