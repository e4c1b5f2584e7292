/**
 * Algorithm 1 of the paper ("Beyond Compaction", sections 4.2 to 4.4 and 5), transcribed from its text alone as a test oracle.
 *
 * It shares no code, no types and no data structure with the engine, and it was written without a look at `policies/paper.ts`:
 * a session is a flat list of pieces, and what is evicted is a set of places in that list. It is slow and short on purpose.
 * Where the paper is silent, a comment that starts with "Silent:" says how this transcription reads it.
 */

/** One piece of a session, in the order in which it was written. A call counts with its result. */
export type Piece =
	| { readonly kind: "user" | "reasoning" | "text"; readonly tokens: number }
	| { readonly kind: "call"; readonly tool: "search" | "interaction" | "write"; readonly tokens: number }
	| {
			readonly kind: "start";
			readonly name: string;
			readonly type: EpisodeType;
			readonly dependencies: readonly string[];
			readonly tokens: number;
	  }
	| { readonly kind: "end"; readonly tokens: number; readonly descriptionTokens: number };

type EpisodeType = "expl" | "act";

interface Episode {
	readonly type: EpisodeType;
	readonly isActive: boolean;
	/** Places of its pieces, oldest first. */
	readonly places: readonly number[];
	readonly dependencies: readonly Episode[];
}

const LEVELS = ["STRIP_REASONING", "STRIP_BULK_OUTPUT", "STRIP_INTERMEDIATE", "REMOVE_EPISODE"] as const;
type Level = (typeof LEVELS)[number];

/** The places that one pass leaves evicted, given those that earlier passes evicted. */
export function algorithm1(
	pieces: readonly Piece[],
	tokenBudget: number,
	evictedBefore: ReadonlySet<number> = new Set(),
): ReadonlySet<number> {
	const episodeGraph = buildGraph(pieces);
	const evicted = new Set(evictedBefore);
	while (countTokens(pieces, evicted) > tokenBudget) {
		const candidates = episodeGraph.filter(
			(episode) =>
				!episode.isActive &&
				!isFullyEvicted(episode, pieces, evicted) &&
				dependentsOf(episode, episodeGraph).every((dependent) => isFullyEvicted(dependent, pieces, evicted)),
		);
		const target =
			candidates.find(({ type }) => type === "act") ?? candidates.find(({ type }) => type === "expl");
		if (target === undefined) break;
		for (const level of LEVELS) {
			if (level === "STRIP_REASONING" && target.type === "act") continue;
			for (const place of target.places) if (isStrippedAt(level, pieces[place])) evicted.add(place);
			if (countTokens(pieces, evicted) <= tokenBudget) return evicted;
		}
	}
	return evicted;
}

/** Tokens of what is still sent. The description of an evicted expl is the one thing of it that stays (4.2). */
export function countTokens(pieces: readonly Piece[], evicted: ReadonlySet<number>): number {
	let tokens = 0;
	for (const [place, piece] of pieces.entries()) {
		if (!evicted.has(place)) tokens += piece.tokens;
		else if (piece.kind === "end") tokens += piece.descriptionTokens;
	}
	return tokens;
}

function isStrippedAt(level: Level, piece: Piece | undefined): boolean {
	if (piece === undefined || piece.kind === "user") return false; // Principle 3
	switch (level) {
		case "STRIP_REASONING":
			return piece.kind === "reasoning";
		case "STRIP_BULK_OUTPUT":
			return piece.kind === "call" && piece.tool === "search";
		case "STRIP_INTERMEDIATE":
			// Silent: writes and edits. The paper lists file reads and bash commands, so what an act is made of leaves with the episode.
			// A failed call leaves with its kind: the paper makes no difference.
			return piece.kind === "call" && piece.tool === "interaction";
		case "REMOVE_EPISODE":
			return true;
	}
}

/**
 * Episodes in the order of their first piece. The prologue is in none of them: it is what predates the first start (4.3).
 * Content that no mark covers is an expl of unknown dependencies (section 5). It has no start, so it is never active.
 * Silent: a session without any start. Its initial user turns are the prologue and the rest is one implicit expl.
 */
function buildGraph(pieces: readonly Piece[]): Episode[] {
	const firstStart = pieces.findIndex(({ kind }) => kind === "start");
	const firstWork = pieces.findIndex(({ kind }) => kind !== "user");
	const begin = firstStart >= 0 ? firstStart : firstWork;
	const episodes: Episode[] = [];
	const closedExpls = new Map<string, Episode>();
	let places: number[] = [];
	let open: Extract<Piece, { kind: "start" }> | undefined;

	function finish(isActive: boolean): void {
		const type = open?.type ?? "expl";
		// An act's dependencies are names of expls that were closed before it. Silent: a name used twice means the later expl.
		const dependencies = (open?.dependencies ?? []).flatMap((name) => closedExpls.get(name) ?? []);
		const episode: Episode = { type, isActive, places, dependencies };
		if (places.length > 0) episodes.push(episode);
		if (open?.type === "expl") closedExpls.set(open.name, episode);
		places = [];
		open = undefined;
	}

	for (const [place, piece] of pieces.entries()) {
		if (begin < 0 || place < begin) continue;
		if (piece.kind === "start") {
			finish(false);
			open = piece;
		}
		places.push(place);
		if (piece.kind === "end") finish(false);
	}
	finish(open !== undefined);
	return episodes;
}

function dependentsOf(episode: Episode, episodeGraph: readonly Episode[]): readonly Episode[] {
	return episodeGraph.filter(({ dependencies }) => dependencies.includes(episode));
}

/** User turns never leave, so an episode is fully evicted when nothing else of it is sent. */
function isFullyEvicted(episode: Episode, pieces: readonly Piece[], evicted: ReadonlySet<number>): boolean {
	return episode.places.every((place) => evicted.has(place) || pieces[place]?.kind === "user");
}
