type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the words that start this command again. npm puts the commands of packages only on the path of processes
 * that it runs.
 */
function callOf(command: string, environment: Environment, script: string): string {
  const { npm_command: npmCommand, npm_lifecycle_event: runningScript } = environment
  if (npmCommand === undefined) return command
  if (npmCommand === 'exec') return `npx ${command}`
  // Another script of an installed package: `--no` never fetches one of this name.
  return runningScript === script ? `npm run ${script} --` : `npx --no ${command}`
}

/**
 * Rewrites calls of a command in a text for people, so that they can be typed as they stand.
 *
 * @param text has its calls in backticks: `` run `hailstone doctor` ``
 * @param environment of this process
 * @param script the script that runs the command with any options; by default it has the same name
 * @example callableText('run `hailstone doctor`', 'hailstone', { npm_command: 'exec' }) // run `npx hailstone doctor`
 */
export const callableText = (
  text: string,
  command: string,
  environment: Environment,
  script: string = command,
): string => text.replaceAll(`\`${command} `, `\`${callOf(command, environment, script)} `)
