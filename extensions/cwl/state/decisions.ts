/** The user's decisions about this session's content, and the one way in which a pass comes into force. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EpisodeId } from "#core/graph";
import { type Pass, touchedEpisodes } from "#core/log";
import type { Descriptions } from "#core/planning";
import type { ManagedSession, PrefixChange, RestoredLog } from "#pi";
import { emitPass } from "../events.ts";
import type { EntryLog } from "./entry-log.ts";

export interface Decisions {
	readonly pinned: ReadonlySet<EpisodeId>;
	/** Episodes that were brought back since the last pass. */
	readonly spared: ReadonlySet<EpisodeId>;
	readonly descriptions: Descriptions;
	/** A pass that a request made, and that the session's log holds already, comes into force. */
	commit(ctx: ExtensionContext, session: ManagedSession, pass: Pass): void;
	/** A pass that the user asked for comes into force with the next request. */
	evict(ctx: ExtensionContext, session: ManagedSession, pass: Pass): void;
	/** Take the last pass over these messages back; returns it, undefined without any. */
	undo(
		ctx: ExtensionContext,
		session: ManagedSession,
		...planned: Parameters<ManagedSession["undo"]>
	): Pass | undefined;
	/** A request begins in another way than the one before it. */
	changePrefix(ctx: ExtensionContext, change: PrefixChange): void;
	/** Keep an episode, or no longer. */
	pin(ctx: ExtensionContext, episode: EpisodeId, isPinned: boolean): void;
	/** Put the user's words in place of the model's descriptions, and send them with the next request. */
	describe(
		ctx: ExtensionContext,
		session: ManagedSession,
		edited: Descriptions,
		pass: Pass | undefined,
	): void;
	/** The passes made or taken back since the last request: each of them cuts the cached prefix. Empty afterwards. */
	takeCuts(): readonly Pass[];
	restore(log: Pick<RestoredLog, "pinned" | "spared" | "descriptions">): void;
}

export interface DecisionHooks {
	/** The budget that a pass was made for, in the tokens of the provider. */
	readonly reportedBudget: (ctx: ExtensionContext, counted: number) => number;
	/** Called whenever what the model sees has changed: an injected text may have left, or come back. */
	readonly onCut: () => void;
}

export function createDecisions(
	pi: ExtensionAPI,
	log: EntryLog,
	{ reportedBudget, onCut }: DecisionHooks,
): Decisions {
	let pinned: ReadonlySet<EpisodeId> = new Set();
	let spared: ReadonlySet<EpisodeId> = new Set();
	let descriptions: Descriptions = new Map();
	let cuts: readonly Pass[] = [];

	function cut(pass: Pass) {
		cuts = [...cuts, pass];
		onCut();
	}

	function commit(ctx: ExtensionContext, session: ManagedSession, pass: Pass) {
		log.open(ctx).pass({ ...pass, reportedBudget: reportedBudget(ctx, pass.budget) });
		cut(pass);
		// What was brought back has been spared once.
		spared = new Set();
		emitPass(pi, pass, session.state().graph);
	}

	function evict(ctx: ExtensionContext, session: ManagedSession, pass: Pass) {
		session.append(pass);
		commit(ctx, session, pass);
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
		commit,
		evict,
		describe(ctx, session, edited, pass) {
			log.open(ctx).describe(edited);
			descriptions = new Map([...descriptions, ...edited]);
			session.describe(descriptions);
			if (pass) evict(ctx, session, pass);
		},
		undo(ctx, session, ...planned) {
			const undone = session.undo(...planned);
			if (!undone) return undefined;
			const { pass, change } = undone;
			log.open(ctx).undo(change);
			spared = new Set([...spared, ...touchedEpisodes(pass)]);
			cut(pass);
			return pass;
		},
		changePrefix(ctx, change) {
			log.open(ctx).prefix(change);
			if (change.pass) cut(change.pass);
		},
		pin(ctx, episode, isPinned) {
			log.open(ctx).pin(episode, isPinned);
			const others = [...pinned].filter((id) => id !== episode);
			pinned = new Set(isPinned ? [...others, episode] : others);
		},
		takeCuts() {
			const taken = cuts;
			cuts = [];
			return taken;
		},
		restore(restored) {
			pinned = restored.pinned;
			spared = restored.spared;
			descriptions = restored.descriptions;
			cuts = [];
		},
	};
}
