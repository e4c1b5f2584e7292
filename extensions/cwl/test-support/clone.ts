/** A copy of what the project runs from, in another place. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { PROJECT } from "./trial.ts";

/** What a clone holds before `npm install`, as far as it runs. */
export async function cloneProject(folder: string): Promise<void> {
	for (const part of ["package.json", "packages", "extensions", "prompts"]) {
		await cp(join(PROJECT, part), join(folder, part), { recursive: true });
	}
}
