/** A model that marks its episodes badly (paper, section 5), by changes to the delimiter calls of one that marks them well. */
import { fnv1a } from "#core";
import type { ModelRequest, NewCall, ScriptedModel } from "#loopback";

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
	return (request) => {
		const reply = model(request);
		const calls = reply.calls?.flatMap((call) =>
			isDrawn(call, marks) ? damage(call, marks.fault, request) : [call],
		);
		return calls ? { ...reply, calls } : reply;
	};
}

function isDrawn({ name, arguments: input }: NewCall, { fault, share }: BadMarks): boolean {
	const isEnd = input.action === "end";
	return (
		name === "delimiter" && isEnd === (fault === "never-ended") && fnv1a(JSON.stringify(input)) % 100 < share
	);
}

function damage(call: NewCall, fault: Fault, request: ModelRequest): readonly NewCall[] {
	const { dependencies, ...input } = call.arguments;
	const isAct = input.type === "act";
	const become = (changed: NewCall["arguments"]): readonly NewCall[] => [{ ...call, arguments: changed }];
	switch (fault) {
		case "flipped":
			return become(isAct ? { ...input, type: "expl" } : { ...input, type: "act", dependencies: [] });
		case "dependencies-dropped":
			return isAct ? become({ ...input, dependencies: [] }) : [call];
		case "dependencies-invented":
			return isAct && Array.isArray(dependencies)
				? become({ ...input, dependencies: [...new Set([...dependencies, ...strangersIn(request)])] })
				: [call];
		case "name-reused":
			return become({ ...call.arguments, name: "work" });
		case "never-ended":
		case "unmarked":
			return [];
	}
}

/** The oldest expl that is still in the request. */
function strangersIn({ messages }: ModelRequest): readonly string[] {
	const starts = messages.flatMap((message) => (message.type === "assistant" ? message.calls : []));
	const expl = starts.find(({ name, arguments: input }) => name === "delimiter" && input.type === "expl");
	return typeof expl?.arguments.name === "string" ? [expl.arguments.name] : [];
}
