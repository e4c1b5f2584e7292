/** The facts that were given so far and that no file holds: the basis of the questions about them. */

import type { Random } from "../random.ts";
import type { Draft } from "../task-generators.ts";
import { freshName } from "../task-generators.ts";
import type { World } from "../world.ts";
import type { Deployment } from "./deployment.ts";

export interface Told {
	readonly subject: string;
	readonly first: string;
	latest: string;
	/** True once a question about its first code is planned. */
	asksFirst: boolean;
}

export interface MemoryWorld extends World {
	readonly told: Told[];
	/** In their order. */
	readonly deployments: Deployment[];
	/** Draws the number of tasks between a fact and a question about it. */
	readonly distance: () => number;
}

/** A task about an earlier fact. */
export interface Question {
	/** Tasks between the fact and the question. */
	readonly distance: number;
	/** Called when the question is due; undefined if it has become pointless. */
	readonly draft: () => MemoryDraft | undefined;
}

export interface MemoryDraft extends Draft {
	/** Writes outside of the work tree what the task needs; called before its turn. */
	readonly prepare?: (directory: string) => Promise<void>;
	/** Does the task where no edit of a file does. */
	readonly solve?: (directory: string) => Promise<void>;
	/** The tasks that this one makes possible. */
	readonly questions?: readonly Question[];
}

/** A new file under notes/. */
export function newNotes(random: Random, world: World): string {
	const path = freshName(world, () => `notes/entry-${random.between(100, 999)}`);
	world.taken.add(path);
	return `${path}.md`;
}
