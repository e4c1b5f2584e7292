/** The worker with bad marks: wrong, missing or never ended. */
import { fnv1a } from "#basics";
import type { ModelRequest, ScriptedModel } from "#testing";
import type { NewCall } from "#testing/worker";

/**
 * `flipped`: an expl is called an act, an act an expl. `dependencies-dropped`: an act declares none. `dependencies-invented`:
 * an act also declares an expl that has nothing to do with it. `never-ended`: an episode is not ended.
 * `name-reused`: a name was used before, so that the protocol refuses the start and the work is unmarked. `unmarked`: an
 * episode is not started.
 */
export const faults = [
	"flipped",
	"dependencies-dropped",
	"dependencies-invented",
	"never-ended",
	"name-reused",
	"unmarked",
] as const;

type Fault = (typeof faults)[number];

export interface BadMarks {
	readonly fault: Fault;
	/** Percent of the calls that the fault can change. */
	readonly share: number;
}

/** The same request is marked in the same way. */
export function withBadMarks(model: ScriptedModel, marks: BadMarks | undefined): ScriptedModel {
	if (!marks) return model;
	const { fault, share } = marks;
	const isDrawn = ({ name, arguments: input }: NewCall) =>
		name === "delimiter" &&
		(input.action === "end") === (fault === "never-ended") &&
		fnv1a(JSON.stringify(input)) % 100 < share;
	return (request) => {
		const reply = model(request);
		const calls = reply.calls?.flatMap((call): readonly NewCall[] => {
			const changed = isDrawn(call) ? damage(call.arguments, fault, request) : call.arguments;
			return changed ? [{ ...call, arguments: changed }] : [];
		});
		return calls ? { ...reply, calls } : reply;
	};
}

/** The arguments of a damaged call; undefined for a call that is not made. */
function damage(given: NewCall["arguments"], fault: Fault, request: ModelRequest) {
	const { dependencies, ...input } = given;
	const isAct = input.type === "act";
	switch (fault) {
		case "flipped":
			return isAct ? { ...input, type: "expl" } : { ...input, type: "act", dependencies: [] };
		case "dependencies-dropped":
			return isAct ? { ...input, dependencies: [] } : given;
		case "dependencies-invented":
			return isAct && Array.isArray(dependencies)
				? { ...input, dependencies: [...new Set([...dependencies, ...strangersIn(request)])] }
				: given;
		case "name-reused":
			return { ...given, name: "work" };
		case "never-ended":
		case "unmarked":
			return undefined;
	}
}

/** The oldest expl that is still in the request. */
function strangersIn({ messages }: ModelRequest): readonly string[] {
	const starts = messages.flatMap((message) => (message.type === "assistant" ? message.calls : []));
	const expl = starts.find(({ name, arguments: input }) => name === "delimiter" && input.type === "expl");
	return typeof expl?.arguments.name === "string" ? [expl.arguments.name] : [];
}
