/** The arguments of a command: `parseArgs` of node:util, with a suggestion for a mistyped flag. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { CwlError, suggestName } from "#pi";

/**
 * The flags and positional arguments of a command.
 * @throws CwlError `bad-flag` for an unknown flag, and the errors of `parseArgs` for a missing value
 */
export function readArguments<const Config extends ParseArgsConfig>(config: Config) {
	try {
		return parseArgs(config);
	} catch (error) {
		const unknown = unknownFlag(error);
		if (unknown === undefined) throw error;
		const flags = Object.keys(config.options ?? {}).map((name) => `--${name}`);
		const known = flags.filter((flag) => flag !== "--help").join(", ");
		const hint = suggestName(unknown, flags) || (known ? ` Use ${known} or --help.` : " Use --help.");
		throw new CwlError("bad-flag", `there is no flag ${unknown} here.${hint}`);
	}
}

function unknownFlag(error: unknown): string | undefined {
	const isUnknown =
		error instanceof Error && "code" in error && error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION";
	return isUnknown ? /'(-[^']*)'/.exec(error.message)?.[1] : undefined;
}
