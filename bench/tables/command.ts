/** `npm run bench -- tables`: makes the kept figures that need no network again, two runs at a time, and from them the tables of the pages and docs/claims.md. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CwlError } from "#pi";
import { createProgress, defineBench } from "../bench.ts";
import { PROJECT } from "../pi-host.ts";
import { describeSurroundings } from "../surroundings.ts";
import { formatClaims } from "./claims.ts";
import { fingerprintEngine } from "./engine.ts";
import { writeKept } from "./kept.ts";
import { pages, renderPage } from "./pages.ts";
import { commands, measure, needsSessions } from "./runs.ts";

const AT_ONCE = 2;

export const bench = defineBench({
	flags: {
		only: {
			type: "string",
			default: Object.keys(commands).join(),
			about: "runs to make again; none: only the pages",
		},
		sessions: {
			type: "string",
			example: "DIR",
			about: "recorded sessions; without it runs that replay them are left out",
		},
	},
	notes:
		"A table whose figures an earlier engine made says so. Tables of commits take clones, and are made by `bench -- commits`.",
	async run({ values: { only = "", sessions }, signal }) {
		const names = only === "none" ? [] : only.split(",");
		const unknown = names.find((name) => !Object.hasOwn(commands, name));
		if (unknown !== undefined) {
			throw new CwlError("bad-flag", `--only ${unknown}: use none, or ${Object.keys(commands).join(", ")}.`);
		}
		const engine = await fingerprintEngine();
		const planned = names.filter((name) => sessions !== undefined || !needsSessions(commands[name] ?? ""));
		const made = await remake(planned, { engine, sessions, signal });
		for (const [path, tables] of Object.entries(pages)) {
			const file = join(PROJECT, path);
			await writeFile(file, await renderPage(await readFile(file, "utf8"), tables, engine));
		}
		await writeFile(join(PROJECT, "docs", "claims.md"), await formatClaims());
		const text = `made again: ${made.join(", ") || "nothing"}; tables written to ${Object.keys(pages).join(", ")} and docs/claims.md\n`;
		return { figures: { engine, made }, text: () => text };
	},
});

interface Remake {
	readonly engine: string;
	readonly sessions: string | undefined;
	readonly signal: AbortSignal;
}

/** Keeps each run as soon as it ends; returns the names of those that ended. */
async function remake(names: readonly string[], { engine, ...how }: Remake): Promise<readonly string[]> {
	const about = describeSurroundings();
	const left = [...names];
	const made: string[] = [];
	const progress = createProgress(names.length, "runs");
	const work = async () => {
		for (let name = left.shift(); name !== undefined; name = left.shift()) {
			const command = commands[name] ?? "";
			const figures = await measure(command, how);
			await writeKept(name, { ...about, command, engine, figures });
			made.push(name);
			progress(made.length, name);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return made;
}
