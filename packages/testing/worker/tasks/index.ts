export { LINKED_ROUND, makeHardTasks, makeRecallTasks, makeTasks } from "./tasks.ts";
export type { Task } from "./world.ts";
