/** The user's decisions about this session's content, and the one way in which a pass comes into force. */
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Pass } from "#core/log";
import type { Descriptions } from "#core/planning";
import { nameBlocker } from "#pi/screen";
import {
	DESCRIPTION_ENTRY,
	type ManagedSession,
	PASS_ENTRY,
	PREFIX_ENTRY,
	type PrefixChange,
	UNDO_ENTRY,
} from "#pi/session";
import { emit } from "../events.ts";
import type { EntryLog } from "./entry-log.ts";
import type { RequestContext } from "./request-context.ts";

export type Decisions = ReturnType<typeof createDecisions>;

/** `onCut` is called whenever what the model sees has changed: an injected text may have left, or come back. */
export function createDecisions(pi: ExtensionAPI, log: EntryLog, onCut: () => void) {
	let cuts: readonly Pass[] = [];

	function cut(pass: Pass) {
		cuts = [...cuts, pass];
		onCut();
	}

	/** A pass that a request made, and that the session's log holds already, comes into force. */
	function commit({ ctx, session, sizes, settings }: RequestContext, pass: Pass) {
		const reportedBudget = sizes.budget(pass.budget);
		const { budget: wanted, lowWater, policy: name } = settings;
		const madeUnder = { isAuto: wanted.type === "auto", lowWater, policy: name };
		log.write(ctx, PASS_ENTRY, { ...pass, reportedBudget, settings: madeUnder });
		cut(pass);
		const { policy, budget, before, after, blockers, decision = null } = pass;
		const touched = new Set(pass.strips.map(({ episode }) => episode));
		const { episodes } = session.state().graph;
		emit(pi, "cwl:pass", {
			...{ policy, budget, before, after, decision, blockers: blockers.map(nameBlocker) },
			episodes: episodes.filter(({ id }) => touched.has(id)).map(({ name }) => name),
		});
	}

	/** A pass that the user asked for comes into force with the next request. */
	function evict(request: RequestContext, pass: Pass) {
		request.session.append(pass);
		commit(request, pass);
	}

	return {
		commit,
		evict,
		/** Puts the user's words in place of the model's descriptions, and sends them with the next request. */
		describe(request: RequestContext, edited: Descriptions, pass: Pass | undefined) {
			for (const [episode, text] of edited) log.write(request.ctx, DESCRIPTION_ENTRY, { episode, text });
			request.session.describe(log.decided().descriptions);
			if (pass) evict(request, pass);
		},
		/** Takes the last pass over these messages back. */
		undo(ctx: ExtensionContext, session: ManagedSession, ...planned: Parameters<ManagedSession["undo"]>) {
			const undone = session.undo(...planned);
			if (!undone) return;
			const { pass, change } = undone;
			log.write(ctx, UNDO_ENTRY, { version: 1, ...(change && { change }) });
			cut(pass);
		},
		/** A request begins in another way than the one before it. */
		changePrefix(ctx: ExtensionContext, { prefix, pass }: PrefixChange) {
			log.write(ctx, PREFIX_ENTRY, { version: 1, ...prefix, ...(pass && { change: pass }) });
			if (pass) cut(pass);
		},
		/** The passes made or taken back since the last request: each of them cuts the cached prefix. Empty afterwards. */
		takeCuts(): readonly Pass[] {
			const taken = cuts;
			cuts = [];
			return taken;
		},
	};
}
