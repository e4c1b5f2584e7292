/** Ways in which a model marks its episodes badly (paper, section 5), as changes to the episodes that a replay marks. */
import type { MarkedEpisode } from "#replay";

/**
 * `flipped`: an expl is called an act, an act an expl. `dependencies-dropped`: an act declares none. `dependencies-invented`:
 * an act also declares an expl that has nothing to do with it. `never-ended`: the episode goes on over the next one.
 * `name-reused`: a name was used before, so that the protocol refuses the start and the work is unmarked. `unmarked`: no
 * mark at all.
 */
export const faults = [
	"flipped",
	"dependencies-dropped",
	"dependencies-invented",
	"never-ended",
	"name-reused",
	"unmarked",
] as const;

export type Fault = (typeof faults)[number];

/** Damages this share of the episodes that the fault can damage, drawn by `random`. */
export function damageMarks(
	episodes: readonly MarkedEpisode[],
	fault: Fault,
	share: number,
	random: () => number,
): readonly MarkedEpisode[] {
	const damaged: MarkedEpisode[] = [];
	for (const [index, episode] of episodes.entries()) {
		const last = damaged.at(-1);
		const earlier = episodes.slice(0, index);
		if (!canHave(fault, episode, earlier) || random() >= share) damaged.push(episode);
		else if (fault === "never-ended") damaged.splice(-1, 1, ...(last ? [{ ...last, end: episode.end }] : []));
		else if (fault !== "unmarked") damaged.push(damage(episode, fault, earlier, random));
	}
	const kinds = new Map(damaged.map(({ name, kind }) => [name, kind]));
	// Nobody can declare what is no expl: the protocol would refuse the whole act.
	return damaged.map((episode) => ({
		...episode,
		dependencies: episode.dependencies.filter((name) => kinds.get(name) === "expl"),
	}));
}

function canHave(
	fault: Fault,
	{ kind, dependencies }: MarkedEpisode,
	earlier: readonly MarkedEpisode[],
): boolean {
	switch (fault) {
		case "flipped":
		case "unmarked":
			return true;
		case "dependencies-dropped":
			return kind === "act" && dependencies.length > 0;
		case "dependencies-invented":
			return kind === "act" && earlier.some((other) => isStranger(other, dependencies));
		case "never-ended":
		case "name-reused":
			return earlier.length > 0;
	}
}

function isStranger({ name, kind }: MarkedEpisode, dependencies: readonly string[]): boolean {
	return kind === "expl" && !dependencies.includes(name);
}

function damage(
	episode: MarkedEpisode,
	fault: Exclude<Fault, "never-ended" | "unmarked">,
	earlier: readonly MarkedEpisode[],
	random: () => number,
): MarkedEpisode {
	const pick = (from: readonly MarkedEpisode[]) => from[Math.floor(random() * from.length)]?.name ?? "";
	switch (fault) {
		case "flipped":
			return { ...episode, kind: episode.kind === "act" ? "expl" : "act" };
		case "dependencies-dropped":
			return { ...episode, dependencies: [] };
		case "dependencies-invented": {
			const strangers = earlier.filter((other) => isStranger(other, episode.dependencies));
			return { ...episode, dependencies: [...episode.dependencies, pick(strangers)] };
		}
		case "name-reused":
			return { ...episode, name: pick(earlier) };
	}
}
