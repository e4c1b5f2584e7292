#!/usr/bin/env node
// Node 20 runs no TypeScript, and later ones none under node_modules: jiti does.
import { createJiti } from "jiti";

const { run } = await createJiti(import.meta.url).import("./main.ts");
const exitCode = await run(process.argv.slice(2));
if (exitCode !== undefined) process.exitCode = exitCode;
