/** The facts that the project memory takes from one session: findings with their files, decisions, and the states of files. */
import { isAbsolute } from "node:path";
import type { Episode, Graph } from "#core/graph";
import { extract } from "#core/projection";
import { type Item, splitLabelled } from "#core/transcript";
import type { HostMessage } from "../codec/host-message.ts";
import { locate, nameFile } from "../codec/named-files.ts";
import type { FileState } from "../files/manifest.ts";
import { filesOfCalls, type Manifest } from "../files/manifest.ts";
import { hasSecret, hideHomes } from "../redact.ts";
import { byTime, type FileStates, type Piece } from "./document.ts";
import { finishedEpisodes, hasCall } from "./turns.ts";

/** Bounds of one finding: characters of its text, files, and characters of a file's name and of the goal. */
const MAX = { text: 400, files: 12, name: 300, goal: 120 };
/** Digits of a hash that are enough to tell contents of one file apart. */
const DIGITS = 12;

/** `at` is when its episode ended. */
export type Decision = Pick<Piece, "text" | "at">;
/** `name` is that of the episode, `goal` that of the session. */
export type Finding = Pick<Piece, "name" | "text" | "at" | "files" | "goal">;

export interface SessionSources {
	readonly session: string;
	readonly cwd: string;
	/** The folder of the repository. */
	readonly root: string;
	readonly graph: Pick<Graph, "episodes" | "messages">;
	/** The messages of the graph. */
	readonly messages: readonly HostMessage[];
	readonly manifest: Manifest;
	/** "" without one. */
	readonly goal?: string | undefined;
}

export type SessionFindings = ReturnType<typeof findingsOf>;

/** Takes the findings of all finished episodes; a turn without a call found nothing out. The same session gives the same findings. */
export function findingsOf(sources: SessionSources) {
	const { session, graph, messages, cwd, root, manifest } = sources;
	const files: FileStates = new Map(
		[...manifest].flatMap(([file, state]) => {
			const name = nameInRepository(root, cwd, file);
			return name === undefined ? [] : [[name, shortState(state)]];
		}),
	);
	const unmarked = new Map<number, Item[]>();
	for (const { origin, turn, items } of graph.episodes) {
		if (origin === "inferred" && hasCall(items))
			unmarked.set(turn, [...(unmarked.get(turn) ?? []), ...items]);
	}
	/** The answer that ends a turn is about all the unmarked work of its turn. */
	const workOf = ({ origin, turn, items }: Episode) =>
		origin === "declared" || items.at(-1)?.type !== "text" ? items : (unmarked.get(turn) ?? []);
	const taken = finishedEpisodes(graph)
		.filter((episode) => (episode.description ?? "") !== "" && workOf(episode).length > 0)
		.map((episode) => takeEpisode(sources, files, episode, workOf(episode)))
		.toSorted(byTime);
	return {
		session: /^[\w-]{1,64}$/.test(session) ? session : "unnamed",
		/** When the session's last message was written; ISO 8601. */
		end: timeOf(messages.at(-1)),
		/** The files that the session knew at its end. */
		files,
		findings: taken.flatMap(({ findings }) => findings),
		decisions: taken.flatMap(({ decisions }) => decisions),
		/** Lines and episodes that were left out because they look like secrets, or come from a file of secrets. */
		secrets: taken.flatMap(({ secrets }) => secrets),
	};
}

function takeEpisode(
	{ cwd, root, messages, goal = "" }: SessionSources,
	files: FileStates,
	{ name, items, description = "" }: Episode,
	work: readonly Item[],
) {
	const at = timeOf(messages[Math.max(0, ...items.map(({ message }) => message))]);
	const secret = { text: name, at };
	const worked = [...filesOfCalls(cwd, work)].flatMap((file) => nameInRepository(root, cwd, file) ?? []);
	if (hasSecret(name) || worked.some(isSecretFile)) {
		return { at, findings: [], decisions: [], secrets: [secret] };
	}
	const lines = description.split("\n").map((line) => hideHomes(line.replaceAll(`${root}/`, "")));
	const clean = lines.filter((line) => !hasSecret(line));
	const { labelled, rest } = splitLabelled(clean.join("\n"));
	const text = extract(rest.join("\n"), MAX.text);
	const decided = labelled.filter(({ kind }) => kind === "decision");
	const known = worked.flatMap((file) => {
		const state = files.get(file) ?? "gone";
		return state === "gone" || hasSecret(file) ? [] : [[file, state] as const];
	});
	const finding = {
		name,
		text,
		at,
		files: new Map(known.slice(0, MAX.files)),
		goal: hasSecret(goal) ? "" : hideHomes(goal).replace(/\s+/g, " ").trim().slice(0, MAX.goal),
	};
	return {
		at,
		findings: text === "" || hasSecret(text) ? [] : [finding],
		decisions: decided.map((line) => ({ text: extract(line.text, MAX.text), at })),
		secrets: Array.from({ length: lines.length - clean.length }, () => secret),
	};
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

/** The last part of a path to a file of secrets; examples such as `.env.example` are none. */
const SECRET =
	/^(?:\.env(?:\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.\w+)?|auth\.json|secrets?\.\w+|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/i;
const HARMLESS = /\.(?:example|sample|template|dist)$/i;
const SECRET_FOLDER = /(?:^|\/)\.(?:ssh|aws|gnupg|kube|docker)\//i;

/** Returns true for a file whose name says that it holds secrets: findings from one never enter the project memory. */
export function isSecretFile(name: string): boolean {
	const last = name.slice(name.lastIndexOf("/") + 1);
	return SECRET_FOLDER.test(name) || (SECRET.test(last) && !HARMLESS.test(last));
}
