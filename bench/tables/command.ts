/** `npm run bench -- tables`: makes the kept figures again, two runs at a time, and from them tables and figures of the pages. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { createProgress, defineBench, optional, text } from "../bench.ts";
import type { LiveReport } from "../live/page.ts";
import { PROJECT } from "../pi-host.ts";
import { PRICED } from "../single-session/run.ts";
import { describeSurroundings } from "../surroundings.ts";
import { fingerprintEngine } from "./engine.ts";
import { keepPeer, keptFile, readKept, writeKept } from "./kept.ts";
import { pages, renderPage } from "./pages.ts";
import { canRun, measure, pricesOf, runs } from "./runs.ts";

const AT_ONCE = 2;

export const bench = defineBench({
	flags: {
		only: text(runs.join(), "runs to make again, by the commands in bench/results; none: only the pages"),
		sessions: optional(
			"DIR",
			"a folder with recorded/ and 2026/; without it runs that replay them are left out",
		),
		peers: optional(
			"FILE:NAME=DIR,...",
			"results of `live --rehearse`, one arm each, for peers, peers-hard, peers-hard-300; rows not named stay",
		),
		clones: optional("DIR", "a folder with clones of fastify and flask; without it `commits` is left out"),
	},
	notes: "A table whose figures an earlier engine made says so.",
	async run({ values: { only, sessions, clones, peers }, signal }) {
		const names = only === "none" ? [] : only.split(",");
		const unknown = names.find((name) => !runs.some((known) => known === name));
		if (unknown !== undefined)
			throw new CwlError("bad-flag", `--only ${unknown}: use none, or ${runs.join(", ")}.`);
		const places = { DIR: sessions, CLONES: clones };
		const engine = await fingerprintEngine();
		const about = describeSurroundings();
		const before = await readKept();
		const left = names.filter((name) => canRun(keptFile(before, name).command, places));
		const progress = createProgress(left.length, "runs");
		const made: string[] = [];
		/** Keeps each run as soon as it ends. */
		const remake = async () => {
			for (let name = left.shift(); name !== undefined; name = left.shift()) {
				const { command } = keptFile(before, name);
				const rows = await measure(command, places, signal);
				await writeKept(name, { ...about, command, engine, prices: pricesOf(command), rows });
				made.push(name);
				progress(made.length, name);
			}
		};
		await Promise.all(Array.from({ length: AT_ONCE }, remake));
		if (peers !== "") await keepPeers(peers, engine, about.commit);
		const kept = await readKept();
		for (const [path, tables] of Object.entries(pages)) {
			const file = join(PROJECT, path);
			await writeFile(file, renderPage(await readFile(file, "utf8"), tables, kept, engine));
		}
		const line = `made again: ${made.join(", ") || "nothing"}; tables written to ${Object.keys(pages).join(", ")}`;
		return { figures: { engine, made }, lines: () => [line] };
	},
});

/** Adds rows to the files of other extensions; `list` is FILE:NAME=DIR, separated by commas. */
async function keepPeers(list: string, engine: string, now: string): Promise<void> {
	for (const each of list.split(",")) {
		const kept = await readKept();
		const [row = "", folder = ""] = each.split("=");
		const [, name = "", condition = ""] = /^([^:]*):(.*)$/.exec(row) ?? [];
		const { command = "", rows: others } = kept.get(name) ?? {};
		if (!command.includes(" --arms peer "))
			throw new CwlError("bad-flag", `--peers ${each}: begin with peers, peers-hard or peers-hard-300.`);
		const report: LiveReport = JSON.parse(await readFile(join(folder, "results.json"), "utf8"));
		const { date, commit, machine } = report;
		const rows = { ...others, [condition]: keepPeer(report, command) };
		const about = { date, commit, machine, command, prices: PRICED };
		// The engine of another commit is not known here.
		await writeKept(name, { ...about, engine: commit === now ? engine : "", rows });
	}
}
