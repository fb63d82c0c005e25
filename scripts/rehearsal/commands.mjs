// Commands of documents that the rehearsal runs: what a reader types first.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from '../bootstrap.mjs'

/** The page with the commands that need the packages from a registry. */
const publishedPackages = 'docs/published-packages.md'

const read = (path) => readFileSync(resolve(root, path), 'utf8')

/** The commands of the first block of a document that a shell runs. */
export const commandsOf = (path) => /```(?:sh)?\n([\s\S]*?)```/.exec(read(path))[1].trim().split('\n')

/** The command with `npm create` and these words in the table of that page. */
export function published(words) {
  const commands = [...read(publishedPackages).matchAll(/`(npm create [^`]+)`/g)].map(
    ([, command]) => command,
  )
  const command = commands.find((one) => one.includes(words))
  if (command === undefined) throw new Error(`${publishedPackages} has no command with ${words}`)
  return command
}
