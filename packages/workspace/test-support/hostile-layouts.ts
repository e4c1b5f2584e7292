import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHostileRepository, createLazyRepository } from "./hostile-repository.ts";
import { commitAll, git, initRepository, writeTree } from "./tree-writer.ts";

export interface HostileWorkspace {
	/** The directory in which the tools run. */
	readonly cwd: string;
	/** The names of the repository's programs that ran; empty is right. */
	readonly readTrace?: () => string;
}

export interface HostileLayout {
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
	...[
		".git/info/exclude",
		".git/index",
		".git/HEAD",
		".git/config",
		".git/packed-refs",
		".git/info/attributes",
	].flatMap((file) => [
		repository(`${file} is a pipe`, (cwd) => pipeAt(cwd, file)),
		repository(`${file} is a device`, (cwd) => linkTo(cwd, file, "/dev/zero")),
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
		const other = join(dirname(cwd), "other");
		initRepository(other, { "secret.txt": `${SECRET}\n` });
		commitAll(other);
		addGitlink(cwd, "module", git(other, "rev-parse", "HEAD").trim());
		symlinkSync(other, join(cwd, "module"));
	}),
	repository("a gitlink below a link to another repository", (cwd) => {
		const other = join(dirname(cwd), "other");
		initRepository(join(other, "module"), { "secret.txt": `${SECRET}\n` });
		commitAll(join(other, "module"));
		addGitlink(cwd, "outer/module", git(join(other, "module"), "rev-parse", "HEAD").trim());
		symlinkSync(other, join(cwd, "outer"));
	}),
	repository("a tracked folder is a link to other files", (cwd) => {
		const other = join(dirname(cwd), "other");
		writeTree(other, { "secret.txt": `${SECRET}\n` });
		writeTree(cwd, { "folder/secret.txt": "mine\n" });
		commitAll(cwd);
		linkTo(cwd, "folder", other);
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
	const build = (directory: string) => {
		const cwd = join(directory, "workspace");
		initRepository(cwd, FILES);
		commitAll(cwd);
		change(cwd);
		return { cwd };
	};
	return { name, build, isReadable: true };
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

function addGitlink(cwd: string, path: string, commit: string): void {
	git(cwd, "update-index", "--add", "--cacheinfo", `160000,${commit},${path}`);
}

/** 1,000 empty files a directory, by one program for each: Node takes several times as long. */
function manyFiles(cwd: string, count: number): void {
	const names = Array.from({ length: 1000 }, (_, at) => `file-${at}.txt`);
	for (let part = 0; part < count / names.length; part += 1) {
		const directory = join(cwd, `part${part}`);
		mkdirSync(directory);
		execFileSync("touch", names, { cwd: directory });
	}
}
