/** A pi in RPC mode, with what it showed to its user. */

import { fieldsOf, recordsOf, textOf } from "#basics";
import { type PiEvent, type PiProcessOptions, startPiProcess } from "#testing/pi-driver";

export interface Notice {
	/** `info`, `warning` or `error`. */
	readonly kind: string;
	readonly text: string;
}

export type RpcSession = ReturnType<typeof startRpcSession>;

export function startRpcSession(options: Omit<PiProcessOptions, "onEvent">) {
	const events: PiEvent[] = [];
	const pi = startPiProcess({ ...options, onEvent: (event) => events.push(event) });
	const notices = () => events.filter((event) => event.method === "notify").map(readNotice);
	const statuses = () =>
		events
			.filter(({ method, statusKey }) => method === "setStatus" && statusKey === "cwl")
			.map(({ statusText }) => textOf(statusText));
	const command = async (text: string) => {
		const before = notices().length;
		await pi.send({ type: "prompt", message: text });
		return notices().slice(before);
	};
	return {
		...pi,
		/** Everything that pi sent, every notification and every footer line so far, oldest first. */
		events,
		notices,
		statuses,
		/** The texts of the notifications of one kind, oldest first. */
		said: (kind: "info" | "warning" | "error") =>
			notices().flatMap((notice) => (notice.kind === kind ? [notice.text] : [])),
		/** The id of the last entry that holds a prompt. */
		async entryOf(prompt: string) {
			const { data } = await pi.send({ type: "get_fork_messages" });
			return textOf(recordsOf(fieldsOf(data).messages).findLast(({ text }) => text === prompt)?.entryId);
		},
		/** Sends prompts, each after the answer to the one before. */
		async promptAll(prompts: readonly string[]) {
			for (const prompt of prompts) await pi.prompt(prompt);
		},
		/** Run a slash command; answers the notifications that it made. */
		command,
		/** Run a slash command; answers the texts of the notifications that it made. */
		answer: async (text: string) => (await command(text)).map((notice) => notice.text).join("\n"),
		/** The footer line as it stands. */
		status: () => statuses().at(-1) ?? "",
		/** The path of the session file. */
		async file() {
			const state = await pi.send({ type: "get_state" });
			return textOf(fieldsOf(state.data).sessionFile);
		},
	};
}

function readNotice(event: PiEvent): Notice {
	return { kind: textOf(event.notifyType) || "info", text: textOf(event.message) };
}
