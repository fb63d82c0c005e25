import { access, constants } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { makeFolder, systemFaultOf } from '@hailstone/runtime/node'
import { CommandFailure } from './command-failure.ts'
import { exits } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Absolute path of the folder where commands keep locks and journals. Nothing secret is in it. */
export function dataFolder(
  given: { readonly data?: string | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): string {
  return resolve(given.data ?? environment.HAILSTONE_DATA ?? join(homedir(), '.hailstone'))
}

/** Returns the path of a folder inside the data folder, without creating it. For commands that only read. */
export const pathIn = (data: string, name: string): string => join(data, name)

/**
 * Creates a folder inside the data folder, unless it exists, and makes sure that files can be written there.
 *
 * @throws {CommandFailure} with exit code 23, the path and the cause
 */
export async function folderIn(data: string, name: string): Promise<string> {
  const path = pathIn(data, name)
  try {
    await makeFolder(path, { mode: 0o700 })
    await access(path, constants.W_OK | constants.X_OK)
    return path
  } catch (cause) {
    const fault = systemFaultOf(cause)
    if (fault === null) throw cause
    const nextStep = `Choose a folder that user ${userName()} can write to with --data DIR or HAILSTONE_DATA.`
    throw new CommandFailure(`The data folder cannot be used. ${fault}`, exits.storage, nextStep, { cause })
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number that has no name.
    return String(process.getuid?.() ?? 'of this process')
  }
}
