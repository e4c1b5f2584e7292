/**
 * The settings under which git runs in an untrusted repository. git starts programs and reads files that the
 * repository's own configuration names (fsmonitor, hooks, filters, transports, order files): they are switched off
 * here. `repository.ts` checks the files that cannot be switched off.
 */
import { absolutePath, type ChildOutput, readChildOutput } from "../process/child-output.ts";

/** `key=value` for `git -c`. A command-line value beats the repository's, in every version of git. */
export const SAFE_CONFIG: readonly string[] = [
	"core.fsmonitor=false",
	"core.hooksPath=/dev/null",
	"core.untrackedCache=keep",
	"core.sshCommand=false",
	"core.askPass=",
	"core.pager=cat",
	"diff.external=",
	"diff.orderFile=/dev/null",
	"protocol.allow=never",
	"status.renameLimit=1000",
	"status.submoduleSummary=false",
	"submodule.recurse=false",
];

/** Where programs, homes and temporary folders are. */
const KEPT_VARIABLES =
	/^(?:path|pathext|home|userprofile|homedrive|homepath|xdg_config_home|(?:local)?appdata|programdata|systemroot|windir|comspec|tmpdir|tmp|temp)$/i;

/** Variables that git gets although they start with `GIT_`: a transport or a lazy fetch can start a program. */
const GIT_VARIABLES: Readonly<Record<string, string>> = {
	GIT_ALLOW_PROTOCOL: "none",
	GIT_NO_LAZY_FETCH: "1",
	GIT_OPTIONAL_LOCKS: "0",
	GIT_TERMINAL_PROMPT: "0",
};

export const GIT_VARIABLE_NAMES: readonly string[] = Object.keys(GIT_VARIABLES);

/**
 * The environment of every program that the tools start. The user's own `GIT_*` variables (a hook's GIT_DIR, say) do
 * not steer it, and PATH holds no relative directory, which could be one of the workspace.
 */
export function createGitEnvironment(): Record<string, string> {
	const kept: Record<string, string> = { LC_ALL: "C", ...GIT_VARIABLES };
	for (const [name, value] of Object.entries(process.env)) {
		if (value === undefined || !KEPT_VARIABLES.test(name)) continue;
		kept[name] = name.toLowerCase() === "path" ? absolutePath(value) : value;
	}
	return kept;
}

export interface GitRun {
	readonly cwd: string;
	/** The directory of the work tree, since the repository's own configuration may name any other one; left out where none is needed. */
	readonly workTree?: string | undefined;
	readonly variables?: Readonly<Record<string, string>>;
	readonly signal?: AbortSignal | undefined;
	/** On the clock of `performance.now()`. */
	readonly giveUpAt: number;
}

/** Runs git under the safe settings, within limits of time and memory. @throws as `readChildOutput` */
export async function runGit(args: readonly string[], run: GitRun): Promise<ChildOutput> {
	const { cwd, workTree, variables = {}, signal, giveUpAt } = run;
	const settings = SAFE_CONFIG.flatMap((entry) => ["-c", entry]);
	const place = workTree === undefined ? [] : [`--work-tree=${workTree}`];
	return await readChildOutput({
		program: "git",
		args: ["--no-pager", ...place, ...settings, ...args],
		cwd,
		env: { ...createGitEnvironment(), ...variables },
		signal,
		deadlineMs: Math.max(0, giveUpAt - performance.now()),
	});
}

/**
 * Returns the settings that silence every filter driver of the configuration, or undefined when a name holds `=`,
 * which `git -c` cannot address. Names are the NUL-separated answer of `git config --list --name-only -z`.
 */
export function createFilterOverrides(configNames: string): readonly string[] | undefined {
	const drivers = configNames.split("\0").map((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1]);
	const names = [...new Set(drivers)].filter((name) => name !== undefined);
	if (names.some((name) => name.includes("="))) return undefined;
	return names.flatMap((name) => [
		`filter.${name}.clean=`,
		`filter.${name}.smudge=`,
		`filter.${name}.process=`,
		`filter.${name}.required=false`,
	]);
}
