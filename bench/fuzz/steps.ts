/** The effect of each operation on the world. */
import { isDeepStrictEqual } from "node:util";
import type { Episode } from "#core/graph";
import type { Pass } from "#core/log";
import { type PlanInput, planDescriptions, planEpisode, planManualPass } from "#core/planning";
import { planZonePass } from "#pi/add-ons";
import { RECALL_MESSAGE } from "#pi/codec";
import {
	DESCRIPTION_ENTRY,
	PASS_ENTRY,
	PIN_ENTRY,
	planRelease,
	STEERING_ENTRY,
	UNDO_ENTRY,
} from "#pi/session";
import { countCharacters } from "../../packages/pi/test-support/host-messages.ts";
import { partsNotShown, recallPart, recallSession } from "../../packages/pi/test-support/recalls.ts";
import type { Of, Operation } from "./any-script.ts";
import { writeRecall, writeStep } from "./messages.ts";
import type { SessionFile } from "./session-file.ts";
import { isOn, open, record, send, settingsOf, type World, write } from "./world.ts";

export function apply(world: World, operation: Operation) {
	const { file } = world;
	switch (operation.type) {
		case "step":
			return writeStep(world, operation);
		case "entries":
			world.clock = operation.time;
			for (const entry of operation.entries) write(world, entry);
			return;
		case "recall":
			return recallSomething(world, operation);
		case "steer":
			return record(world, STEERING_ENTRY, operation.change);
		case "configure":
			world.settings = { ...world.settings, ...operation.change };
			return;
		case "clock":
			world.clock += operation.leap;
			return;
		case "cold":
			world.isCold = true;
			return;
		case "resume":
			return reopen(world, file.resume());
		case "reload":
			return reopen(world, file.reload());
		case "crash":
			reopen(world, file.crash(operation.lines));
			// A file is opened at its end, where a moved session has not been.
			world.isRewound ||= world.file.leaf() !== file.leaf();
			return;
		case "fork":
		case "move":
			return moveAway(world, operation);
		case "compact":
			return compact(world, operation);
		case "undo":
			return undo(world);
		case "pass":
			return makePass(world, (input) => planManualPass(settingsOf(world).policy, input));
		case "zone":
			// The request that enters the zone has made its own pass, and is not sent.
			if (isOn(world)) send(world);
			return makePass(world, (input) =>
				planZonePass(settingsOf(world).policy, input, world.settings.fading === "on" ? "fade" : "pass"),
			);
		case "release":
			return makePass(world, (input) => planRelease(file.context(), input, countCharacters));
		default: {
			const episode = pickFrom(inputOf(world)?.graph.episodes ?? [], operation.pick);
			if (episode) decide(world, episode, operation);
		}
	}
}

/** An element of a list, whatever the index; undefined in an empty one. */
function pickFrom<T>(list: readonly T[], index: number): T | undefined {
	return list[index % list.length];
}

/** A decision of the user about an episode. */
function decide(world: World, episode: Episode, operation: Of<"evict" | "describe" | "pin" | "unpin">) {
	const { id } = episode;
	const { log } = world;
	if (operation.type === "describe") describe(world, id, operation.text);
	else if (operation.type !== "evict")
		record(world, PIN_ENTRY, { episode: id, isPinned: operation.type === "pin" });
	else if (!log.pinned.has(id)) makePass(world, (input) => planEpisode(input, episode));
	const isLost = operation.type === "describe" && log.descriptions.get(id) !== operation.text;
	if (isLost || (operation.type === "pin" && !log.pinned.has(id)))
		throw new Error("rule 10: a decision is lost");
}

function reopen(world: World, file: SessionFile) {
	Object.assign(world, open(file));
}

function inputOf(world: World): PlanInput | undefined {
	return isOn(world) ? world.session.planInput(world.file.context(), settingsOf(world)) : undefined;
}

function makePass(world: World, plan: (input: PlanInput) => Pass | undefined) {
	const input = inputOf(world);
	const pass = input && plan(input);
	if (!pass) return;
	world.session.append(pass);
	record(world, PASS_ENTRY, pass);
	world.isCut = true;
}

function undo(world: World) {
	const undone = world.session.undo(world.file.context(), settingsOf(world));
	if (!undone) return;
	record(world, UNDO_ENTRY, { version: 1, change: undone.change });
	world.isRewound = true;
}

function describe(world: World, episode: Episode["id"], text: string) {
	const input = inputOf(world);
	const pass = input && planDescriptions(input, new Map([[episode, text]]));
	record(world, DESCRIPTION_ENTRY, { episode, text });
	world.session.describe(world.log.descriptions);
	if (pass) makePass(world, () => pass);
}

/** In a real session seconds pass before a compaction or a move in the tree. */
const PAUSE_MS = 1_000;

function compact(world: World, { pick, text: summary }: Of<"compact">) {
	world.clock += PAUSE_MS;
	const cuts = world.file
		.branch()
		.filter((entry) => entry.type === "message" && entry.message.role !== "toolResult");
	const first = pickFrom(cuts, pick);
	if (!first) return;
	write(world, { type: "compaction", summary, firstKeptEntryId: first.id, tokensBefore: 1 });
	world.isRewound = true;
}

function moveAway(world: World, operation: Of<"fork"> | Of<"move">) {
	const { file } = world;
	world.clock += PAUSE_MS;
	const ids = operation.type === "fork" ? file.branch().map(({ id }) => id) : file.ids();
	const target = pickFrom(ids, operation.pick) ?? "";
	if (operation.type === "fork") return reopen(world, file.fork(target));
	file.move(target);
	if (operation.hasSummary)
		write(world, { type: "branch_summary", fromId: target, summary: "what was there" });
	reopen(world, file);
}

/** Recalls a part that was evicted or shortened, if there is one. Throws if the recalled text is not the original (rule 12). */
function recallSomething(world: World, { pick, isByModel }: Of<"recall">) {
	const known = recallSession(world.session, world.file.context());
	const part = pickFrom(partsNotShown(known), pick);
	if (!part) return;
	const { wanted, found, answers } = recallPart(known, part);
	if (!isDeepStrictEqual(found, wanted))
		throw new Error(`rule 12: recall gives back ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`);
	const content = answers[0]?.text ?? "";
	if (isByModel) writeRecall(world, part.handle, content);
	else write(world, { type: "custom_message", customType: RECALL_MESSAGE, content, display: true });
}
