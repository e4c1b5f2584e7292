import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	appendFileSync,
	linkSync,
	mkdirSync,
	readdirSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
	createHostileRepository,
	createLazyRepository,
	type HostileRepository,
} from "./hostile-repository.ts";
import { commitAll, git, initRepository, writeTree } from "./scratch.ts";

interface HostileLayout {
	readonly name: string;
	/** Builds the workspace below an empty directory. Its own file `src/a.ts` holds the word `needle`, unless it has traps. */
	readonly build: (directory: string) => Pick<HostileRepository, "root"> & Partial<HostileRepository>;
	/** The programs of the repository that a plain git starts. */
	readonly traps?: readonly string[];
	/** True for very many files: reading them takes its time. */
	readonly isLarge?: boolean;
}

/** A file elsewhere on the machine holds this text, and no tool may show it. */
export const SECRET = "needle-of-another-repository";

const FILES = { "src/a.ts": "const needle = 1;\n" };

/** Files of git's directory that it may read for a status or a listing. */
const GIT_FILES = [
	"HEAD",
	"config",
	"index",
	"info/attributes",
	"info/exclude",
	"packed-refs",
	"refs/heads/main",
	"MERGE_HEAD",
	"CHERRY_PICK_HEAD",
	"rebase-merge/head-name",
	"logs/refs/stash",
	"remotes/origin",
	"objects/info/alternates",
	"objects/info/commit-graphs/commit-graph-chain",
	"objects/pack/multi-pack-index",
	"refs/remotes/origin/main",
];

/** Settings that name files. `pipe` is one, and `outer` is a configuration that includes it. */
const SETTINGS = [
	"[include] path = ../pipe",
	"[include] path = /dev/zero",
	"[include] path = ../outer",
	"[core] attributesFile = /dev/zero",
	"[core] excludesFile = /dev/zero",
	"[core] excludesFile = pipe",
	"[diff] orderFile = /dev/zero",
	"[core] worktree = /etc",
];

export const hostileLayouts: readonly HostileLayout[] = [
	...[".gitignore", ".ignore", ".rgignore", ".git"].flatMap((file) => [
		plain(`${file} is a device`, (cwd) => linkTo(cwd, file, "/dev/zero")),
		plain(`${file} is a pipe`, (cwd) => pipeAt(cwd, file)),
	]),
	plain("src/.gitignore is a pipe", (cwd) => pipeAt(cwd, "src/.gitignore")),
	repository("ignore file is a device, committed", (cwd) => {
		linkTo(cwd, ".gitignore", "/dev/zero");
		commitAll(cwd);
	}),
	...["src/.gitignore", ".gitattributes"].map((file) =>
		repository(`${file} of a repository is a pipe`, (cwd) => pipeAt(cwd, file)),
	),
	...GIT_FILES.map((name) => `.git/${name}`).flatMap((file) => [
		repository(`${file} is a pipe`, (cwd) => pipeAt(trackRemote(cwd), file)),
		repository(`${file} is a device`, (cwd) => linkTo(trackRemote(cwd), file, "/dev/zero")),
	]),
	...SETTINGS.map((setting) =>
		repository(setting, (cwd) => {
			pipeAt(cwd, "pipe");
			writeTree(cwd, { outer: '[includeIf "gitdir:/"]\n\tpath = "pipe"\n' });
			appendFileSync(join(cwd, ".git/config"), `${setting}\n`);
		}),
	),
	repository("a gitlink is a link to another repository", (cwd) => {
		const other = secretRepository(cwd);
		addGitlink(cwd, "module", git(other, "rev-parse", "HEAD").trim());
		symlinkSync(other, join(cwd, "module"));
	}),
	repository("a gitlink below a link to another repository", (cwd) => {
		const other = secretRepository(cwd, "module");
		addGitlink(cwd, "outer/module", git(other, "rev-parse", "HEAD").trim());
		symlinkSync(dirname(other), join(cwd, "outer"));
	}),
	...["a link", "an ignored link"].map((link) =>
		repository(`a tracked folder is ${link} to other files`, (cwd) => {
			const other = join(dirname(cwd), "other");
			writeTree(other, { "secret.txt": `${SECRET}\n` });
			writeTree(cwd, { "folder/secret.txt": "mine\n" });
			if (link === "an ignored link") writeTree(cwd, { ".gitignore": "folder\n" });
			git(cwd, "add", "--force", "folder/secret.txt");
			commitAll(cwd);
			linkTo(cwd, "folder", other);
		}),
	),
	...["../other/secret.txt", "src/../../other/secret.txt", ".git/secret.txt", "src/.GIT/secret.txt"].map(
		(path) =>
			repository(`an index that names ${path}`, (cwd) => {
				writeTree(dirname(cwd), { "other/secret.txt": `${SECRET}\n` });
				writeTree(cwd, { ".git/secret.txt": `${SECRET}\n`, "src/.GIT/secret.txt": `${SECRET}\n` });
				writeFileSync(join(cwd, ".git/index"), makeIndex([path, "src/a.ts"]));
			}),
	),
	repository("an index with a gitlink above the workspace", (cwd) => {
		secretRepository(cwd);
		writeFileSync(join(cwd, ".git/index"), makeIndex(["../other"], 0o160000));
	}),
	repository("a shared index is a pipe", (cwd) => {
		git(cwd, "update-index", "--split-index");
		const shared = readdirSync(join(cwd, ".git")).filter((name) => name.startsWith("sharedindex"));
		pipeAt(cwd, ...shared.map((name) => `.git/${name}`));
	}),
	repository("one line of 15 MB", (cwd) => writeFileSync(join(cwd, "line.txt"), "needle ".repeat(2_200_000))),
	repository("a file of 4 GiB", (cwd) => {
		writeFileSync(join(cwd, "huge.txt"), "needle\n");
		truncateSync(join(cwd, "huge.txt"), 4 * 2 ** 30);
	}),
	repository("links to devices and out of the workspace", (cwd) => {
		linkTo(cwd, "zero.ts", "/dev/zero");
		linkTo(cwd, "passwd.ts", "/etc/passwd");
		linkTo(cwd, "root", "/");
		pipeAt(cwd, "pipe.ts");
	}),
	{ ...repository("200,000 files", (cwd) => manyFiles(cwd, 200_000)), isLarge: true },
	repository("paths of 4,000 characters", (cwd) => {
		const deep = join(cwd, ...Array.from({ length: 15 }, () => "d".repeat(200)));
		mkdirSync(deep, { recursive: true });
		writeFileSync(join(deep, "n".repeat(200)), "needle\n");
	}),
	repository("names of odd bytes", (cwd) => {
		for (let byte = 0x80; byte < 0x100; byte += 4) {
			writeFileSync(Buffer.concat([Buffer.from(`${cwd}/`), Buffer.from([byte])]), "needle\n");
		}
	}),
	plain("an ignore rule that never ends", (cwd) => {
		writeFileSync(join(cwd, "src/.gitignore"), `${"**/a/".repeat(14)}b`);
	}),
	{
		name: "programs in every setting",
		build: createHostileRepository,
		traps: ["fsmonitor", "process", "single-clean", "sub-"],
	},
	...[
		["ext::TRAP", "transport"],
		["ssh://nowhere/x", "ssh"],
		["/nowhere", "upload-pack"],
	].map(([url = "", trap = ""]) => ({
		name: `a partial clone of ${url}`,
		traps: [trap],
		build: (directory: string) => createLazyRepository(directory, url),
	})),
];

