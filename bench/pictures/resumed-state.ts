/** The state that `/cwl report --json` gives of a session file, which the real pi continues in a copy. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { StateReport } from "#pi/health";
import { startPiProcess, writeAgentDirectory } from "#testing/pi-driver";
import { inNewFolder } from "../bench.ts";
import { EXTENSION, NODE, PROGRAM } from "../pi-host.ts";

/** pi sends no request, so the model's address is never used. */
const NO_SERVER = "http://127.0.0.1:9";

export const readResumedState = (
	file: string,
	cwd: string,
	budget: string,
): Promise<StateReport | undefined> =>
	inNewFolder(async (folder) => {
		const session = join(folder, "session.jsonl");
		const agent = join(folder, "agent");
		await copyFile(file, session);
		await writeAgentDirectory(agent, { url: NO_SERVER, api: "anthropic" });
		let state: StateReport | undefined;
		const pi = startPiProcess({
			command: [NODE, PROGRAM, "-e", EXTENSION, "--session", session],
			cwd,
			environment: {
				...process.env,
				PI_CODING_AGENT_DIR: agent,
				PI_OFFLINE: "1",
				CWL_BUDGET: budget,
				CWL_POLICY: "cwl",
			},
			onEvent({ method, message }) {
				if (method === "notify" && String(message).startsWith("{")) state = JSON.parse(String(message));
			},
		});
		// The costs are worked out for `/cwl health`, and the report has them from then on.
		for (const message of ["/cwl health", "/cwl report --json"]) await pi.send({ type: "prompt", message });
		await pi.close();
		return state;
	});
