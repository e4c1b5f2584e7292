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
import { createHostileRepository, createLazyRepository } from "./hostile-repository.ts";
import { commitAll, git, initRepository, writeTree } from "./scratch.ts";

interface HostileWorkspace {
	/** The directory in which the tools run. */
	readonly cwd: string;
	/** The names of the repository's programs that ran; empty is right. */
	readonly readTrace?: () => string;
}

interface HostileLayout {
	readonly name: string;
	/** Builds the workspace below an empty directory. Its own file `src/a.ts` holds the word `needle`. */
	readonly build: (directory: string) => HostileWorkspace;
	/** True when the tools must find `src/a.ts`, by a walk where git cannot answer. */
	readonly isReadable: boolean;
	/** True for very many files: reading them takes its time. */
	readonly isLarge?: boolean;
}

/** A file elsewhere on the machine holds this text, and no tool may show it. */
export const SECRET = "needle-of-another-repository";

const FILES = { "src/a.ts": "const needle = 1;\n" };

export const hostileLayouts: readonly HostileLayout[] = [
	plain("ignore file is a device, outside a repository", (cwd) => linkTo(cwd, ".gitignore", "/dev/zero")),
	plain("ignore file of ripgrep is a device", (cwd) => {
		for (const name of [".ignore", ".rgignore"]) linkTo(cwd, name, "/dev/zero");
	}),
	plain("ignore file is a pipe, outside a repository", (cwd) => pipeAt(cwd, ".gitignore", "src/.gitignore")),
	repository("ignore file is a device, committed", (cwd) => {
		linkTo(cwd, ".gitignore", "/dev/zero");
		commitAll(cwd);
	}),
	repository("ignore file is a pipe", (cwd) => pipeAt(cwd, "src/.gitignore")),
	repository("attributes file is a pipe", (cwd) => pipeAt(cwd, ".gitattributes")),
	...["info/exclude", "index", "HEAD", "config", "packed-refs", "info/attributes"].flatMap((file) => [
		repository(`.git/${file} is a pipe`, (cwd) => pipeAt(cwd, `.git/${file}`)),
		repository(`.git/${file} is a device`, (cwd) => linkTo(cwd, `.git/${file}`, "/dev/zero")),
	]),
	repository(".git/objects/info/alternates is a device", (cwd) =>
		linkTo(cwd, ".git/objects/info/alternates", "/dev/zero"),
	),
	repository("the branch is a pipe", (cwd) => pipeAt(cwd, ".git/refs/heads/main")),
	configured("include of a pipe", (cwd) => {
		pipeAt(cwd, "pipe");
		return "[include]\n\tpath = ../pipe\n";
	}),
	configured("include of a device", () => "[include]path=/dev/zero\n"),
	configured("nested include of a pipe", (cwd) => {
		pipeAt(cwd, "pipe");
		writeFileSync(join(cwd, "outer"), '[includeIf "gitdir:/"]\n\tpath = "pipe"\n');
		return "[include]\n\tpath = ../outer\n";
	}),
	configured("core.attributesFile is a device", () => "[core]\n\tattributesFile = /dev/zero\n"),
	configured("core.excludesFile is a device", () => "[core]\n\texcludesFile = /dev/zero\n"),
	configured("core.excludesFile is a pipe", (cwd) => {
		pipeAt(cwd, "pipe");
		return `[core]\n\texcludesFile = ${join(cwd, "pipe")}\n`;
	}),
	configured("diff.orderFile is a device", () => "[diff]\n\torderFile = /dev/zero\n"),
	configured("core.worktree is /etc", () => "[core]\n\tworktree = /etc\n"),
	plain("the repository's directory is a pipe", (cwd) => pipeAt(cwd, ".git")),
	plain("the repository's directory is a device", (cwd) => linkTo(cwd, ".git", "/dev/zero")),
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
	...[
		...[".git/MERGE_HEAD", ".git/CHERRY_PICK_HEAD", ".git/rebase-merge/head-name", ".git/logs/refs/stash"],
		...[".git/objects/pack/multi-pack-index", ".git/objects/info/commit-graphs/commit-graph-chain"],
		...[".git/remotes/origin", ".git/refs/remotes/origin/main"],
	].flatMap((file) =>
		["pipe", "device"].map((kind) =>
			repository(`${file} is a ${kind}`, (cwd) => {
				trackRemote(cwd);
				mkdirSync(dirname(join(cwd, file)), { recursive: true });
				if (kind === "pipe") pipeAt(cwd, file);
				else linkTo(cwd, file, "/dev/zero");
			}),
		),
	),
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
	programs("programs in every setting", (directory) => createHostileRepository(directory)),
	...["ext::TRAP", "ssh://nowhere/x", "/nowhere"].map((url) =>
		programs(`a partial clone of ${url}`, (directory) => createLazyRepository(directory, url)),
	),
];

function plain(name: string, change: (cwd: string) => void): HostileLayout {
	const build = (directory: string) => {
		const cwd = join(directory, "workspace");
		writeTree(cwd, FILES);
		change(cwd);
		return { cwd };
	};
	return { name, build, isReadable: true };
}

function repository(name: string, change: (cwd: string) => void): HostileLayout {
	return plain(name, (cwd) => {
		initRepository(cwd);
		commitAll(cwd);
		change(cwd);
	});
}

function configured(name: string, configure: (cwd: string) => string): HostileLayout {
	return repository(name, (cwd) => appendFileSync(join(cwd, ".git/config"), configure(cwd)));
}

function programs(name: string, create: typeof createHostileRepository): HostileLayout {
	const build = (directory: string) => {
		const { root, readTrace } = create(directory);
		return { cwd: root, readTrace };
	};
	return { name, build, isReadable: false };
}

function pipeAt(cwd: string, ...paths: readonly string[]): void {
	for (const path of paths) {
		rmSync(join(cwd, path), { recursive: true, force: true });
		execFileSync("mkfifo", [join(cwd, path)]);
	}
}

function linkTo(cwd: string, path: string, target: string): void {
	rmSync(join(cwd, path), { recursive: true, force: true });
	symlinkSync(target, join(cwd, path));
}

/** Makes another repository next to the workspace, with the secret in it, and returns its folder. */
function secretRepository(cwd: string, folder = ""): string {
	const root = join(dirname(cwd), "other", folder);
	initRepository(root, { "secret.txt": `${SECRET}\n` });
	commitAll(root);
	return root;
}

/** Makes `git status` look at everything that it may look at. */
function trackRemote(cwd: string): void {
	const settings =
		'[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[status]\n\tshowStash = true\n' +
		'[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n';
	appendFileSync(join(cwd, ".git/config"), settings);
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
