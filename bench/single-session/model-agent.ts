/**
 * A real model on the same tasks, through the real pi with the user's keys and settings and a session folder of its
 * own. The run stops once the provider's charge passes a cap; the request that passes it is paid.
 */
import { join } from "node:path";
import type { PiEvent } from "#loopback";
import type { RequestFigure } from "./agent.ts";
import { startPiAgent } from "./pi-agent.ts";
import type { Meters, StartAgent } from "./run.ts";

/** `model` as `provider/id`, `maxCost` in dollars. */
export function startWithModel(model: string, maxCost: number): StartAgent {
	return async ({ condition, directory, scratch, meters }) => {
		meters.paid = 0;
		return startPiAgent({
			...{ condition, directory },
			args: ["--model", model, "--session-dir", join(scratch, "sessions")],
			environment: process.env,
			onEvent: (event) => takeNote(meters, event, maxCost),
		});
	};
}

/** Exported for its test, because everything else here needs a provider. */
export function takeNote(meters: Meters, event: PiEvent, maxCost: number): void {
	if (event.type === "tool_execution_start" && typeof event.toolName === "string") {
		meters.exploration.note([{ name: event.toolName, arguments: fieldsOf(event.args) }]);
	}
	if (event.type !== "message_end") return;
	const message = fieldsOf(event.message);
	if (message.role !== "assistant") return;
	const usage = fieldsOf(message.usage);
	meters.requests.push(figureOf(usage, message.stopReason === "error"));
	meters.paid = (meters.paid ?? 0) + numberOf(fieldsOf(usage.cost).total);
	if (meters.paid > maxCost) meters.stop.abort();
}

function figureOf(usage: Fields, isRefused: boolean): RequestFigure {
	const { input, cacheRead, cacheWrite, output } = usage;
	return {
		tokens: numberOf(input) + numberOf(cacheRead) + numberOf(cacheWrite),
		cachedTokens: numberOf(cacheRead),
		prefixTokens: numberOf(cacheRead),
		outputTokens: numberOf(output),
		isRefused,
		isSummary: false,
	};
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
	typeof value === "object" && value !== null ? { ...value } : {};
const numberOf = (value: unknown): number =>
	typeof value === "number" && Number.isFinite(value) ? value : 0;
