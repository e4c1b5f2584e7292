/** `npm run strict -- PATH... [--policies LIST] [--budget TOKENS] [--json]`: recorded sessions before strict providers. */
import { parseArgs } from "node:util";
import {
	armsUnder,
	createReplayPrompt,
	findSessionFiles,
	loadPolicies,
	openRecording,
	readSession,
} from "#lab";
import { loadTokenCounter } from "#pi";
import { checkSession } from "./check-session.ts";

/** Refusals that are shown in full. */
const EXAMPLES = 20;

async function main() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			policies: { type: "string", default: "all" },
			budget: { type: "string", default: "80000" },
			json: { type: "boolean", default: false },
		},
	});
	const arms = armsUnder(Number(values.budget), await loadPolicies(values.policies));
	const count = await loadTokenCounter();
	const { fixed } = createReplayPrompt(count);
	const byPolicy = new Map(arms.map(({ name }) => [name, { sessions: 0, requests: 0, refusals: 0 }]));
	const examples: object[] = [];
	for (const file of await findSessionFiles(positionals)) {
		if (file.type === "problem") console.error(file.error.message);
		if (file.type !== "file") continue;
		const recording = openRecording(await readSession(file.path, file.line), count);
		for (const arm of arms) {
			const { requests, refusals } = checkSession(recording, arm, fixed);
			const sum = byPolicy.get(arm.name);
			if (sum) {
				sum.sessions += 1;
				sum.requests += requests;
				sum.refusals += refusals.length;
			}
			for (const found of refusals.slice(0, EXAMPLES - examples.length)) {
				examples.push({ session: file.path, policy: arm.name, ...found });
			}
		}
		console.error(`${file.path}: ${JSON.stringify(Object.fromEntries(byPolicy))}`);
	}
	const policies = Object.fromEntries(byPolicy);
	if (values.json) console.log(JSON.stringify({ budget: Number(values.budget), policies, examples }));
	else {
		console.table(policies);
		for (const example of examples) console.log(JSON.stringify(example));
	}
	process.exitCode = examples.length === 0 ? 0 : 1;
}

await main();
