import { dirname, resolve } from 'node:path'
import { readSigner, type Signer } from '../build/signing-keys.ts'
import { isReady } from '../files/check-brand-folder.ts'
import { brandFoldersIn } from '../files/find-brand-folder.ts'
import { findShell, runShell, type ShellRequest } from '../files/find-shell.ts'
import { type CheckedFolder, checkNamedBrand, onlineFindings } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import type { CommandWords } from './command-options.ts'
import { exitCodeOf, findingLines } from './print-findings.ts'
import { verifyCommand } from './verify-command.ts'

type Kind = 'preview' | 'build'

/** A checked brand, or the exit code to end with. */
type Checked = CheckedFolder & { readonly code: ExitCode | null }

/**
 * `build`: checks each brand, with `--online` against its network as well, and passes it to the white-label app.
 * Brands with errors, or with unreachable hosts under `--online`, are refused; the others are still built.
 */
export async function buildCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const { verify, 'sign-key': keyPath } = words.values
  if (verify !== undefined) return verifyCommand(verify, words, io)
  const key = keyPath === undefined ? undefined : await readSigner(resolve(io.cwd, keyPath))
  if (key?.finding != null) {
    for (const line of findingLines([key.finding])) io.complain(line)
    io.complain('Nothing was built: a build is signed, or it is not made.')
    return 1
  }
  const names = words.positionals.length === 0 ? [undefined] : words.positionals
  const codes: ExitCode[] = []
  for (const name of names) codes.push(await build(name, words, io, key?.use))
  return [1 as const, 2 as const].find((code) => codes.includes(code)) ?? 0
}

async function build(
  name: string | undefined,
  words: CommandWords,
  io: CommandIo,
  sign: Signer | undefined,
): Promise<ExitCode> {
  const { folder, report, code } = await checked('build', name, words, io)
  if (code !== null) return code
  // Several brands are built into separate folders.
  const below = words.positionals.length > 1 && report.brand !== null ? report.brand.id : '.'
  const out = words.values.out === undefined ? undefined : resolve(io.cwd, words.values.out, below)
  return handOver('build', { ...requestOf(folder, words), out, sign }, io)
}

/**
 * `preview`: serves the page on which brands are edited and previewed, findings included. It offers the named brands,
 * or, for a single one, those beside it.
 */
export async function previewCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const [name, ...others] = words.positionals
  const { folder, code } = await checked('preview', name, words, io)
  if (code !== null) return code
  const folders: string[] = []
  for (const other of others) {
    const next = await checked('preview', other, words, io)
    if (next.code !== null) return next.code
    folders.push(next.folder)
  }
  const beside = others.length > 0 ? folders : await brandFoldersIn([dirname(folder)])
  const otherFolders = [...new Set(beside)].filter((one) => one !== folder)
  const isForPhones = words.values.phone === true
  return handOver('preview', { ...requestOf(folder, words), otherFolders, isForPhones }, io)
}

async function checked(
  kind: Kind,
  name: string | undefined,
  words: CommandWords,
  io: CommandIo,
): Promise<Checked> {
  const { folder, report } = await checkNamedBrand(name, words, io)
  const online = await onlineFindings(report, words)
  const findings = [...report.findings, ...online]
  for (const line of findingLines(findings)) io.complain(line)
  const mayBuild = isReady(report) && exitCodeOf(online) === 0
  if (kind === 'preview' ? report.brand !== null : mayBuild) return { folder, report, code: null }
  io.complain(`${kind === 'build' ? 'Nothing was built' : 'There is nothing to show'}: fix the errors first.`)
  return { folder, report, code: exitCodeOf(findings) || 1 }
}

const requestOf = (
  brandFolder: string,
  { environment, target, host, flags }: CommandWords,
): ShellRequest => ({
  brandFolder,
  environment,
  target,
  host,
  flags,
  out: undefined,
})

async function handOver(kind: Kind, request: ShellRequest, io: CommandIo): Promise<ExitCode> {
  const code = await runShell(kind, request, await findShell(io))
  if (code === undefined) {
    io.complain(`The brand is fine, but ${kind} needs the app: @hailstone/white-label is not installed here`)
    return 1
  }
  return code === 0 || code === 2 ? code : 1
}
