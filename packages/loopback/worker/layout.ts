/** The paths of a module's files in the scratch repository. */

export const constantsPath = (module: string): string => `src/${module}/constants.ts`;
export const settingsPath = (module: string): string => `src/${module}/settings.ts`;
export const servicePath = (module: string): string => `src/${module}/service.ts`;
export const routesPath = (module: string): string => `src/${module}/routes.ts`;
export const configPath = (module: string): string => `config/${module}.json`;
export const docsPath = (module: string): string => `docs/${module}.md`;

/** The name of the interface that types the settings of a module. */
export const settingsType = (module: string): string => `${titleOf(module)}Settings`;

export const titleOf = (module: string): string => module.charAt(0).toUpperCase() + module.slice(1);
