/** `npm run bench -- peers`: a page from a replay of recorded sessions under what others publish. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mergeReport } from "#lab";
import { CwlError } from "#pi";
import { describeSurroundings, type ResultsFile, readResults, writeResults } from "../results-file.ts";
import { type PeerFigures, pickPeers } from "./figures.ts";
import { formatPeersDoc } from "./page.ts";

export const help = `npm run bench -- peers: what others publish, next to cwl on the same recorded sessions

It reads the rows of a replay, which can be stopped and goes on where it stopped:

  cwl replay DIR --rows ROWS --no-times --budget 80k --add-thinking --as anthropic/claude-opus-5-5 \\
      --policy none,compaction,paper,cwl,cwl-economy,demand-paging,coref,stride,dcp,trim \\
      --model anthropic/claude-opus-5 --model anthropic/claude-fable-5-1

  --rows ROWS   the file of rows; several for a replay that was shared out with --shard
  --write       keep the figures in bench/results, and write docs/peers.md
                Without --rows the page is made of the figures that were kept
`;

const flags = {
	rows: { type: "string", multiple: true },
	write: { type: "boolean", default: false },
} as const;

const KEPT = "peers";
const COMMAND = "npm run bench -- peers --rows ROWS --write";
const page = join(import.meta.dirname, "..", "..", "docs", "peers.md");

/** Returns 0. @throws CwlError for wrong arguments, and where nothing was kept */
export async function run(argv: readonly string[]): Promise<number> {
	const { rows, write } = parseArgs({ args: [...argv], options: flags }).values;
	const made = rows
		? {
				...{ version: 1 as const, ...describeSurroundings(), command: COMMAND },
				figures: await pickPeers(await mergeReport(rows)),
			}
		: await readKept();
	if (!write) {
		process.stdout.write(formatPeersDoc(made));
		return 0;
	}
	if (rows) await writeResults(KEPT, COMMAND, made.figures);
	await writeFile(page, formatPeersDoc(made));
	return 0;
}

/** The kept figures. @throws CwlError `no-results` */
export async function readKept(): Promise<ResultsFile<PeerFigures>> {
	const kept = await readResults<PeerFigures>(KEPT);
	if (kept) return kept;
	throw new CwlError("no-results", "no replay was kept: name its rows with --rows.");
}
