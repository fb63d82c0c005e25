import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { hasPassword, postgresAddress } from '@hailstone/database'
import { CommandLineError } from '@hailstone/runtime/node'

/** Options of every command that say where the tables are kept. */
export const placeFlags = {
  data: { type: 'string' },
  database: { type: 'string' },
  'database-file': { type: 'string' },
} as const

type Given = {
  readonly data?: string | undefined
  readonly database?: string | undefined
  readonly 'database-file'?: string | undefined
}

/** Place of the tables; neither for memory. */
export type KeptTables = {
  readonly folder: string | undefined
  readonly database: string | undefined
  /** True if a password stands among the arguments, which everybody on the machine can read. */
  readonly isOpen: boolean
}

function firstLineOf(path: string): string {
  try {
    return (
      readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/, 1)[0]
        ?.trim() ?? ''
    )
  } catch (error) {
    throw new CommandLineError(
      `--database-file cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)} (${path}).`,
      { cause: error },
    )
  }
}

/**
 * Returns where the tables are kept. HAILSTONE_DATABASE applies if the command line names no database.
 *
 * @throws {CommandLineError} for two places, and {NodeError} `CONFIGURATION_INVALID` for an address that cannot be read
 */
export function keptTablesOf(
  given: Given,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): KeptTables {
  const { data, database, 'database-file': file } = given
  const { HAILSTONE_DATABASE: ofEnvironment = '' } = environment
  const named = [
    ...(data === undefined ? [] : ['--data']),
    ...(database === undefined ? [] : ['--database']),
    ...(file === undefined ? [] : ['--database-file']),
    ...(ofEnvironment === '' || (database ?? file) !== undefined ? [] : ['HAILSTONE_DATABASE']),
  ]
  if (named.length > 1)
    throw new CommandLineError(
      `The tables are kept in one place; ${named.join(' and ')} name more. Leave one out.`,
    )
  const url = database ?? (file === undefined ? ofEnvironment : firstLineOf(file))
  if (named.length === 0) return { folder: undefined, database: undefined, isOpen: false }
  if (data !== undefined) return { folder: resolve(data), database: undefined, isOpen: false }
  postgresAddress(url)
  return { folder: undefined, database: url, isOpen: database !== undefined && hasPassword(url) }
}
