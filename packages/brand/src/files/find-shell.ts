import { access, readFile, realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Signer } from '../build/signing-keys.ts'
import type { Target } from '../checks/check-context.ts'
import type { EnvironmentName } from '../define-brand.ts'
import type { HostName } from '../hosts/host-rules.ts'
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
  /** Host whose settings the build gets. @default 'static' */
  readonly host?: HostName | undefined
  /** Signs the manifest; undefined leaves it unsigned. */
  readonly sign?: Signer | undefined
  /** Further brands that a preview offers. */
  readonly otherFolders?: readonly string[] | undefined
  /** Serves the previewed app to phones in the local network as well. @default false */
  readonly isForPhones?: boolean | undefined
}

/** Exports of `@hailstone/white-label/shell`. Each resolves with an exit code. */
export type ShellModule = {
  readonly preview: (request: ShellRequest) => Promise<number>
  readonly build: (request: ShellRequest) => Promise<number>
}

/** The white-label app, prebuilt. */
export type Shell = {
  readonly folder: string
  /** Path of its `ShellModule`. */
  readonly entry: string
}

const SHELL = '@hailstone/white-label'

/** Finds the white-label app: the one the command came with, else the one installed for the working folder. */
export async function findShell({
  cwd,
  shellFolder,
}: {
  readonly cwd: string
  readonly shellFolder?: string | undefined
}): Promise<Shell | null> {
  const folder = shellFolder ?? (await installedShell(cwd))
  if (folder === null) return null
  const entry = createRequire(join(folder, 'package.json')).resolve(`${SHELL}/shell`)
  return { folder, entry }
}

/** Finds the app in the `node_modules` of a folder or of one above it, as Node does. */
async function installedShell(from: string): Promise<string | null> {
  const folder = join(from, 'node_modules', SHELL)
  if (await exists(join(folder, 'package.json'))) return realpath(folder)
  const above = dirname(from)
  return above === from ? null : installedShell(above)
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/** Files of the English texts of the app: those it begins with, those of later views, and those of packages. */
const textFilesOfShell = ['en.json', 'later/en.json', 'service/en.json'] as const

/** Returns the English texts of the app, if found; those of brands are checked against them. */
export async function shellCatalogue(
  shell: Pick<Shell, 'folder'> | null,
): Promise<StringCatalogue | undefined> {
  if (shell === null) return undefined
  const paths = textFilesOfShell.map((name) => join(shell.folder, 'src', 'i18n', name))
  const found: StringCatalogue[] = []
  for (const path of paths) {
    // An older app has a part of them alone.
    if (!(await exists(path))) return undefined
    found.push(readOverrides(new Uint8Array(await readFile(path)), path).overrides)
  }
  return Object.assign({}, ...found)
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
  if (shell === null) return undefined
  const module = (await import(pathToFileURL(shell.entry).href)) as ShellModule
  return module[kind](request)
}
