/** Recounts the requests of a session from its recorded history. */
import { computeLedger, type FixedTokens } from "#core/ledger";
import { createViewBuilder, type Pass, readLog } from "#core/log";
import { isPrefixChange } from "#core/thinking";
import type { FollowedList } from "../codec/followed-list.ts";
import { type HostMessage, isAnswer } from "../codec/host-message.ts";
import type { CountedAnswer } from "../requests/traffic-meter.ts";
import type { HistoryStep } from "./session-history.ts";

/** For each answer what its request was counted as; `past` has read nothing yet. Linear in the history. */
export function* recountHistory(
	past: FollowedList,
	history: Iterable<HistoryStep>,
	fixed: FixedTokens,
): Generator<CountedAnswer> {
	const messages: HostMessage[] = [];
	const passes: Pass[] = [];
	let view = createViewBuilder();
	let compacted = 0;
	let isOn = true;
	const readOn = () => past.follow(messages, []).graph;
	for (const step of history) {
		if (step.type === "switch") isOn = step.isOn;
		else if (step.type === "pass") {
			readOn();
			past.compact(view.read());
			compacted = passes.length;
			passes.push(step.pass);
			view.append(step.pass);
		} else if (step.type === "undo") {
			const last = passes.findLastIndex((pass) => !isPrefixChange(pass));
			if (last >= 0) passes.splice(last, 1);
			if (last < compacted) past.forget();
			if (step.change) passes.push(step.change);
			view = readLog(passes, readOn());
		} else {
			const { message } = step;
			if (isOn && isAnswer(message)) {
				yield { answer: message, ledger: computeLedger(readOn(), view.read(), fixed), passes: [...passes] };
			}
			messages.push(message);
		}
	}
}
