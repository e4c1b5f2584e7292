/** Measures a session as its next request sends it, by the count and the calibration that the session itself goes by. */
import { type CountTokens, fieldsOf, textOf } from "#basics";
import { measureHealth } from "#core/health";
import { countedBudget, sealedTokens, totalTokens, uncalibrated } from "#core/ledger";
import { defaultToolTable } from "#pi";
import { answerTime, compactedAt, type HostMessage, modelName } from "#pi/codec";
import { countKept, measureFidelity, measureSecondLooks } from "#pi/health";
import { bindsThinking, createTrafficMeter } from "#pi/requests";
import { createSizes } from "#pi/screen";
import {
	createManagedSession,
	type OldSession,
	policyByName,
	type RestoredLog,
	readLogEntries,
} from "#pi/session";
import { listSent, type Stretch } from "../recording/sent-requests.ts";
import type { ReportSettings } from "./costs.ts";
import type { SentRequest } from "./rows.ts";

interface ReadSession {
	readonly old: OldSession;
	readonly logged: RestoredLog;
	readonly stretches: readonly Stretch[];
	readonly answers: readonly SentRequest[];
	/** Tokens of system prompt and tools that the log does not have, as we count them. */
	readonly overhead: number;
	/** True if the messages of the file explain the usage in it. */
	readonly isExplained: boolean;
}

/** Plans the request after the last one, and measures the session as it is then. */
export function measureNext(read: ReadSession, { budget, policy, pricesOf, count }: ReportSettings) {
	const { old, logged, stretches, answers } = read;
	const { steering, prefix, pinned, passes } = logged;
	// A switch after the last request holds for the next one.
	const isOn = steering.enabled ?? answers.at(-1)?.isManaged ?? true;
	const { messages, firstNew } = stretches.at(-1) ?? { messages: old.messages, firstNew: 0 };
	// A compaction that no request followed makes the next one begin in another way.
	const isSent = messages.slice(firstNew).some((message) => answerTime(message) !== undefined);
	const last = prefix && { ...prefix, ...(isSent && { compaction: compactedAt(messages) }) };
	const session = createManagedSession(count, { ...logged, prefix: last });
	const { on, off } = logged.fixed;
	const fixedOf = (isManaged: boolean) => (isManaged ? on : off) ?? { system: read.overhead, tools: 0 };
	const { all, changeOf } = readChanges(old.branch, count);
	const { model, id, api, takesChanges } = nextModel(old.branch);
	const meter = createTrafficMeter();
	if (read.isExplained) meter.relearn(listSent({ old, count, fixedOf, changeOf }), messages);
	const learnt = read.isExplained ? meter.calibration(model, isOn) : uncalibrated;
	// No report has been about the like of the first request behind a compaction or a switch.
	const isTried = isSent && answers.at(-1)?.isManaged === isOn;
	const calibration = isTried ? learnt : { ...learnt, samples: 0 };
	const fixed = fixedOf(isOn);
	// A switch that no request followed is a change of its own.
	const isSwitched = takesChanges && prefix?.isOn === !isOn;
	const switched = isSwitched ? fixed.system + Math.max(0, fixed.tools - fixedOf(!isOn).tools) : 0;
	const plan = {
		policy: policyByName(policy),
		fixed: { ...fixed, system: fixed.system + (takesChanges ? all : 0) + switched },
		budget,
		tools: defaultToolTable,
		pinned,
		model,
		keepsLoopThinking: !bindsThinking({ id, api }),
		foldsChanges: !old.branch.some(({ message }) => isChange(message)),
	};
	const planned = session.planInput(messages, plan, isOn);
	const sealed = sealedTokens(planned.graph, planned.view, model);
	const sizes = createSizes(calibration, sealed, budget);
	const input = {
		...planned,
		budget: countedBudget(calibration, budget, sealed.sent) + sealed.unsent,
	};
	const whole = stretches.length > 1 ? session.inspect(old.messages, isOn, planned.lost) : input;
	const health = measureHealth(input, passes, whole);
	const looks = measureSecondLooks({
		log: passes,
		regrets: health.regrets,
		kept: countKept(old.branch, sizes, pricesOf),
		sizes,
		prices: pricesOf(undefined),
	});
	const fidelity = measureFidelity({ messages, graph: input.graph }, input.view);
	const used = sizes.whole(totalTokens(input));
	return { input, health, whole, looks, fidelity, sizes, used };
}

/** The model of the next request: the one that was chosen last, or else the one that answered last; "" where nothing is known. */
function nextModel(branch: OldSession["branch"]) {
	const used = branch.flatMap((entry) => {
		if (entry.type === "model_change") return [fieldsOf(entry)];
		const { role, provider, model, api } = fieldsOf(entry.message);
		return role === "assistant" ? [{ provider, modelId: model, api }] : [];
	});
	const { provider, modelId } = used.at(-1) ?? {};
	const { api } = used.findLast((each) => each.modelId === modelId && each.api !== undefined) ?? {};
	const id = textOf(modelId);
	// A model that answered before takes changes as it did then.
	const answered = branch.findLastIndex(({ message }) => fieldsOf(message).model === modelId);
	const { takesChanges = false } =
		readLogEntries(answered < 0 ? branch : branch.slice(0, answered)).prefix ?? {};
	return { id, takesChanges, model: modelName({ provider: textOf(provider), model: id }), api: textOf(api) };
}

/** Returns true for a system message of pi 0.87 and later: the first one of a session, and changes of it. */
const isChange = (message: unknown) => fieldsOf(message).role === "system";

/**
 * Tokens of the changes of prompt and tools that pi 0.87 and later keeps, where a model takes them inside the conversation: all, and
 * those that came before an answer. A compaction puts earlier ones in front.
 */
export function readChanges(branch: OldSession["branch"], count: CountTokens) {
	const byAnswer = new Map<number, number>();
	const head = branch.findIndex(({ message }) => isChange(message));
	let all = 0;
	let seen = 0;
	for (const entry of branch.slice(1 + head)) {
		const { message } = entry;
		if (entry.type === "compaction") {
			all = 0;
			seen = 0;
		}
		if (isChange(message)) all += count(JSON.stringify(message));
		const time = answerTime(message);
		if (time === undefined) continue;
		byAnswer.set(time, all - seen);
		seen = all;
	}
	return { all, changeOf: (message: HostMessage) => byAnswer.get(answerTime(message) ?? 0) ?? 0 };
}
