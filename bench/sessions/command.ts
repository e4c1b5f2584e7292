/**
 * `npm run bench -- sessions`: fetches the recorded sessions of the tables from the public repositories that hold them, one commit at a
 * time and without its other files. Sessions keep the format of their agent, which `cwl replay` reads.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CwlError, messageOf } from "#pi";
import { git } from "#testing/worker";
import { defineBench, forEachStep, inNewFolder, text } from "../bench.ts";
import SOURCES from "./sources.json" with { type: "json" };

/** Paths by repository and commit (`owner/name@commit`), for each folder. */
type Sources = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export const bench = defineBench({
	positionals: "DIR",
	flags: {
		host: text("https://github.com", "where the repositories are: an address, or a folder of clones"),
	},
	notes:
		"DIR gets the folders recorded and 2026, for `npm run bench -- tables --sessions DIR`. A repository that cannot be fetched is named, and the others go on." +
		" The figures were made of these sessions in pi's format, with home folders and addresses replaced, and of 32 more that are parts of larger files.",
	async run({ values: { host }, positionals: [folder], signal }) {
		if (folder === undefined) throw new CwlError("bad-flag", "name the folder that the sessions go into.");
		const { fetched, problems } = await fetchSessions(SOURCES, host, resolve(folder), signal);
		const lines = () => [`${fetched} sessions fetched into ${folder}.`, ...problems];
		return { figures: { fetched, problems }, lines, hasFailed: problems.length > 0 };
	},
});

/** Returns how many sessions were written, and a line for each repository that failed. */
export async function fetchSessions(sources: Sources, host: string, folder: string, signal: AbortSignal) {
	const wanted = Object.entries(sources).flatMap(([kind, commits]) =>
		Object.entries(commits).map(([source, paths]) => ({ kind, source, paths })),
	);
	const problems: string[] = [];
	let fetched = 0;
	await forEachStep(wanted, "commits", signal, async ({ kind, source, paths }) => {
		const [repository = "", commit = ""] = source.split("@");
		await inNewFolder(async (clone) => {
			await git(clone, "init", "--quiet");
			await git(
				clone,
				"fetch",
				"--quiet",
				"--depth",
				"1",
				"--filter=blob:none",
				`${host}/${repository}`,
				commit,
			);
			await git(clone, "remote", "add", "origin", `${host}/${repository}`);
			await mkdir(join(folder, kind), { recursive: true });
			for (const path of paths) {
				const name = `${repository}__${path}`.replaceAll("/", "-");
				await writeFile(join(folder, kind, name), await git(clone, "show", `${commit}:${path}`));
				fetched += 1;
			}
		}).catch((error: unknown) => void problems.push(`${source}: ${messageOf(error).slice(0, 200)}`));
		return repository;
	});
	return { fetched, problems };
}
