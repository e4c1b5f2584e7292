/**
 * A deterministic stand-in for a model that makes the commits of a repository again, one a user turn. It knows how each
 * file should be afterwards, as a model knows what it wants to write. What the file is now it knows only from the request:
 * from the results of its reads and from its own edits, as far as they are still there. What is gone it reads again.
 */
import type { ModelRequest, ScriptedModel } from "../model.ts";
import { makeCalls, type Work } from "./episodes.ts";
import { countSteps, isMade } from "./knowledge.ts";
import { nameTask } from "./naming.ts";
import TEXTS from "./texts.json" with { type: "json" };
import { type Action, changeFile, type LineChange, quote } from "./toolbox.ts";
import { applyEdits, listExchanges, viewFiles } from "./visible.ts";

export interface Commit {
	/** Its place in the chain, from 1. */
	readonly number: number;
	readonly subject: string;
	readonly files: readonly CommitFile[];
}

export type CommitFile =
	| { readonly type: "added"; readonly path: string; readonly text: string }
	| { readonly type: "removed"; readonly path: string }
	| {
			readonly type: "changed";
			readonly path: string;
			/** The file afterwards. */
			readonly text: string;
			readonly hunks: readonly Hunk[];
	  };

/** A change, and the lines that stand there before it: the worker changes nothing that it does not see. */
export interface Hunk extends LineChange {
	readonly before: readonly string[];
}

/** The request of a commit; the worker finds its number there. */
export const askForCommit = ({ number, subject }: Commit, of: number): string =>
	`Commit ${number} of ${of}: ${subject}`;

/** The lines that ask for commits, in their order: one in a user turn, several in a summary. */
export function findRequests(text: string): readonly { readonly line: string; readonly number: number }[] {
	return [...text.matchAll(/^Commit (\d+) of \d+: .*$/gm)].map(([line, number]) => ({
		line,
		number: Number(number),
	}));
}

/** Returns true if these lines stand where the hunks expect them. */
function fits(text: string, hunks: readonly Hunk[]): boolean {
	const lines = text.split("\n");
	return hunks.every(({ start, before }) => before.every((line, index) => lines[start + index] === line));
}

/** Requests for one commit after which the worker gives up. */
const PATIENCE = 60;
/** Files that one request reads at most. */
const READS = 4;
/** Names that it searches for before it begins. */
const SEARCHES = 2;
const CHECK = { type: "run", command: "git status --short && git diff --stat" } as const;

type Turn = NonNullable<ReturnType<typeof findTurn>>;

/** The same request gives the same reply. Only `commits` can be asked for, by number. */
export function createCommitWorker(commits: readonly Commit[]): ScriptedModel {
	const byNumber = new Map(commits.map((commit) => [commit.number, commit]));
	return (request) => {
		const turn = findTurn(request, byNumber);
		if (!turn) return { text: "There is no commit here that I know how to make." };
		if (turn.step > PATIENCE) return { text: `I give up after ${PATIENCE} requests.` };
		const work = decide(turn);
		if (!work) return { text: `Step ${turn.step}: ${turn.commit.subject} is done.` };
		return { text: `Step ${turn.step}: ${SAYINGS[work.stage]}`, calls: callsOf(request, turn, work) };
	};
}

function findTurn({ messages }: ModelRequest, commits: ReadonlyMap<number, Commit>) {
	const start = messages.findLastIndex(
		(message) => message.type === "user" && findRequests(message.text).length > 0,
	);
	const asked = messages[start];
	// A compaction inside the turn leaves the request as the last of those that its summary lists.
	const prompt = asked?.type === "user" ? findRequests(asked.text).at(-1) : undefined;
	const commit = commits.get(prompt?.number ?? 0);
	if (!prompt || !commit) return undefined;
	const exchanges = listExchanges(messages);
	return {
		commit,
		prompt: prompt.line,
		/** Number of the next reply, from 1. */
		step: countSteps(messages, start) + 1,
		/** The exchanges since the request. */
		exchanges: exchanges.filter(({ message }) => message > start),
		views: viewFiles(exchanges),
	};
}

/** The next step; undefined when everything is done and checked. */
function decide(turn: Turn): Work | undefined {
	const { commit, views, step } = turn;
	const changed = commit.files.filter(({ type }) => type === "changed");
	if (step === 1 && changed.length > 0) return { stage: "search", actions: searchesFor(changed) };
	const open = commit.files.filter((file) => !isDone(file, turn));
	const unseen = open.filter((file) => file.type === "changed" && !views.has(file.path));
	if (unseen.length > 0) return { stage: "read", actions: unseen.slice(0, READS).map(read) };
	const [next] = open;
	if (next) return makeChange(next, turn);
	return isChecked(turn) ? undefined : { stage: "check", actions: [CHECK] };
}

const read = ({ path }: CommitFile): Action => ({ type: "read", path });
const remove = ({ path }: CommitFile): Action => ({ type: "run", command: `rm -f -- ${quote(path)}` });

function searchesFor(files: readonly CommitFile[]): readonly Action[] {
	const names = files.map(({ path }) => path.replace(/^.*\//, "").replace(/\..*$/, ""));
	const usable = [...new Set(names)].filter((name) => /^[\w-]{4,}$/.test(name));
	// The number of the turn keeps the request from being empty where no name is worth a search.
	return usable.length > 0
		? usable.slice(0, SEARCHES).map((pattern) => ({ type: "search", pattern }))
		: [{ type: "run", command: "git ls-files | head -n 200" }];
}

const isDone = (file: CommitFile, turn: Turn): boolean =>
	file.type === "removed" ? isMade(turn, 0, remove(file)) : turn.views.get(file.path)?.text === file.text;

function makeChange(file: CommitFile, { views, exchanges }: Turn): Work {
	if (file.type === "removed") return { stage: "change", actions: [remove(file)] };
	const { path } = file;
	const write: Work = { stage: "change", actions: [{ type: "write", path, content: file.text }] };
	const view = views.get(path);
	if (file.type === "added" || !view) return write;
	if (fits(view.text, file.hunks)) {
		const change = changeFile(path, view.text, file.hunks);
		// Where the view was stale, the lines may fit and the outcome still be another one.
		if (applyEdits(view.text, change.edits) === file.text) return { stage: "change", actions: [change] };
	}
	const isFresh = !view.changed && exchanges.some(({ message }) => message === view.message);
	return isFresh ? write : { stage: "read", actions: [read(file)] };
}

function isChecked(turn: Turn): boolean {
	const change = turn.exchanges.findLast(
		({ action }) => action?.type === "change" || action?.type === "write",
	);
	return isMade(turn, change?.message ?? 0, CHECK);
}

const SAYINGS: Readonly<Partial<Record<Work["stage"], string>>> = TEXTS.sayings.commits;

const callsOf = (request: ModelRequest, { commit, step, prompt, views }: Turn, work: Work) =>
	makeCalls(request, {
		...work,
		task: nameTask(commit.subject, prompt),
		step,
		checkedIn: "act",
		description: `Files of "${commit.subject}": ${commit.files.map(({ path }) => path).join(", ")}.`,
		sources: commit.files.flatMap(({ path }) => views.get(path)?.callIds ?? []),
	});
