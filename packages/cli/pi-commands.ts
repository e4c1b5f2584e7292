/** The commands of pi's newest version. They take the first place on pi's command line. */
export const piCommands: readonly string[] = [
	"install",
	"remove",
	"uninstall",
	"update",
	"list",
	"config",
	"auth",
	"mcp",
];
