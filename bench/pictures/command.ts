/** `npm run bench -- pictures DIR`: draws the pictures of README and docs from a session of the worker. */
import { join } from "node:path";
import { CwlError } from "#pi";
import { parseBudget } from "#pi/settings";
import { readSession } from "#replay/readers";
import { count, createProgress, defineBench, text } from "../bench.ts";
import { writePictures } from "./pictures.ts";
import { runWorkerSession } from "./worker-session.ts";

export const bench = defineBench({
	positionals: "DIR",
	flags: {
		tasks: count("48", "tasks of the session"),
		budget: text("auto", "its budget, in tokens or auto"),
	},
	run: async ({ values, positionals: [folder], signal }) => {
		if (folder === undefined) throw new CwlError("bad-flag", "name the folder for the pictures.");
		const show = createProgress(values.tasks, "tasks");
		const record = join(folder, "session.jsonl");
		const session = await runWorkerSession({
			tasks: values.tasks,
			budget: parseBudget(values.budget),
			record,
			signal,
			onTask: (number) => show(number - 1),
		});
		const { messages } = await readSession(record);
		await writePictures(folder, { ...session, messages, tasks: values.tasks });
		return {
			figures: { version: 1, solved: session.done, requests: session.requests.length },
			lines: () => [`${session.done} of ${values.tasks} tasks solved; the pictures are in ${folder}`],
			hasFailed: session.done < values.tasks,
		};
	},
});
