/** The repository as it will be when the tasks drawn so far are done: the ground for the next one. */
import type { ReadFile, Solve } from "./checks.ts";
import { type Files, findLandmarks, type Landmark, type Landmarks, mentionsOf } from "./landmarks.ts";

/** A constant that an earlier task brings in; its name is the worker's choice. */
export interface Introduced {
	readonly description: string;
	readonly path: string;
	value: number;
	/** The task that brought it in. */
	readonly task: number;
}

/** A function whose comparison is wrong until a task mends it. */
export interface Mended {
	readonly name: string;
	readonly path: string;
	readonly wrong: string;
	readonly right: string;
	/** The task that changed it last. */
	task: number;
	isMended: boolean;
}

export interface Renamed {
	/** The name that a person would remember. */
	readonly old: string;
	/** The name now, and the file that declares it. */
	mark: Landmark;
	readonly task: number;
}

export interface World {
	readonly landmarks: Landmarks;
	/** Text by path. */
	readonly files: Map<string, string>;
	/** Changes to the very first state: the bugs that tasks will ask to mend. */
	readonly planted: Map<string, string>;
	readonly introduced: Introduced[];
	readonly mended: Mended[];
	readonly renamed: Renamed[];
	/** Names that a task has used up: nothing else may happen to them. */
	readonly used: Set<string>;
	/** Names, options and descriptions that were given out. */
	readonly taken: Set<string>;
}

/** `loadable`: which modules can be required on their own. */
export function createWorld(files: Files, loadable: (path: string) => boolean): World {
	const landmarks = findLandmarks(files);
	return {
		landmarks: { ...landmarks, modules: landmarks.modules.filter(loadable) },
		files: new Map(files),
		planted: new Map(),
		introduced: [],
		mended: [],
		renamed: [],
		used: new Set(),
		taken: new Set(),
	};
}

const readWorld =
	({ files }: World): ReadFile =>
	(path) =>
		files.get(path) ?? "";

/** Bring the world up to a task that is done. */
export function applySolution(world: World, solve: Solve): void {
	for (const [path, text] of solve(readWorld(world))) world.files.set(path, text);
}

/** Have it so from the beginning. */
export function plant(world: World, initial: Files, path: string, change: (text: string) => string): void {
	const first = world.planted.get(path) ?? initial.get(path) ?? "";
	world.planted.set(path, change(first));
	world.files.set(path, change(readWorld(world)(path)));
}

/** The files that a rename would touch, or undefined when a search could mistake another word for it. */
export function renamePaths(world: World, name: string): readonly string[] | undefined {
	const paths = mentionsOf(world.files, name);
	const parts = [...world.files.values()].reduce((sum, text) => sum + text.split(name).length - 1, 0);
	const word = new RegExp(`\\b${name}\\b`, "g");
	const words = paths.reduce((sum, path) => sum + (world.files.get(path)?.match(word)?.length ?? 0), 0);
	const folders = new Set(paths.map(packageOf));
	return parts === words && folders.size === 1 ? paths : undefined;
}

/** The package folder that a file belongs to. */
export const packageOf = (path: string): string => path.split("/").slice(0, 2).join("/");
