/** `/cwl checkpoint`: writes what a fresh session needs to go on from this one, as JSON and as Markdown. */
import { CwlError, checkpointPaths, countOf, saveCheckpoint } from "#pi";
import { checkpointOf } from "../checkpoint.ts";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createCheckpoint(runtime: Runtime): Command {
	return {
		usage: "checkpoint",
		async run(_value, ctx) {
			const file = ctx.sessionManager.getSessionFile();
			if (!file) {
				throw new CwlError(
					"no-file",
					"this session is kept in memory only: a checkpoint needs a session file.",
				);
			}
			const checkpoint = await checkpointOf(runtime, ctx);
			if (!checkpoint)
				throw new CwlError("no-turn", "nothing has been said yet that a checkpoint could hold.");
			const paths = checkpointPaths(file);
			await saveCheckpoint(paths, checkpoint);
			const { done, doneBefore, todo, artifacts } = checkpoint;
			const finished = countOf(done.length + doneBefore, "finished episode");
			const what = `${finished}, ${todo.length} to do, ${countOf(Object.keys(artifacts).length, "file")}`;
			return `the checkpoint is in ${paths.json}: ${what}. \`cwl resume --soft\` starts from it.`;
		},
	};
}