function plain(name: string, change: (cwd: string) => void): HostileLayout {
	const build = (directory: string) => {
		const root = join(directory, "workspace");
		writeTree(root, FILES);
		change(root);
		return { root };
	};
	return { name, build };
}

function repository(name: string, change: (cwd: string) => void): HostileLayout {
	return plain(name, (cwd) => {
		initRepository(cwd);
		commitAll(cwd);
		change(cwd);
	});
}

function pipeAt(cwd: string, ...paths: readonly string[]): void {
	for (const path of paths) execFileSync("mkfifo", [emptyPlace(cwd, path)]);
}

function linkTo(cwd: string, path: string, target: string): void {
	symlinkSync(target, emptyPlace(cwd, path));
}

/** The absolute path, at which nothing stands any more. */
function emptyPlace(cwd: string, path: string): string {
	const place = join(cwd, path);
	rmSync(place, { recursive: true, force: true });
	mkdirSync(dirname(place), { recursive: true });
	return place;
}

/** Makes another repository next to the workspace, with the secret in it, and returns its folder. */
function secretRepository(cwd: string, folder = ""): string {
	const root = join(dirname(cwd), "other", folder);
	initRepository(root, { "secret.txt": `${SECRET}\n` });
	commitAll(root);
	return root;
}

/** Makes `git status` look at everything that it may look at; returns the workspace. */
function trackRemote(cwd: string): string {
	const settings =
		'[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[status]\n\tshowStash = true\n' +
		'[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
	appendFileSync(join(cwd, ".git/config"), settings);
	return cwd;
}

/** An index of version 2 (gitformat-index(5)) with entries that git would refuse to add. */
function makeIndex(paths: readonly string[], mode = 0o100644): Buffer {
	const head = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
	head.writeUInt32BE(paths.length, 8);
	const entries = paths.toSorted().map((path) => {
		const entry = Buffer.alloc(Math.floor((62 + path.length) / 8 + 1) * 8);
		entry.writeUInt32BE(mode, 24);
		entry.write("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", 40, "hex");
		entry.writeUInt16BE(path.length, 60);
		entry.write(path, 62);
		return entry;
	});
	const index = Buffer.concat([head, ...entries]);
	return Buffer.concat([index, createHash("sha1").update(index).digest()]);
}

function addGitlink(cwd: string, path: string, commit: string): void {
	git(cwd, "update-index", "--add", "--cacheinfo", `160000,${commit},${path}`);
}

/** 1,000 empty files a directory, each with one name a directory: a name costs a tenth of what a file costs. */
function manyFiles(cwd: string, count: number): void {
	const names = Array.from({ length: 1000 }, (_, at) => `file-${at}.txt`);
	const first = join(cwd, "part0");
	writeTree(first, Object.fromEntries(names.map((name) => [name, ""])));
	for (let part = 1; part < count / names.length; part += 1) {
		const directory = join(cwd, `part${part}`);
		mkdirSync(directory);
		for (const name of names) linkSync(join(first, name), join(directory, name));
	}
}
