/** The effect of each operation on the world. */
import type { Episode } from "#core/graph";
import type { Pass } from "#core/log";
import { type PlanInput, planEpisode, planFadePass, planManualPass } from "#core/planning";
import { planDescriptions } from "#core/projection";
import {
	DESCRIPTION_ENTRY,
	PASS_ENTRY,
	PIN_ENTRY,
	planRelease,
	policyNames,
	STEERING_ENTRY,
	UNDO_ENTRY,
} from "#pi";
import { writeBatch } from "./batch.ts";
import type { Operation } from "./operations.ts";
import { recallSomething } from "./recalling.ts";
import { say } from "./saying.ts";
import { textOf } from "./texts.ts";
import {
	componentBudgetsAt,
	countCharacters,
	fadingAt,
	outputLimitsAt,
	pickFrom,
	record,
	reopen,
	send,
	settingsOf,
	steer,
	type World,
	wireAt,
	write,
} from "./world.ts";

export function apply(world: World, operation: Operation) {
	switch (operation.type) {
		case "say":
			return say(world, operation);
		case "batch":
			return writeBatch(world, operation.blocks, operation.ending, operation.steers);
		case "recall":
			return recallSomething(world, operation.pick, operation.isByModel);
		case "budget":
			return steer(world, { budget: operation.budget });
		case "policy":
			return steer(world, { policy: pickFrom(policyNames(), operation.pick) ?? "cwl" });
		case "components":
			world.componentBudgets = componentBudgetsAt(operation.pick);
			return;
		case "fading":
			world.fading = fadingAt(operation.pick);
			return;
		case "outputs":
			world.outputLimits = outputLimitsAt(operation.pick);
			return;
		case "switch":
			return steer(world, { enabled: operation.isOn });
		case "state": {
			const text = textOf(operation.size, operation.flavour);
			const state = { task: text, constraints: [text], notedConstraints: [text, ""] };
			return record(world, STEERING_ENTRY, state);
		}
		case "model":
			world.wire = wireAt(operation.pick);
			return;
		case "clock":
			world.clock += operation.leap;
			return;
		case "cold":
			world.isCold = true;
			return;
		default:
			return operation.type === "fork" || operation.type === "move" || operation.type === "compact"
				? moveAway(world, operation)
				: decide(world, operation);
	}
}

type Decision = Extract<
	Operation,
	{
		readonly type:
			| "pass"
			| "zone"
			| "undo"
			| "release"
			| "resume"
			| "reload"
			| "evict"
			| "unpin"
			| "pin"
			| "describe"
			| "crash";
	}
>;

/** Decisions of the user, and processes that end. */
function decide(world: World, operation: Decision) {
	switch (operation.type) {
		case "resume":
			return reopen(world, world.file.reopen());
		case "reload":
			return reopen(world, world.file.reopen(world.file.leaf()));
		case "crash":
			return reopen(world, world.file.crash(operation.lines));
		case "undo":
			return undo(world);
		case "pass":
			return makePass(world, (input) => planManualPass(settingsOf(world).policy, input));
		case "zone":
			// The request that enters the zone has made its own pass, and is not sent.
			send(world);
			return makePass(world, (input) => {
				const { policy } = settingsOf(world);
				const plan = world.fading === "on" ? planFadePass : planManualPass;
				const pass = plan(policy, input);
				return pass && { ...pass, policy: policy.name };
			});
		case "release":
			return makePass(world, (input) => planRelease(world.file.context(), input, countCharacters));
		case "evict":
			return withEpisode(world, operation.pick, (episode) => {
				if (!world.log.pinned.has(episode.id)) makePass(world, (input) => planEpisode(input, episode));
			});
		case "describe":
			return withEpisode(world, operation.pick, ({ id }) =>
				describe(world, id, textOf(operation.pick, operation.pick)),
			);
		default:
			return withEpisode(world, operation.pick, ({ id }) => pin(world, id, operation.type === "pin"));
	}
}

function inputOf(world: World): PlanInput | undefined {
	const history = world.file.context();
	if (!world.steering.enabled || history.length === 0) return undefined;
	return world.session.planInput(history, settingsOf(world));
}

function withEpisode(world: World, pick: number, use: (episode: Episode) => void) {
	const episode = pickFrom(inputOf(world)?.graph.episodes ?? [], pick);
	if (episode) use(episode);
}

function makePass(world: World, plan: (input: PlanInput) => Pass | undefined) {
	const input = inputOf(world);
	const pass = input && plan(input);
	if (!pass) return;
	world.session.append(pass);
	record(world, PASS_ENTRY, pass);
	world.log = { ...world.log, spared: new Set() };
	world.userPass = pass;
}

function undo(world: World) {
	const undone = world.session.undo(world.file.context(), settingsOf(world));
	if (!undone) return;
	record(world, UNDO_ENTRY, { version: 1, ...(undone.change && { change: undone.change }) });
	const spared = new Set([...world.log.spared, ...undone.pass.strips.map(({ episode }) => episode)]);
	world.log = { ...world.log, spared };
	world.isRewound = true;
}

function pin(world: World, episode: string, isPinned: boolean) {
	record(world, PIN_ENTRY, { episode, isPinned });
	const pinned = new Set(world.log.pinned);
	if (isPinned) pinned.add(episode);
	else pinned.delete(episode);
	world.log = { ...world.log, pinned };
}

function describe(world: World, episode: string, text: string) {
	const input = inputOf(world);
	const edited = new Map([[episode, text]]);
	const pass = input && planDescriptions(input, edited);
	record(world, DESCRIPTION_ENTRY, { episode, text });
	world.log = { ...world.log, descriptions: new Map([...world.log.descriptions, ...edited]) };
	world.session.describe(world.log.descriptions);
	if (pass) makePass(world, () => pass);
}

function moveAway(
	world: World,
	operation: Extract<Operation, { readonly type: "fork" | "move" | "compact" }>,
) {
	const branch = world.file.branch();
	// In a real session seconds pass before such an entry.
	world.clock += 1_000;
	if (operation.type === "compact") {
		const cuts = branch.filter((entry) => entry.type === "message" && entry.message.role !== "toolResult");
		const first = pickFrom(cuts, operation.pick);
		if (!first) return;
		const summary = textOf(operation.size, operation.pick);
		write(world, { type: "compaction", summary, firstKeptEntryId: first.id, tokensBefore: 1 });
		world.isRewound = true;
		return;
	}
	const ids = operation.type === "fork" ? branch.map(({ id }) => id) : world.file.ids();
	const target = pickFrom(ids, operation.pick);
	if (target === undefined) return;
	if (operation.type === "fork") return reopen(world, world.file.fork(target));
	world.file.move(target);
	if (operation.hasSummary)
		write(world, { type: "branch_summary", fromId: target, summary: "what was there" });
	const { file } = world;
	reopen(world, file);
}
