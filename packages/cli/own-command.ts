/** The command as the user starts it: npm and npx run programs that are not on the PATH. */
export function ownCommand(): string {
	return process.env.npm_execpath === undefined ? "cwl" : "npx cwl";
}
