/** A copy of what the project runs from, in another place. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT } from "./trial.ts";

/** The files of a clone before `npm install` that running it needs. */
export async function cloneProject(folder: string): Promise<void> {
	for (const part of ["package.json", "packages", "extensions", "prompts"]) {
		await cp(join(PROJECT, part), join(folder, part), { recursive: true });
	}
}
