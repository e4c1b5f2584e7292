import type { ModelReply, ModelRequest, ScriptedModel } from "./scripted-model.ts";

/** Repeats the last user text. */
export const echo: ScriptedModel = ({ messages }) => {
	const said = messages.findLast((message) => message.type === "user");
	return { text: said?.text ?? "" };
};

/** Replies that it already gave, as far as the request still shows them. */
function repliesSeen({ messages }: ModelRequest): number {
	return messages.filter((message) => message.type === "assistant").length;
}

/** Plays replies in order by counting the assistant messages it can see, and says `done` after the last. */
export function scripted(replies: readonly ModelReply[]): ScriptedModel {
	return (request) => replies[repliesSeen(request)] ?? { text: "done" };
}

/** Plays replies in order, over and over: for sessions that have no end. */
export function playlist(replies: readonly [ModelReply, ...ModelReply[]]): ScriptedModel {
	return (request) => replies[repliesSeen(request) % replies.length] ?? replies[0];
}
