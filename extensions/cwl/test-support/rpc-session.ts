/** A pi in RPC mode, with what it showed to its user. */

import { fieldsOf, objectsOf, stringOf } from "#loopback";
import { type PiEvent, type PiProcess, type PiProcessOptions, startPiProcess } from "#loopback/pi-driver";

export interface Notice {
	/** `info`, `warning` or `error`. */
	readonly kind: string;
	readonly text: string;
}

export interface RpcSession extends PiProcess {
	/** Everything that pi sent, oldest first. */
	readonly events: readonly PiEvent[];
	/** Every notification so far, oldest first. */
	notices(): readonly Notice[];
	/** The texts of the notifications of one kind, oldest first. */
	said(kind: "info" | "warning" | "error"): readonly string[];
	/** The id of the last entry that holds a prompt. */
	entryOf(prompt: string): Promise<string>;
	/** Run a slash command; answers the notifications that it made. */
	command(text: string): Promise<readonly Notice[]>;
	/** Every footer line so far, oldest first. */
	statuses(): readonly string[];
	/** The footer line as it stands. */
	status(): string;
	/** The path of the session file. */
	file(): Promise<string>;
}

export function startRpcSession(options: Omit<PiProcessOptions, "onEvent">): RpcSession {
	const events: PiEvent[] = [];
	const pi = startPiProcess({ ...options, onEvent: (event) => events.push(event) });
	const notices = () => events.filter((event) => event.method === "notify").map(readNotice);
	const statuses = () =>
		events
			.filter(({ method, statusKey }) => method === "setStatus" && statusKey === "cwl")
			.map(({ statusText }) => stringOf(statusText));
	return {
		...pi,
		events,
		notices,
		said: (kind) => notices().flatMap((notice) => (notice.kind === kind ? [notice.text] : [])),
		async entryOf(prompt) {
			const { data } = await pi.send({ type: "get_fork_messages" });
			return stringOf(objectsOf(fieldsOf(data).messages).findLast(({ text }) => text === prompt)?.entryId);
		},
		async command(text) {
			const before = notices().length;
			await pi.send({ type: "prompt", message: text });
			return notices().slice(before);
		},
		statuses,
		status: () => statuses().at(-1) ?? "",
		async file() {
			const state = await pi.send({ type: "get_state" });
			return stringOf(fieldsOf(state.data).sessionFile);
		},
	};
}

function readNotice(event: PiEvent): Notice {
	return { kind: stringOf(event.notifyType) || "info", text: stringOf(event.message) };
}
