import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createJiti } from 'jiti'
import type { Signer } from '../build/signing-keys.ts'
import type { Target } from '../checks/check-context.ts'
import type { EnvironmentName } from '../define-brand.ts'
import type { StringCatalogue } from '../strings/string-catalogue.ts'
import { readOverrides } from '../strings/string-rules.ts'

/** Request to the white-label app. */
export type ShellRequest = {
  readonly brandFolder: string
  readonly environment: EnvironmentName
  readonly target: Target
  /** Settings of the command line, which override all others. */
  readonly flags: unknown
  /** Output folder; undefined for the shell's default. */
  readonly out: string | undefined
  /** Signs the manifest; undefined leaves it unsigned. */
  readonly sign?: Signer | undefined
  /** Further brands that a preview offers. */
  readonly otherFolders?: readonly string[] | undefined
}

/** Exports of `apps/white-label/shell.ts` (or .mjs, .js). Each resolves with an exit code. */
export type ShellModule = {
  readonly preview: (request: ShellRequest) => Promise<number>
  readonly build: (request: ShellRequest) => Promise<number>
}

export type Shell = {
  readonly folder: string
  /** Null if the folder holds brands only. */
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

/** Finds the white-label app in a folder or one of its parents; null if there is none. */
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

/** Returns the texts of the app, if found; overrides are checked against them. */
export async function shellCatalogue(shell: Shell | null): Promise<StringCatalogue | undefined> {
  if (shell === null) return undefined
  const path = join(shell.folder, 'src', 'i18n', 'en.json')
  if (!(await exists(path))) return undefined
  return readOverrides(new Uint8Array(await readFile(path)), path).overrides
}

/**
 * Passes a brand to the white-label app. Undefined if there is no app.
 *
 * @returns exit code of the shell
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
