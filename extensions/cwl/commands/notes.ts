/** `/cwl notes`: the session's memory as a file that a person can read and edit, there and back. */
import { CwlError, describeEdits, notesPath, readNotes, updateNotes, writeNotes } from "#pi";
import type { Runtime } from "../state/runtime.ts";
import type { Command } from "./command.ts";

export function createNotes(runtime: Runtime): Command {
	return {
		usage: "notes",
		async run(_value, ctx) {
			const file = ctx.sessionManager.getSessionFile();
			if (!file)
				throw new CwlError("no-file", "this session is kept in memory only: notes need a session file.");
			const path = notesPath(file);
			const { input } = await runtime.session.planning(ctx);
			const session = ctx.sessionManager.getSessionId();
			const text = await readNotes(path);
			const update = updateNotes({ input, goal: runtime.settings.goal(), session, cwd: ctx.cwd, text });
			const { goal, descriptions, pass } = update;
			// Taken before the file is written anew: an edit is in one place or the other, whatever happens.
			if (goal !== undefined) runtime.settings.steer(ctx, { goal, doneGoal: "" });
			if (descriptions.size > 0)
				runtime.decisions.describe(ctx, await runtime.session.managed(), descriptions, pass);
			await writeNotes(path, update.text);
			return describeEdits(update, path);
		},
	};
}
