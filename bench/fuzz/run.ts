/** `npm run fuzz -- --runs N --seed S [--from K] [--json]`: random sessions, every request of which must keep the rules. */
import { parseArgs } from "node:util";
import { type Campaign, type CampaignSettings, runCampaign } from "./campaign.ts";

function readSettings(): CampaignSettings & { readonly isJson: boolean } {
	const { values } = parseArgs({
		options: {
			runs: { type: "string", default: "1000" },
			seed: { type: "string", default: "1" },
			from: { type: "string", default: "0" },
			json: { type: "boolean", default: false },
		},
	});
	const whole = (name: "runs" | "seed" | "from") => {
		const value = Number(values[name]);
		if (Number.isSafeInteger(value) && value >= 0) return value;
		throw new Error(`--${name} is ${values[name]}: use a whole number from 0.`);
	};
	return { runs: whole("runs"), seed: whole("seed"), from: whole("from"), isJson: values.json };
}

function main() {
	const { isJson, ...settings } = readSettings();
	const started = performance.now();
	const describe = (campaign: Campaign) => {
		const seconds = (performance.now() - started) / 1_000;
		const { user, system } = process.cpuUsage();
		const perCpuSecond = campaign.sessions / ((user + system) / 1e6);
		return { ...settings, ...campaign, seconds: Math.round(seconds), perCpuSecond: Math.round(perCpuSecond) };
	};
	let told = 0;
	const campaign = runCampaign(settings, (sofar) => {
		const { sessions, operations, seconds, failures } = describe(sofar);
		for (const failure of failures.slice(told)) console.error(JSON.stringify(failure));
		told = failures.length;
		console.error(
			`${sessions} sessions, ${operations} operations, ${failures.length} broken rules, ${seconds} s`,
		);
	});
	const { failures, ...figures } = describe(campaign);
	if (isJson) console.log(JSON.stringify({ ...figures, failures }));
	else {
		console.table(figures);
		for (const failure of failures) console.log(JSON.stringify(failure));
	}
	process.exitCode = failures.length === 0 ? 0 : 1;
}

main();
