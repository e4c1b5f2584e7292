/**
 * One key for a file, however a call names it: the last two components of its path, resolved against the folder that
 * the call runs in. Two components are enough to tell most files apart, and short enough for a line that stays.
 */

const KEPT_COMPONENTS = 2;
/** Arguments of shell tools that name the folder to run in. */
const FOLDER_ARGUMENTS = ["workdir", "cwd", "dir_path", "working_directory"];
/** A command that changes the folder first and then runs the rest there. */
const CHANGE_FOLDER = /^\s*cd\s+("[^"\n]+"|'[^'\n]+'|[^\s;&|"'$`]+)\s*(?:&&|;|\n)/;

type Arguments = Readonly<Record<string, unknown>>;

/** The folder that a call's relative paths start from; "" if unknown. */
export function folderOf(args: Arguments, cwd: string): string {
	const named = FOLDER_ARGUMENTS.map((name) => args[name]).find((value) => typeof value === "string");
	return typeof named === "string" ? join(cwd, named) : cwd;
}

/** The folder that the files of a shell command are in. */
export function folderOfCommand(command: string, folder: string): string {
	const target = CHANGE_FOLDER.exec(command)?.[1];
	return target === undefined ? folder : join(folder, target.replace(/^["']|["']$/g, ""));
}

/** The key of a path that is named in a folder. */
export function fileKey(path: string, folder: string): string {
	const kept: string[] = [];
	for (const component of join(folder, path.trim()).split("/")) {
		if (component === "" || component === ".") continue;
		if (component === ".." && kept.length > 0) kept.pop();
		else kept.push(component);
	}
	return kept.slice(-KEPT_COMPONENTS).join("/");
}

function join(folder: string, path: string): string {
	return folder === "" || /^[/~]/.test(path) ? path : `${folder}/${path}`;
}
