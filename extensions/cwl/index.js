// Pi loads this file from an installed package, which holds no index.ts. In a clone pi loads index.ts, and nothing loads this.
export { default } from "../../dist/extension.mjs";
