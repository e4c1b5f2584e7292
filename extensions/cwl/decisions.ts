/** What a person decided about this session's content: passes by hand, passes taken back, pins. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { Descriptions, EpisodeId, Pass } from "#core";
import {
	DESCRIPTION_ENTRY,
	type DescriptionEntry,
	type ManagedSession,
	PASS_ENTRY,
	PIN_ENTRY,
	type PinEntry,
	type RestoredLog,
	UNDO_ENTRY,
} from "#pi";
import { emitPass } from "./events.ts";

export interface Decisions {
	readonly pinned: ReadonlySet<EpisodeId>;
	/** Episodes that were brought back since the last pass. */
	readonly spared: ReadonlySet<EpisodeId>;
	/** Make a pass that a person asked for. */
	evict(session: ManagedSession, pass: Pass): void;
	/** Take the last pass back; answers it, if there was one. */
	undo(session: ManagedSession): Pass | undefined;
	/** Keep an episode, or no longer. */
	pin(episode: EpisodeId, isPinned: boolean): void;
	/** Put a person's words in place of the model's descriptions. */
	describe(session: ManagedSession, edited: Descriptions, pass: Pass | undefined): void;
	/** The passes made or taken back since the last request: each of them cuts the cached prefix. Told once. */
	takeCuts(): readonly Pass[];
	/** A request made a pass: what was brought back has been spared once. */
	passed(): void;
	restore(log: Pick<RestoredLog, "pinned" | "spared" | "descriptions">): void;
	readonly descriptions: Descriptions;
}

/** `onCut` is called whenever what the model sees has changed. */
export function createDecisions(pi: ExtensionAPI, onCut: () => void): Decisions {
	let pinned: ReadonlySet<EpisodeId> = new Set();
	let spared: ReadonlySet<EpisodeId> = new Set();
	let descriptions: Descriptions = new Map();
	let cuts: readonly Pass[] = [];

	function cut(pass: Pass) {
		cuts = [...cuts, pass];
		onCut();
	}

	function make(session: ManagedSession, pass: Pass) {
		session.append(pass);
		pi.appendEntry(PASS_ENTRY, pass);
		emitPass(pi, pass, session.state().graph);
		cut(pass);
	}

	return {
		get pinned() {
			return pinned;
		},
		get spared() {
			return spared;
		},
		get descriptions() {
			return descriptions;
		},
		evict(session, pass) {
			make(session, pass);
			spared = new Set();
		},
		describe(session, edited, pass) {
			for (const [episode, text] of edited) {
				const entry: DescriptionEntry = { episode, text };
				pi.appendEntry(DESCRIPTION_ENTRY, entry);
			}
			descriptions = new Map([...descriptions, ...edited]);
			session.describe(descriptions);
			if (pass) make(session, pass);
		},
		undo(session) {
			const pass = session.undo();
			if (!pass) return undefined;
			pi.appendEntry(UNDO_ENTRY, { version: 1 });
			spared = new Set([...spared, ...pass.strips.map(({ episode }) => episode)]);
			cut(pass);
			return pass;
		},
		pin(episode, isPinned) {
			const entry: PinEntry = { episode, isPinned };
			pi.appendEntry(PIN_ENTRY, entry);
			const others = [...pinned].filter((id) => id !== episode);
			pinned = new Set(isPinned ? [...others, episode] : others);
		},
		takeCuts() {
			const taken = cuts;
			cuts = [];
			return taken;
		},
		passed() {
			spared = new Set();
		},
		restore(log) {
			pinned = log.pinned;
			spared = log.spared;
			descriptions = log.descriptions;
			cuts = [];
		},
	};
}
