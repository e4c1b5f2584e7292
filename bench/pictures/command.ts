/** `npm run bench -- pictures DIR SESSION`: draws the pictures of README and docs from a session file of pi. */
import { CwlError } from "#pi";
import { readSession } from "#replay/readers";
import { makeReport } from "#replay/session-report";
import { defineBench, text } from "../bench.ts";
import { writePictures } from "./pictures.ts";
import { readResumedState } from "./resumed-state.ts";

export const bench = defineBench({
	positionals: "DIR SESSION",
	flags: { budget: text("auto", "the budget of the panel, in tokens or auto") },
	notes:
		"`npm run bench -- live --rehearse --source normal --arms cwl@auto --tasks 48` makes one: live-run/cwl-auto/sessions/*.jsonl.",
	async run({ values: { budget }, positionals: [folder, file] }) {
		if (folder === undefined || file === undefined)
			throw new CwlError("bad-flag", "name the folder for the pictures, and a session file.");
		const { messages, cwd = "." } = await readSession(file);
		const { costs } = await makeReport(file, { isRedacted: false });
		const sizesOf = (kind: string) => costs.arms.find((arm) => arm.kind === kind)?.sizes ?? [];
		const contexts = { cwl: sizesOf("session"), compaction: sizesOf("compaction"), none: sizesOf("none") };
		const state = await readResumedState(file, cwd, budget);
		const tasks = messages.filter(({ role }) => role === "user").length;
		await writePictures(folder, { state, messages, contexts, tasks });
		return {
			figures: { version: 2, tasks, requests: contexts.cwl.length },
			lines: () => [`the pictures of ${tasks} tasks are in ${folder}`],
		};
	},
});
