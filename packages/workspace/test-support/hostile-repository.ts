import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitAll, git, initRepository, writeTree } from "./scratch.ts";

export interface HostileRepository {
	readonly root: string;
	/** The names of the repository's programs that ran, one a line. */
	readonly readTrace: () => string;
}

/** A repository whose own configuration names a program wherever reading its state could start one. */
export function createHostileRepository(directory: string): HostileRepository {
	const traps = createTraps(join(directory, "traps"));
	const root = join(directory, "repository");
	initRepository(root, { "a.txt": "a\n", "b.txt": "b\n", "sub/s.txt": "s\n" });
	git(join(root, "sub"), "init", "--quiet");
	commitAll(join(root, "sub"));
	commitAll(root);
	for (const [key, name] of TRAPPED_SETTINGS) git(root, "config", key, traps.command(name));
	git(root, "config", "alias.status", `!${traps.command("alias")}`);
	git(root, "config", "submodule.recurse", "true");
	git(root, "config", "status.submoduleSummary", "true");
	for (const hook of ["post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
		writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\n${traps.command(hook)}\n`, { mode: 0o755 });
	}
	for (const [key, name] of TRAPPED_SETTINGS)
		git(join(root, "sub"), "config", key, traps.command(`sub-${name}`));
	writeTree(root, {
		".gitattributes": "* filter=evil diff=evil\nb.txt filter=single\n",
		"sub/.gitattributes": "* filter=evil\n",
	});
	// Same size, other time: git has to read the file, and would ask the filter.
	for (const file of ["a.txt", "sub/s.txt"]) writeFileSync(join(root, file), "x\n");
	for (const file of ["a.txt", "b.txt", "sub/s.txt"]) utimesSync(join(root, file), 1, 1);
	traps.clear();
	return { root, readTrace: traps.readTrace };
}

/** A partial clone without its tree: reading HEAD would fetch from a remote, by a program of its choice. */
export function createLazyRepository(directory: string, url: string): HostileRepository {
	const traps = createTraps(join(directory, "traps"));
	const root = join(directory, "repository");
	initRepository(root, { "d/a.txt": "a\n" });
	commitAll(root);
	git(root, "config", "core.repositoryFormatVersion", "1");
	git(root, "config", "extensions.partialClone", "origin");
	git(root, "config", "remote.origin.promisor", "true");
	git(root, "config", "remote.origin.url", url.replace("TRAP", traps.command("transport")));
	git(root, "config", "remote.origin.uploadpack", traps.command("upload-pack"));
	git(root, "config", "core.sshCommand", traps.command("ssh"));
	for (const protocol of ["ext", "ssh", "file"]) git(root, "config", `protocol.${protocol}.allow`, "always");
	const tree = git(root, "rev-parse", "HEAD^{tree}").trim();
	rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
	// The cached trees in the index would spare git the read.
	rmSync(join(root, ".git/index"));
	traps.clear();
	return { root, readTrace: traps.readTrace };
}

const TRAPPED_SETTINGS = [
	["core.fsmonitor", "fsmonitor"],
	["core.sshCommand", "ssh"],
	["core.pager", "pager"],
	["core.editor", "editor"],
	["core.askPass", "askpass"],
	["credential.helper", "credential"],
	["diff.external", "external-diff"],
	["diff.evil.textconv", "textconv"],
	["filter.evil.clean", "clean"],
	["filter.evil.smudge", "smudge"],
	["filter.evil.process", "process"],
	["filter.evil.required", "true"],
	["filter.single.clean", "single-clean"],
] as const;

function createTraps(directory: string) {
	mkdirSync(directory, { recursive: true });
	const trace = join(directory, "trace");
	const program = join(directory, "trap");
	writeFileSync(program, `#!/bin/sh\necho "$1" >> ${trace}\nexit 1\n`);
	chmodSync(program, 0o755);
	return {
		command: (name: string) => (name === "true" ? name : `${program} ${name}`),
		readTrace: () => (existsSync(trace) ? readFileSync(trace, "utf8") : ""),
		clear: () => rmSync(trace, { force: true }),
	};
}
