/** States of sessions, as `/cwl report --json` answers them. */

import type { StateReport } from "../health/state-report.ts";
import { defaultSettings, describeSettings } from "../settings/load-settings.ts";

type Episode = StateReport["episodes"][number];
type Pass = StateReport["passes"][number];

/** An episode that is whole. */
export const closedExpl: Episode = {
	...{
		name: "find-limits",
		kind: "expl",
		origin: "declared",
		state: "closed",
		dependencies: [],
		tokens: 4_000,
	},
	description: "MOST is 7",
	restOf: null,
	isAnswer: false,
	isRecall: false,
	pinned: false,
	kept: false,
	level: 0,
	evictedTokens: 0,
};

/** A pass of the policy. */
export const madePass: Pass = {
	number: 1,
	policy: "cwl",
	budget: 20_000,
	before: 21_000,
	after: 14_000,
	sent: null,
	blockers: [],
	strips: [],
	reductions: [],
	lines: 0,
	rewritten: 9_000,
	cached: 3_000,
	isKnown: true,
	decision: {
		reason: "over budget",
		freed: 7_000,
		growth: 500,
		requestsToNext: 14,
	},
};

/** A session in which nothing has happened but a request. */
export const bareReport: StateReport = {
	version: 2,
	...{ settings: describeSettings(defaultSettings), origins: {}, problems: [] },
	...{ goal: null, state: { task: "", constraints: [], notedConstraints: [] }, checkpoint: null },
	requests: 20,
	budgetReason:
		"auto: at most 20k; a pass at that size, or by /cwl evict, aims at 8k but may spare open, pinned or restored work: the prices of opus are unknown",
	pressure: {
		used: 10_000,
		budget: 20_000,
		ceiling: 20_000,
		level: 0.5,
		zone: "green",
		velocity: 500,
		isSpike: false,
		turnsToRed: 16,
		source: "reported",
	},
	ledger: {
		system: 300,
		tools: 500,
		prologue: 100,
		user: 900,
		expl: 5_000,
		act: 3_000,
		unannotated: 0,
		markers: 200,
		unassigned: 0,
		total: 10_000,
	},
	traffic: { cached: 0, added: 0, rewritten: 0, expired: 0 },
	episodes: [],
	passes: [],
	alerts: [],
	nextPasses: [],
	health: {
		isKnown: true,
		utilisation: 0.5,
		compressionRatio: null,
		costs: null,
		marks: null,
		evicted: { share: 0, tokensPerRequest: 0, itemsPerRequest: 0 },
		burn: { recent: 500, before: 400, isSpike: false },
		toolResults: { tokens: 4_000, share: 0.4, largest: 900 },
		fidelity: { facts: 0, visible: 0, named: 0, isCompacted: false },
		thinking: { isOwn: true, all: 0, readable: 0, evicted: 0, forfeited: 0 },
		regret: { tokens: 0, again: 0, kept: 0, cost: null, saved: null, passes: [], calls: [] },
		lastTurn: null,
		trend: null,
		components: [],
		fastest: null,
	},
	droppedThinking: { requests: 0, afterPass: 0, lastBlocks: 0 },
};
