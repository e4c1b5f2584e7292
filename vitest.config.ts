import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";

/** End-to-end tests start real programs, most of them the real pi, which takes seconds. */
const endToEnd = [
	"**/*.e2e.test.ts",
	"bench/harbor/*.test.ts",
	"bench/kill/*.test.ts",
	"bench/main.test.ts",
	"packages/cli/{main,terminal,tool,trajectory}.test.ts",
];

/** Sessions are replayed, the scripted worker solves whole tasks, and benchmarks run in short. */
const replay = [
	"packages/replay/**/*.test.ts",
	"packages/cli/{demo,replay*}.test.ts",
	"packages/testing/worker/**/*.test.ts",
	"bench/**/*.test.ts",
];

/**
 * Milliseconds after which a test that hangs is ended. No test has another limit: how long something takes says how busy
 * the machine is, and no test fails because of that.
 */
const HANGS_MS = 900_000;

/** Small files whose tests take minutes. */
const LONGEST = ["every-request.test.ts", "engine.e2e.test.ts", "resumed-state.e2e.test.ts"];

/** Starts the files first that take longest: without a record of earlier runs, files are sorted by size. */
class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]) {
		const isLongest = ({ moduleId }: TestSpecification) => LONGEST.includes(basename(moduleId));
		const sorted = await super.sort(files);
		return sorted.toSorted((a, b) => Number(isLongest(b)) - Number(isLongest(a)));
	}
}

/** Names the tests that did not run, such as those of a browser that is not installed: a green run says what it is. */
const skippedTests: Reporter = {
	onTestRunEnd(modules: readonly TestModule[]) {
		const skipped = modules.flatMap((module) =>
			[...module.children.allTests("skipped")].map((test) => {
				const result = test.result();
				const note = result.state === "skipped" && result.note ? ` (${result.note})` : "";
				return `${module.relativeModuleId}: ${test.fullName}${note}`;
			}),
		);
		for (const line of skipped) console.log(`SKIPPED ${line}`);
	},
};

/** Three commands: `npm test`, `npm run test:replay`, `npm run test:e2e`. Each test file belongs to exactly one of them. */
export default defineConfig({
	test: {
		maxWorkers: 2,
		reporters: process.argv.includes("-t") ? ["default"] : ["default", skippedTests],
		sequence: { sequencer: LongestFirst },
		projects: [
			project("unit", ["packages/**/*.test.ts", "extensions/**/*.test.ts"], [...endToEnd, ...replay]),
			project("replay", replay, endToEnd),
			project("e2e", endToEnd, []),
		],
	},
});

function project(name: string, include: readonly string[], exclude: readonly string[]) {
	return {
		test: {
			name,
			include: [...include],
			exclude: ["**/node_modules/**", ...exclude],
			env: { CWL_PROPERTY_SEED: process.env.CWL_PROPERTY_SEED ?? String(seedOfTree()) },
			setupFiles: ["packages/core/test-support/property-seed.ts"],
			testTimeout: HANGS_MS,
			hookTimeout: HANGS_MS,
			expect: { poll: { timeout: HANGS_MS / 3, interval: 20 } },
			// To load the modules anew for each file took a third of the time. So a test puts back what it changes: environment, folder, clock.
			isolate: name === "e2e",
			globalSetup: name === "e2e" ? ["packages/cli/test-support/pack-folder.ts"] : [],
		},
	};
}

/** Another one for each committed tree: what fails fails again, and each change is tried on new draws. */
function seedOfTree(): number {
	try {
		const tree = execFileSync("git", ["rev-parse", "HEAD^{tree}"], { stdio: ["ignore", "pipe", "ignore"] });
		return Number.parseInt(tree.toString().slice(0, 7), 16);
	} catch {
		return 1;
	}
}
