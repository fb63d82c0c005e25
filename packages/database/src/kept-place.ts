import { readFileSync } from 'node:fs'
import { CommandLineError, openSecretWarning, writtenLines, writtenText } from '@hailstone/runtime/node'
import { hasPassword, postgresAddress } from './postgres-address.ts'

/** Options of every command that say where its tables are kept. */
export const placeFlags = {
  data: { type: 'string' },
  database: { type: 'string' },
  'database-file': { type: 'string' },
} as const

/** Place of the tables of a command; neither folder nor database if none is named. */
export type KeptPlace = {
  readonly folder: string | undefined
  readonly database: string | undefined
  /** Sentences about passwords that others on this machine can read. */
  readonly warnings: readonly string[]
}

type Given = {
  readonly data?: string | undefined
  readonly database?: string | undefined
  readonly 'database-file'?: string | undefined
}

const OPEN_PASSWORD =
  'Everybody on this machine can read the password in --database, in the list of processes. Put the URL into a file that only you can read (--database-file FILE), or into HAILSTONE_DATABASE.'

function notEmpty(flag: string, text: string): string {
  if (text.trim() === '') throw new CommandLineError(`${flag} needs a value.`)
  return text
}

/** The first line of a file that holds the address of a database, and a warning if others may read it. */
function databaseInFile(path: string): Pick<KeptPlace, 'database' | 'warnings'> {
  try {
    const database = writtenLines(writtenText(readFileSync(path)))[0] ?? ''
    postgresAddress(database)
    const warning = hasPassword(database) ? openSecretWarning(path, 'password') : null
    return { database, warnings: warning === null ? [] : [warning] }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new CommandLineError(`--database-file cannot be read: ${code} (${path}).`, { cause: error })
  }
}

/**
 * Returns where a command keeps its tables. HAILSTONE_DATABASE applies if the command line names no database.
 *
 * @param parameters.isMemory true if the command line says that nothing is kept
 * @throws {CommandLineError} for two places, and {NodeError} `CONFIGURATION_INVALID` for an address that cannot be read
 */
export function keptPlaceOf(
  { data, database, 'database-file': file }: Given,
  environment: Readonly<Record<string, string | undefined>>,
  { isMemory = false }: { readonly isMemory?: boolean | undefined } = {},
): KeptPlace {
  const { HAILSTONE_DATABASE: ofEnvironment = '' } = environment
  const named = [
    ...(isMemory ? ['--memory'] : []),
    ...(data === undefined ? [] : ['--data']),
    ...(database === undefined ? [] : ['--database']),
    ...(file === undefined ? [] : ['--database-file']),
    ...(ofEnvironment === '' || (database ?? file) !== undefined ? [] : ['HAILSTONE_DATABASE']),
  ]
  if (named.length > 1)
    throw new CommandLineError(
      `The tables are kept in one place; ${named.join(' and ')} name more. Leave one out.`,
    )
  if (data !== undefined) return { folder: notEmpty('--data', data), database: undefined, warnings: [] }
  if (file !== undefined) return { folder: undefined, ...databaseInFile(notEmpty('--database-file', file)) }
  const url = database ?? (ofEnvironment || undefined)
  if (url !== undefined) postgresAddress(url)
  const isOpen = database !== undefined && hasPassword(database)
  return { folder: undefined, database: url, warnings: isOpen ? [OPEN_PASSWORD] : [] }
}
