/** Tasks of a user as pi's messages, with marked and unmarked work. */
import fc from "fast-check";
import type { HostMessage } from "../codec/host-message.ts";
import * as say from "./host-messages.ts";

/** A task of the user: outputs in characters, whether the model marks its work, and what comes before it. */
export const anyTask = fc.record({
	outputs: fc.array(fc.integer({ min: 50, max: 4_000 }), { minLength: 1, maxLength: 3 }),
	isMarked: fc.boolean(),
	/** Without an end, the next task ends the act. */
	isEnded: fc.boolean(),
	/** A pause after which the cache is cold, a resume, or a note of ours. */
	before: fc.constantFrom("nothing", "nothing", "nothing", "pause", "resume", "note"),
});
export type Task = typeof anyTask extends fc.Arbitrary<infer T> ? T : never;

/** The exchanges of a task: each an answer of the model and the results of its calls. */
export function exchangesOf({ outputs, isMarked, isEnded }: Task, at: number, isOpen: boolean) {
	const mark = (id: string, args: Record<string, unknown>) =>
		isMarked || id === "close" ? [say.calls(`${id}${at}`, "delimiter", args)] : [];
	const exchange = (calls: readonly say.ModelBlock[], length: number) => [
		say.reply([say.says("I go on."), ...calls]),
		...calls.map((block) => {
			const { id, name } = block.type === "toolCall" ? block : { id: "", name: "" };
			return say.result(id, [say.words(name === "delimiter" ? "ok" : `${id}\n`.repeat(length / 8))]);
		}),
	];
	const reads = outputs.map((_, file) =>
		say.calls(`read${at}.${file}`, "read", { path: `src/${at}-${file}.ts` }),
	);
	const expl = { action: "start", name: `find-${at}`, type: "expl" };
	const act = { action: "start", name: `fix-${at}`, type: "act", dependencies: [`find-${at}`] };
	const found = mark("found", { action: "end", description: `read ${at}` });
	const run = [say.calls(`run${at}`, "bash", { command: `make ${at}` })];
	return [
		exchange(
			[...(isOpen ? mark("close", { action: "end" }) : []), ...mark("start", expl), ...reads],
			outputs[0] ?? 0,
		),
		exchange([...found, ...mark("act", act), ...run], outputs.at(-1) ?? 0),
		...(isEnded
			? [
					exchange(
						[...run.map((call) => ({ ...call, id: `check${at}` })), ...mark("end", { action: "end" })],
						60,
					),
				]
			: []),
		[say.reply([say.says(`Task ${at} is done.`)])],
	];
}

/** A task of marked work that reads these files whole and runs a command. */
export function taskOver(
	files: readonly string[],
	at: number,
	start: Record<string, unknown> | null = { name: `find-${at}`, type: "expl" },
): readonly (readonly HostMessage[])[] {
	const exchange = (calls: readonly (readonly [block: say.ModelBlock, output: string])[]) => [
		say.reply([say.says("I go on."), ...calls.map(([block]) => block)]),
		...calls.map(([block, output]) =>
			say.result(block.type === "toolCall" ? block.id : "", [say.words(output)]),
		),
	];
	const mark = (id: string, args: Record<string, unknown>) =>
		[say.calls(`${id}${at}`, "delimiter", args), "ok"] as const;
	const linesOf = (subject: string, count: number) =>
		Array.from({ length: count }, (_, line) => `${subject} has line ${line} of it`).join("\n");
	const reads = files.map((path) => {
		return [say.calls(`read${at}${path}`, "read", { path }), linesOf(path, 275)] as const;
	});
	return [
		[say.user(`do ${at}`)],
		exchange([...(start ? [mark("start", { action: "start", ...start })] : []), ...reads]),
		exchange([
			mark("found", { action: "end", description: `read ${at}` }),
			mark("act", { action: "start", name: `fix-${at}`, type: "act", dependencies: [`find-${at}`] }),
			[say.calls(`run${at}`, "bash", { command: `make ${at}` }), linesOf(`run${at}`, 50)],
		]),
		exchange([mark("end", { action: "end" })]),
		[say.reply([say.says(`Task ${at} is done.`)])],
	];
}
