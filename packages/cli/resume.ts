/** `cwl resume`: the terminal agent with an earlier session, as it was or as a fresh start from what it came to. */
import { runAgent } from "./agent.ts";
import { loadHost } from "./host-library.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl resume [--soft] [SESSION] [pi's arguments]: go on with a session

  SESSION      its file, or the beginning of its id; the latest of this folder without one
  --soft       a fresh session from its goal, its user turns, a line for each episode and the files that it knows,
               without the rest; the old session stays as it is
`;

/** Pi ends the process itself: answers an exit code only for the help. */
export async function runResume(argv: readonly string[]): Promise<number | undefined> {
	const isSoft = argv.includes("--soft");
	const rest = argv.filter((word) => word !== "--soft");
	if (rest.includes("--help")) {
		process.stdout.write(usage);
		return 0;
	}
	const [first] = rest;
	const named = first === undefined || first.startsWith("-") ? undefined : first;
	const file = await findSession(named, await loadHost());
	const more = named === undefined ? rest : rest.slice(1);
	return await runAgent([isSoft ? "--cwl-soft" : "--session", file, ...more]);
}
