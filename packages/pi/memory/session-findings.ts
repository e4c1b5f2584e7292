/** The facts that the project memory takes from one session: findings with their files, decisions, and the states of files. */
import type { Episode, Graph } from "#core/graph";
import { extract } from "#core/projection";
import { markedLines } from "../checkpoint/marked-lines.ts";
import type { HostMessage } from "../codec/host-message.ts";
import { locate } from "../codec/named-files.ts";
import { fileOfCall, type Manifest } from "../files/manifest.ts";
import { hasSecret, hideHomes } from "../redact.ts";
import { nameInRepository, shortState } from "./file-names.ts";
import { isSecretFile } from "./secret-files.ts";

/** Bounds of one finding: characters of its text, and files. */
const MAX = { text: 400, files: 12 };

/** By name relative to the repository: size and the first digits of the hash, or `gone`. */
export type FileStates = ReadonlyMap<string, string>;

export interface Decision {
	readonly text: string;
	/** When its episode ended; ISO 8601. */
	readonly at: string;
}

export interface Finding extends Decision {
	/** Of the episode. */
	readonly name: string;
	readonly files: FileStates;
}

export interface SessionFindings {
	readonly session: string;
	/** When the session's last message was written; ISO 8601. */
	readonly end: string;
	/** Oldest first. */
	readonly findings: readonly Finding[];
	readonly decisions: readonly Decision[];
	/** The files that the session knew at its end. */
	readonly files: FileStates;
	/** Lines and episodes that were left out because they look like secrets, or come from a file of secrets. */
	readonly secrets: readonly Decision[];
}

export interface SessionSources {
	readonly session: string;
	readonly cwd: string;
	/** The folder of the repository. */
	readonly root: string;
	readonly graph: Pick<Graph, "episodes">;
	/** Those of the graph. */
	readonly messages: readonly HostMessage[];
	readonly manifest: Manifest;
}

/** Takes the findings of all episodes that the model ended. The same session gives the same findings. */
export function findingsOf(sources: SessionSources): SessionFindings {
	const { session, graph, messages } = sources;
	const files = filesIn(sources);
	const found: SessionFindings = {
		session: /^[\w-]{1,64}$/.test(session) ? session : "unnamed",
		end: timeOf(messages.at(-1)),
		...{ findings: [], decisions: [], files, secrets: [] },
	};
	const taken = graph.episodes
		.filter(({ state, origin, description }) => state === "closed" && origin === "declared" && description)
		.map((episode) => takeEpisode(sources, files, episode))
		.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
	return {
		...found,
		findings: taken.flatMap(({ finding }) => finding ?? []),
		decisions: taken.flatMap(({ decisions }) => decisions),
		secrets: taken.flatMap(({ secrets }) => secrets),
	};
}

interface Taken {
	readonly at: string;
	readonly finding: Finding | undefined;
	readonly decisions: readonly Decision[];
	readonly secrets: readonly Decision[];
}

function takeEpisode({ cwd, root, messages }: SessionSources, files: FileStates, episode: Episode): Taken {
	const { name, items, description = "" } = episode;
	const at = timeOf(messages[Math.max(0, ...items.map(({ message }) => message))]);
	const worked = new Set(
		items.flatMap((item) => {
			const file = item.type === "call" ? fileOfCall(cwd, item.tool, item.arguments) : undefined;
			return (file === undefined ? undefined : nameInRepository(root, locate(cwd, file))) ?? [];
		}),
	);
	const secret = { text: name, at };
	if (hasSecret(name) || [...worked].some(isSecretFile)) {
		return { at, finding: undefined, decisions: [], secrets: [secret] };
	}
	const lines = description.split("\n").map((line) => hideHomes(line.replaceAll(`${root}/`, "")));
	const clean = lines.filter((line) => !hasSecret(line));
	const text = extract(clean.filter((line) => markedLines(line).length === 0).join("\n"), MAX.text);
	const marked = markedLines(clean.join("\n")).filter(({ kind }) => kind === "decision");
	const known = [...worked].flatMap((file): readonly (readonly [string, string])[] => {
		const state = files.get(file);
		return state === undefined || state === "gone" || hasSecret(file) ? [] : [[file, state]];
	});
	const isKept = text !== "" && !hasSecret(text);
	return {
		at,
		finding: isKept ? { name, text, at, files: new Map(known.slice(0, MAX.files)) } : undefined,
		decisions: marked.map((line) => ({ text: extract(line.text, MAX.text), at })),
		secrets: Array.from({ length: lines.length - clean.length }, () => secret),
	};
}

function filesIn({ cwd, root, manifest }: SessionSources): FileStates {
	const states = [...manifest].flatMap(([file, state]): readonly (readonly [string, string])[] => {
		const name = nameInRepository(root, locate(cwd, file));
		return name === undefined ? [] : [[name, shortState(state)]];
	});
	return new Map(states);
}

function timeOf(message: HostMessage | undefined): string {
	const time = Number(message?.timestamp);
	return new Date(Number.isFinite(time) && Math.abs(time) < 8e15 ? time : 0).toISOString();
}
