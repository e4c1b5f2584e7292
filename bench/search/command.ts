/**
 * `npm run bench -- search`: compares the tokens that four ways of working need to answer the same questions about
 * real source.
 */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { loadTokenCounter } from "#pi";
import { readCount } from "../arguments.ts";
import { createProgress } from "../progress.ts";
import { createCountingTools } from "./counting-tools.ts";
import { makeQuestions, type Question, type Tree } from "./questions.ts";
import { type Answer, formatSearchReport, type SearchReport } from "./report.ts";
import { readSourceTrees } from "./source-trees.ts";
import { ways } from "./ways.ts";

export const help = `npm run bench -- search: tokens that four ways of working take to answer the same questions about real source code

  --questions 10   of each kind: where something is defined, where it is used, what files of a name export
  --json           figures as JSON

The source is that of packages that cwl's own development needs. The ways are scripts: docs/results.md
says what the figures show.
`;

const flags = {
	questions: { type: "string", default: "10" },
	json: { type: "boolean", default: false },
} as const;

/** Runs the bench and returns 0. @throws CwlError for wrong arguments, or `no-sources` if packages are missing */
export async function run(argv: readonly string[]): Promise<number> {
	const { values } = parseArgs({ args: [...argv], options: flags });
	const each = readCount("questions", values.questions);
	const { files, versions } = await readSourceTrees();
	const questions = makeQuestions(files, each);
	const root = await mkdtemp(join(tmpdir(), "cwl-search-"));
	try {
		execFileSync("git", ["init", "--quiet", "--template=", root]);
		await writeFiles(root, new Map([...files, [".gitignore", "build/\n"]]));
		const bare = await answerAll(root, questions);
		// A build folder in its usual place: git ignores it, the shell's grep does not.
		await writeFiles(root, new Map([...files].map(([path, text]) => [`build/${path}`, text])));
		const built = await answerAll(root, questions);
		const date = new Date().toISOString().slice(0, 10);
		const report: SearchReport = { version: 1, date, sources: versions, files: files.size, bare, built };
		process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : formatSearchReport(report));
		return 0;
	} finally {
		await rm(root, { recursive: true, force: true });
	}
}

async function writeFiles(root: string, files: Tree): Promise<void> {
	for (const [path, text] of files) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), text);
	}
}

async function answerAll(root: string, questions: readonly Question[]): Promise<readonly Answer[]> {
	const count = await loadTokenCounter();
	const answers: Answer[] = [];
	const progress = createProgress(questions.length, "questions");
	for (const [index, question] of questions.entries()) {
		for (const way of ways) {
			const tools = createCountingTools(root, count);
			await way.answer(question, tools);
			const seen = tools.seen().join("\n");
			const isAnswered = question.answer.every(
				({ path, lines }) => seen.includes(path) && lines.every((line) => seen.includes(line.trim())),
			);
			const about = question.type === "exports" ? question.word : question.symbol;
			answers.push({ way: way.name, type: question.type, about, isAnswered, ...tools.effort() });
		}
		progress(index + 1);
	}
	return answers;
}
