import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createJiti } from 'jiti'
import type { Signer } from '../build/signing-keys.ts'
import type { Target } from '../checks/check-context.ts'
import type { EnvironmentName } from '../define-brand.ts'
import type { StringCatalogue } from '../strings/string-catalogue.ts'
import { readOverrides } from '../strings/string-rules.ts'

/** What the shell is asked to do with a brand. */
export type ShellRequest = {
  readonly brandFolder: string
  readonly environment: EnvironmentName
  readonly target: Target
  /** Settings of the command line, the highest layer. */
  readonly flags: unknown
  /** Where a build goes; undefined leaves it to the shell. */
  readonly out: string | undefined
  /** Signs the list of a build; undefined leaves it unsigned. */
  readonly sign?: Signer | undefined
  /** Brands a preview can change to, beside the first. */
  readonly otherFolders?: readonly string[] | undefined
}

/** What `apps/white-label/shell.ts` (or .mjs, .js) exports. Each returns the exit code. */
export type ShellModule = {
  readonly preview: (request: ShellRequest) => Promise<number>
  readonly build: (request: ShellRequest) => Promise<number>
}

export type Shell = {
  readonly folder: string
  /** Null while the folder holds brands only. */
  readonly entry: string | null
}

const SHELL_PATH = join('apps', 'white-label')
const entryNames = ['shell.ts', 'shell.mjs', 'shell.js'] as const

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** The white-label app in a folder or one above it; null when there is none. */
export async function findShell(from: string): Promise<Shell | null> {
  const folder = join(from, SHELL_PATH)
  if (await exists(folder)) {
    for (const name of entryNames) {
      const entry = join(folder, name)
      if (await exists(entry)) return { folder, entry }
    }
    return { folder, entry: null }
  }
  const above = dirname(from)
  return above === from ? null : findShell(above)
}

/** The texts of the app, when it is there; overrides are checked against them. */
export async function shellCatalogue(shell: Shell | null): Promise<StringCatalogue | undefined> {
  if (shell === null) return undefined
  const path = join(shell.folder, 'src', 'i18n', 'en.json')
  if (!(await exists(path))) return undefined
  return readOverrides(new Uint8Array(await readFile(path)), path).overrides
}

/**
 * Hands a brand to the app shell. Undefined when there is no app to hand it to.
 *
 * @returns the exit code of the shell
 */
export async function runShell(
  kind: 'preview' | 'build',
  request: ShellRequest,
  shell: Shell | null,
): Promise<number | undefined> {
  if (shell === null || shell.entry === null) return undefined
  const module = (await createJiti(import.meta.url).import(shell.entry)) as ShellModule
  return module[kind](request)
}
