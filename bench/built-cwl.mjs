/** The program `cwl` as an installed package runs it: from the build in dist/. In a clone, packages/cli/bin.mjs runs the source. */
import { run } from "../dist/cli.mjs";

const exitCode = await run(process.argv.slice(2));
if (exitCode !== undefined) process.exitCode = exitCode;
