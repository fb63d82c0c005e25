import { access, constants } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { dataFolderOf, makeFolder, RUNNING, systemFaultOf } from '@hailstone/runtime/node'
import { CommandFailure } from './command-failure.ts'
import { exits } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/**
 * Absolute path of the folder where commands keep locks and journals. Nothing secret is in it.
 *
 * @throws {CommandFailure} with exit code 23 if nobody names one and this user has no home folder
 */
export function dataFolder(
  given: { readonly data?: string | undefined },
  { environment }: Pick<Terminal, 'environment'>,
): string {
  const folder = dataFolderOf(given.data, environment)
  if (folder !== null) return folder
  throw new CommandFailure(
    `There is no folder for data: HOME is not set, and user ${userName()} has no home folder.`,
    exits.storage,
    'Name one with --data DIR or HAILSTONE_DATA.',
  )
}

/** Path of the folder in which running processes have their locks and records, without creating it. */
export const processesFolder = (
  given: { readonly data?: string | undefined },
  terminal: Pick<Terminal, 'environment'>,
): string => join(dataFolder(given, terminal), RUNNING)

/**
 * Creates a folder inside the data folder, unless it exists, and makes sure that files can be written there.
 *
 * @throws {CommandFailure} with exit code 23, the path and the cause
 */
export async function folderIn(data: string, name: string): Promise<string> {
  const path = join(data, name)
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
