/** Contenders from files that a reader wrote; docs/replay.md has an example. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Policy } from "#core/planning";
import { CwlError } from "#pi";
import { enginePolicy } from "./engine.ts";
import { parsePolicies } from "./registry.ts";
import type { ReplayPolicy } from "./replay-policy.ts";

/**
 * The contenders of a comma-separated list of names and of files that export a `contender` or an engine's `policy`.
 * @throws CwlError `unknown-policy`, `bad-knob`, `bad-policy-file`
 */
export async function loadPolicies(list: string): Promise<readonly ReplayPolicy[]> {
	const byName = new Map<string, ReplayPolicy>();
	// One after the other: of two files at once that share a module, jiti hands one a module that has not run yet.
	for (const name of list.split(",").map((part) => part.trim())) {
		const found = isFile(name) ? [await loadReplayPolicy(name)] : parsePolicies(name);
		for (const contender of found) byName.set(contender.name, contender);
	}
	return [...byName.values()];
}

function isFile(name: string): boolean {
	return /\.[cm]?[jt]s$/.test(name);
}

async function loadReplayPolicy(file: string): Promise<ReplayPolicy> {
	const { contender, policy } = await importFile(file);
	if (isReplayPolicy(contender)) return contender;
	if (isPolicy(policy)) return enginePolicy(policy.name, () => policy, { canRecall: true });
	throw badFile(file, "exports neither a `contender` nor a `policy`");
}

async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
	try {
		return await import(pathToFileURL(resolve(file)).href);
	} catch (error) {
		throw badFile(file, `cannot be loaded (${error instanceof Error ? error.message : String(error)})`);
	}
}

function badFile(file: string, reason: string): CwlError {
	return new CwlError("bad-policy-file", `${file}: ${reason}; docs/replay.md has an example.`);
}

function isReplayPolicy(value: unknown): value is ReplayPolicy {
	if (typeof value !== "object" || value === null || !("name" in value)) return false;
	const hasRules = "exempt" in value && Array.isArray(value.exempt);
	return hasRules && typeof value.name === "string" && "open" in value && typeof value.open === "function";
}

function isPolicy(value: unknown): value is Policy {
	if (typeof value !== "object" || value === null || !("name" in value)) return false;
	return typeof value.name === "string" && "plan" in value && typeof value.plan === "function";
}
