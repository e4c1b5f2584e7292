/**
 * The worker of a rehearsal knows `recall`, which takes a query and a page. Another extension's tool of that kind takes a query, answers
 * with numbered excerpts, and gives entries back whole under `expand`: the worker is shown the excerpts as a first page that continues.
 */
import type { ModelMessage, ModelReply, ModelRequest, ScriptedModel } from "#testing";

const FOREIGN = /^(?!recall$)\w*recall$/;
const NUMBER = /^#(\d+) /gm;
/** The words by which the worker knows that there is a second page. */
const CONTINUES = "Excerpts, page 2 goes on.\n";

export function withForeignRecall(worker: ScriptedModel, request: ModelRequest): ModelReply {
	const tool = request.tools.find(({ name }) => FOREIGN.test(name))?.name;
	if (tool === undefined) return worker(request);
	/** Numbers of the excerpts by query, and the calls that searched. */
	const found = new Map<string, readonly number[]>();
	const searches = new Map<string, string>();
	let last = "";
	const shown = request.messages.map((message): ModelMessage => {
		if (message.type === "assistant") {
			const calls = message.calls.map((call) => {
				if (call.name !== tool) return call;
				const isSearch = typeof call.arguments.query === "string";
				if (isSearch) last = String(call.arguments.query);
				if (isSearch) searches.set(call.id, last);
				return { ...call, name: "recall", arguments: isSearch ? { query: last } : { query: last, page: 2 } };
			});
			return { ...message, calls };
		}
		const query = message.type === "result" ? searches.get(message.callId) : undefined;
		if (message.type !== "result" || query === undefined) return message;
		const numbers = [...message.text.matchAll(NUMBER)].map(([, number]) => Number(number));
		found.set(query, numbers);
		return numbers.length > 0 ? { ...message, text: CONTINUES + message.text } : message;
	});
	const tools = request.tools.map((each) => (each.name === tool ? { ...each, name: "recall" } : each));
	const reply = worker({ ...request, tools, messages: shown });
	const calls = reply.calls?.map((call) => {
		if (call.name !== "recall") return call;
		const { query, page = 1 } = call.arguments;
		const expand = found.get(String(query)) ?? [];
		return { name: tool, arguments: page === 1 || expand.length === 0 ? { query } : { expand } };
	});
	return calls ? { ...reply, calls } : reply;
}
