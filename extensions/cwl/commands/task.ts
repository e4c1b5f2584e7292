/** `/cwl task` and `/cwl constraint`: what the session is doing and what it must keep to, outside of its history. */
import { addConstraint, readStateText } from "#pi";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createTask({ settings }: Runtime): Command {
	return {
		usage: "task TEXT|none",
		values: () => ["none"],
		run(value, ctx) {
			const { task } = settings.state();
			if (value === "")
				return task === "" ? "no task is set: /cwl task TEXT." : `the active task is: ${task}`;
			const text = value === "none" ? "" : readStateText("task", value);
			settings.steer(ctx, { task: text });
			return text === "" ? "no task is set." : `the active task is set and stays in sight: ${text}`;
		},
	};
}

export function createConstraint({ settings }: Runtime): Command {
	return {
		usage: "constraint TEXT|none",
		values: () => ["none"],
		run(value, ctx) {
			const { constraints, notedConstraints } = settings.state();
			if (value === "none") {
				settings.steer(ctx, { constraints: [], notedConstraints: [] });
				return "no constraints are in force.";
			}
			if (value !== "") {
				const added = addConstraint(settings.state(), value);
				settings.steer(ctx, { constraints: added });
				return `the constraint stays in sight, ${added.length} in all; /cwl constraint none takes them back.`;
			}
			const all = [...constraints, ...notedConstraints.map((line) => `${line} (noted by the agent)`)];
			if (all.length === 0) return "no constraints are set: /cwl constraint TEXT adds one.";
			return ["constraints:", ...all.map((line) => `  ${line}`)].join("\n");
		},
	};
}
