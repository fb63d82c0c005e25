type Environment = Readonly<Record<string, string | undefined>>

/** Set by whatever starts a command in another way than by its name, such as a script of a repository. */
const CALLED_AS = 'HAILSTONE_CALLED_AS'

/**
 * Returns the words that start this command again. npm puts the commands of packages only on the path of processes
 * that it runs.
 */
function callOf(command: string, environment: Environment, script: string): string {
  const given = environment[CALLED_AS]
  // What this process was started with may have been meant for a command that started this one.
  if (given?.split(' ').includes(script)) return given
  return environment.npm_command === undefined ? command : `npx ${command}`
}

/**
 * Rewrites calls of a command in a text for people, so that they can be typed as they stand.
 *
 * @param text has its calls in backticks: `` run `hailstone doctor` ``
 * @param environment of this process
 * @param script the repository's script that runs the command; by default it has the same name
 * @example callableText('run `hailstone doctor`', 'hailstone', { npm_command: 'exec' }) // run `npx hailstone doctor`
 */
export const callableText = (
  text: string,
  command: string,
  environment: Environment,
  script: string = command,
): string => text.replaceAll(`\`${command} `, `\`${callOf(command, environment, script)} `)
