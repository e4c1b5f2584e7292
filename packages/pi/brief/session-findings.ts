/** The facts that the project memory takes from one session: what it found out and decided, with the files that it worked on. */
import { isAbsolute } from "node:path";
import type { Episode, Graph } from "#core/graph";
import { extract } from "#core/projection";
import { type Item, splitLabelled } from "#core/transcript";
import type { HostMessage } from "../codec/host-message.ts";
import { locate, nameFile } from "../codec/named-files.ts";
import type { BranchEntry } from "../custom-entries.ts";
import { type FileState, filesOfCalls, GONE, type Manifest, readManifest } from "../files/manifest.ts";
import { hasSecret, hideHomes } from "../redact.ts";
import { byTime, type Piece } from "./document.ts";
import { isSecretFile } from "./secret-files.ts";
import { finishedEpisodes, hasCall } from "./turns.ts";

/** Bounds of one finding: characters of its text, files, and characters of a file's name and of the goal. */
const MAX = { text: 400, files: 12, name: 300, goal: 120 };
/** Digits of a hash that are enough to tell contents of one file apart. */
const DIGITS = 12;

/** The beginning of the line that carries the goal of a session. */
export const GOAL = "Goal: ";

/** The finding of one episode: `name` is that of the episode, `goal` that of the session, `at` when the episode ended. */
export type Finding = Pick<Piece, "name" | "text" | "at" | "files"> & { readonly goal: string };

export interface SessionSources {
	readonly session: string;
	readonly cwd: string;
	/** The folder of the repository. */
	readonly root: string;
	readonly graph: Pick<Graph, "episodes" | "messages">;
	/** The messages of the graph. */
	readonly messages: readonly HostMessage[];
	readonly branch: readonly BranchEntry[];
	/** "" without one. */
	readonly goal?: string | undefined;
}

export type SessionFindings = ReturnType<typeof findingsOf>;

/** Takes the findings of all finished episodes; a turn without a call found nothing out. The same session gives the same findings. */
export function findingsOf(sources: SessionSources) {
	const { session, graph } = sources;
	const unmarked = new Map<number, Item[]>();
	for (const { origin, turn, items } of graph.episodes) {
		if (origin === "inferred" && hasCall(items))
			unmarked.set(turn, [...(unmarked.get(turn) ?? []), ...items]);
	}
	/** The answer that ends a turn is about all the unmarked work of its turn. */
	const workOf = ({ origin, turn, items }: Episode) =>
		origin === "declared" || items.at(-1)?.type !== "text" ? items : (unmarked.get(turn) ?? []);
	const finished = finishedEpisodes(graph).filter((episode) => (episode.description ?? "") !== "");
	const manifest = readManifest(sources.branch);
	return {
		session: /^[\w-]{1,64}$/.test(session) ? session : "unnamed",
		findings: finished
			.flatMap((episode) => findingOf(sources, manifest, episode, workOf(episode)))
			.toSorted(byTime),
	};
}

/** None without work, and none where the episode worked on secrets or says nothing else; lines with secrets are left out. */
function findingOf(
	{ cwd, root, messages, goal = "" }: SessionSources,
	manifest: Manifest,
	{ name, items, description = "" }: Episode,
	work: readonly Item[],
): readonly Finding[] {
	const worked = [...filesOfCalls(cwd, work)].flatMap((file) => {
		const inner = nameInRepository(root, cwd, file);
		return inner === undefined ? [] : [{ inner, state: manifest.get(file) ?? GONE }];
	});
	if (work.length === 0 || hasSecret(name) || worked.some(({ inner }) => isSecretFile(inner))) return [];
	const lines = description.split("\n").map((line) => hideHomes(line.replaceAll(`${root}/`, "")));
	const { labelled, rest } = splitLabelled(lines.filter((line) => !hasSecret(line)).join("\n"));
	const decided = labelled.filter(({ kind }) => kind === "decision");
	const text = [
		...decided.map((line) => `Decided: ${extract(line.text, MAX.text)}`),
		extract(rest.join("\n"), MAX.text).replace(/\s+/g, " "),
	].join("\n");
	const known = worked.filter(({ inner, state }) => state !== GONE && !hasSecret(inner)).slice(0, MAX.files);
	const finding = {
		name,
		text: text.trim(),
		at: timeOf(messages[Math.max(0, ...items.map(({ message }) => message))]),
		files: new Map(known.map(({ inner, state }) => [inner, shortState(state)])),
		goal: hasSecret(goal) ? "" : hideHomes(goal).replace(/\s+/g, " ").trim().slice(0, MAX.goal),
	};
	return finding.text === "" || hasSecret(text) ? [] : [finding];
}

function timeOf(message: HostMessage | undefined): string {
	const time = Number(message?.timestamp);
	return new Date(Number.isFinite(time) && Math.abs(time) < 8e15 ? time : 0).toISOString();
}

/** The name of a file below the repository, with `/`; undefined for a file outside of it. */
function nameInRepository(root: string, cwd: string, file: string): string | undefined {
	const name = nameFile(root, locate(cwd, file));
	return isAbsolute(name) || name.length > MAX.name ? undefined : name;
}

/** A state as the memory of a project has it. */
export function shortState(state: FileState): string {
	const [size = "", hash] = state.split(":");
	return hash === undefined ? state : `${size}:${hash.slice(0, DIGITS)}`;
}
