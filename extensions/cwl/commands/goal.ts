/** `/cwl goal`: the goal and constraints of this session, outside of its history. */

import { CwlError, contentText, MAX_GOAL_LENGTH, readValue, userContent } from "#pi";
import { inOneLine } from "../notice.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command, Context } from "./command.ts";

const words = ["first", "done", "none"];

export function createGoal(runtime: Runtime): Command {
	const set = (ctx: Context, text: string) => {
		// A goal that is set once more is wanted once more.
		runtime.settings.steer(ctx, { goal: readValue("goal", text), doneGoal: "" });
		const start = summarize(text);
		return inOneLine(
			`the goal is set and stays in sight until /cwl goal done: ${start}`,
			`the goal is set: ${start}`,
		);
	};
	return {
		usage: "goal TEXT|first|done|none",
		values: () => words,
		run(value, ctx) {
			const goal = runtime.settings.goal();
			switch (value) {
				case "":
					if (!goal) return "no goal is set: /cwl goal TEXT, or /cwl goal first for your first message.";
					return `the goal is ${goal.isDone ? "done" : "in force"}: ${goal.text}`;
				case "first":
					return set(ctx, firstTurn(ctx));
				case "none":
					runtime.settings.steer(ctx, { goal: "" });
					return "no goal is in force.";
				case "done":
					if (!goal) throw new CwlError("no-goal", "no goal is set that could be done.");
					runtime.settings.steer(ctx, { doneGoal: goal.text });
					return "the goal is done and no longer urged.";
				default:
					return set(ctx, value);
			}
		},
	};
}

/** @throws CwlError before the first user turn */
function firstTurn({ sessionManager }: Context): string {
	for (const entry of sessionManager.getBranch()) {
		const turn = entry.type === "message" ? userContent(entry.message) : undefined;
		if (turn === undefined) continue;
		const text = contentText(turn).trim();
		if (text.length <= MAX_GOAL_LENGTH) return text;
		const rest = " ... (the first user turn goes on)";
		return text.slice(0, MAX_GOAL_LENGTH - rest.length) + rest;
	}
	throw new CwlError("no-turn", "there is no user turn yet to take the goal from: use /cwl goal TEXT.");
}

function summarize(text: string): string {
	const line = text.trim().replace(/\s+/g, " ");
	return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
