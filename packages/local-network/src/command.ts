/** The command `hailstone-network`, for programs that are it under another name. */
export { runCommand } from './command/run-command.ts'
