/** The user's decisions about this session's content, and the one way in which a pass comes into force. */
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { Pass } from "#core/log";
import type { Descriptions, PlanInput } from "#core/planning";
import { nameBlocker, passSizes, reportDecision } from "#pi/screen";
import { DESCRIPTION_ENTRY, PASS_ENTRY, PREFIX_ENTRY, type PrefixChange, UNDO_ENTRY } from "#pi/session";
import { emit } from "../events.ts";
import type { EntryLog } from "./entry-log.ts";
import type { FixedParts } from "./fixed-parts.ts";
import type { GaugeState } from "./gauge.ts";
import type { RequestContext } from "./request-context.ts";
import type { Outlook } from "./session-state.ts";

export type Decisions = ReturnType<typeof createDecisions>;

/** `onChange` is called whenever what the model sees has changed: an injected text may have left, or come back. */
export function createDecisions(
	pi: ExtensionAPI,
	log: EntryLog,
	gauge: GaugeState,
	fixed: FixedParts,
	onChange: () => void,
) {
	let changes: readonly Pass[] = [];

	function changed(pass: Pass) {
		changes = [...changes, pass];
		onChange();
	}

	/**
	 * A pass with its sizes as the provider would count them: its figures do not move with later reports. `then` is the session with the
	 * pass in force: sealed thinking may have left with it, or with a compaction since the last request.
	 */
	function withSizes(pass: Pass, { ctx, sizes }: RequestContext, then: PlanInput): Pass {
		gauge.measure(ctx, then);
		const after = gauge.read(ctx).sizes.whole(pass.after);
		const reported = { ...passSizes(pass, sizes).reported, after };
		const { isKnown, sealedWeight } = sizes;
		return { ...pass, reported, sealedWeight, ...(!isKnown && { isEstimated: true }) };
	}

	/** A pass that a request made, and that the session's log holds already, comes into force. Returns it with its sizes as the provider would count them. */
	function commit(request: RequestContext, pass: Pass): Pass {
		const { ctx, session, sizes, settings } = request;
		const { budget: wanted, lowWater, policy: name } = settings;
		const madeUnder = { isAuto: wanted.type === "auto", lowWater, policy: name };
		const then = session.planInput(request.messages, request.plan);
		const recorded = withSizes(pass, request, then);
		log.write(ctx, PASS_ENTRY, { ...recorded, settings: madeUnder });
		const { reported, part } = passSizes(recorded, sizes);
		changed(pass);
		const { policy, blockers } = pass;
		const decision = pass.decision ? reportDecision(pass.decision, part) : null;
		const touched = new Set(pass.strips.map(({ episode }) => episode));
		const { episodes } = then.graph;
		emit(pi, "cwl:pass", {
			policy,
			...reported,
			decision,
			blockers: blockers.map(nameBlocker),
			episodes: episodes.filter(({ id }) => touched.has(id)).map(({ name }) => name),
		});
		return recorded;
	}

	/** A pass that the user asked for comes into force with the next request. */
	function evict(request: RequestContext, pass: Pass): Pass {
		request.session.append(pass);
		return commit(request, pass);
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
		undo(outlook: Outlook) {
			const undone = outlook.session.undo(outlook.messages, outlook.input);
			if (!undone) return;
			const { pass, change } = undone;
			gauge.measure(outlook.ctx, outlook.session.planInput(outlook.messages, outlook.plan));
			log.write(outlook.ctx, UNDO_ENTRY, { version: 1, ...(change && { change }) });
			changed(pass);
		},
		/** A request begins in another way than the one before it. */
		changePrefix(request: RequestContext, { prefix, pass }: PrefixChange) {
			const { session, messages, plan } = request;
			if (pass) gauge.measure(request.ctx, session.planInput(messages, plan, prefix.isOn));
			const size = fixed.inFront() ?? request.plan.fixed;
			log.write(request.ctx, PREFIX_ENTRY, {
				version: 1,
				...prefix,
				fixed: size,
				...(pass && { change: pass }),
			});
			if (pass) changed(pass);
		},
		/** The passes made or taken back since the last request: each of them changes the cached prefix. Empty afterwards. */
		takeChanges(): readonly Pass[] {
			const taken = changes;
			changes = [];
			return taken;
		},
	};
}
