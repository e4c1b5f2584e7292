/**
 * Runs the tests of a project on one fault after the other. The tests stay loaded in between, so that most verdicts
 * take a second. This is a process of its own, so that endless tests can be ended.
 */
import { join, resolve } from "node:path";
import { createVitest, type Reporter, type TestSpecification, type Vitest } from "vitest/node";
import { fieldsOf } from "#loopback";

/** `unsettled` means that a test timed out and none failed, which proves nothing on a busy machine. */
export type Verdict = "killed" | "survived" | "unsettled";

/** The files with a possible fault, and the draws of each property. */
export interface Question {
	readonly paths: readonly string[];
	readonly draws: number;
}

interface Findings extends Reporter {
	/** Messages of the failed tests in this run, including files that could not be loaded. */
	readonly failures: string[];
	/** The last duration of each test file, in ms. */
	readonly durations: Map<string, number>;
}

function createFindings(): Findings {
	const failures: string[] = [];
	const durations = new Map<string, number>();
	return {
		failures,
		durations,
		onTestCaseResult: (test) => {
			const { state, errors } = test.result();
			if (state === "failed") failures.push(errors.map(({ message }) => message).join("\n"));
		},
		onTestModuleEnd: (module) => {
			durations.set(module.moduleId, module.diagnostic().duration);
			failures.push(...module.errors().map(({ message }) => message));
		},
	};
}

/** The tests of the core share no state, so loading the modules once for all halves the time. */
function loadTests(root: string, findings: Findings): Promise<Vitest> {
	const together = { isolate: false, pool: "threads", fileParallelism: false } as const;
	const asGiven = {
		sequencer: class {
			sort = async (files: TestSpecification[]) => files;
			shard = async (files: TestSpecification[]) => files;
		},
	};
	const quiet = { watch: false, bail: 1, cache: false as const, reporters: [findings] };
	return createVitest("test", {
		root,
		config: join(root, "vitest.config.ts"),
		...together,
		...quiet,
		sequence: asGiven,
	});
}

/** The files' own tests first, then the quickest of those that import them. */
function inOrder(
	specifications: readonly TestSpecification[],
	paths: readonly string[],
	{ durations }: Findings,
) {
	const own = new Set(paths.map((path) => path.replace(/\.ts$/, ".test.ts")));
	const weigh = ({ moduleId }: TestSpecification) =>
		own.has(moduleId) ? -1 : (durations.get(moduleId) ?? 0);
	return specifications.toSorted((a, b) => weigh(a) - weigh(b));
}

async function answer(vitest: Vitest, findings: Findings, question: Question): Promise<Verdict> {
	const paths = question.paths.map((path) => resolve(vitest.config.root, path));
	findings.failures.length = 0;
	process.env.CWL_PROPERTY_RUNS = String(question.draws);
	// The fault was written after the last question, and is removed before the next.
	const forget = () => {
		for (const path of paths) vitest.invalidateFile(path);
	};
	forget();
	vitest.config.related = paths;
	const tests = inOrder(await vitest.getRelevantTestSpecifications(), paths, findings);
	const { unhandledErrors } = await vitest.runTestSpecifications(tests);
	forget();
	const failures = [...findings.failures, ...unhandledErrors.map((error) => String(fieldsOf(error).message))];
	if (failures.length === 0) return "survived";
	return failures.every((message) => /timed out in \d+ms/.test(message)) ? "unsettled" : "killed";
}

async function main(root: string) {
	// Only the failure counts, not its smallest case.
	process.env.CWL_PROPERTY_SHRINK = "no";
	const findings = createFindings();
	const vitest = await loadTests(root, findings);
	process.on("message", async (question: Question) =>
		process.send?.(await answer(vitest, findings, question)),
	);
	process.on("disconnect", () => process.exit());
}

await main(resolve(process.argv[2] ?? "."));
