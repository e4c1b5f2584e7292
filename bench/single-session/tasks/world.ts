/** The repository as it will be after the tasks generated so far: the basis of the next one. */
import type { ReadFile, Solve } from "./checks.ts";
import { type Files, findLandmarks, type Landmark, type Landmarks, mentionsOf } from "./landmarks.ts";

/** A constant that an earlier task adds; the worker chooses its name. */
export interface Introduced {
	readonly description: string;
	readonly path: string;
	value: number;
	/** The task that added it. */
	readonly task: number;
}

/** A function whose comparison is wrong until a task fixes it. */
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
	/** The name that a user would remember. */
	readonly old: string;
	/** The current name, and the file that declares it. */
	mark: Landmark;
	readonly task: number;
}

export interface World {
	readonly landmarks: Landmarks;
	/** Text by path. */
	readonly files: Map<string, string>;
	/** Changes to the initial files: the bugs that later tasks ask to fix. */
	readonly planted: Map<string, string>;
	readonly introduced: Introduced[];
	readonly mended: Mended[];
	readonly renamed: Renamed[];
	/** Names that a task has used; no other task may use them. */
	readonly used: Set<string>;
	/** Names, options and descriptions that are in use. */
	readonly taken: Set<string>;
}

/** `loadable` tells which modules can be required on their own. */
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

/** Applies the solution of a task to the world. */
export function applySolution(world: World, solve: Solve): void {
	for (const [path, text] of solve(readWorld(world))) world.files.set(path, text);
}

/** Applies a change to the initial files. */
export function plant(world: World, initial: Files, path: string, change: (text: string) => string): void {
	const first = world.planted.get(path) ?? initial.get(path) ?? "";
	world.planted.set(path, change(first));
	world.files.set(path, change(readWorld(world)(path)));
}

/** The files that a rename would touch; undefined if a search could mistake another word for the name. */
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
