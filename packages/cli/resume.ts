/** `cwl resume`: opens the agent with an earlier session, or with a fresh session that starts from its outline. */
import { runAgent } from "./agent.ts";
import { loadHost } from "./host-library.ts";
import { findSession } from "./session-finder.ts";

const usage = `cwl resume [--soft] [SESSION] [pi's arguments]: continue a session

  SESSION      its file, or the beginning of its id; the latest of this folder without one
  --soft       start a fresh session from its goal, its user turns, a line for each episode and its known files;
               the old session does not change
`;

/** Returns an exit code for the help only: pi ends the process itself. */
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
