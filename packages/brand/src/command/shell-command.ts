import { resolve } from 'node:path'
import { isReady } from '../files/check-brand-folder.ts'
import { findShell, runShell } from '../files/find-shell.ts'
import { checkNamedBrand, onlineFindings } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { exitCodeOf, findingLines } from './print-findings.ts'

type Kind = 'preview' | 'build'

/**
 * `preview` and `build`: checks the brand, with `--online` against its network too, and hands it to the
 * white-label app. A build refuses errors, and with `--online` what could not be reached. It takes several
 * brands; one that is refused does not keep the others from being built.
 */
export async function shellCommand(kind: Kind, words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const { positionals } = words
  if (positionals.length < 2) return handOver(kind, positionals[0], words, io)
  if (kind === 'preview') throw new UsageError('A preview shows one brand.')
  const codes: ExitCode[] = []
  for (const name of positionals) codes.push(await handOver(kind, name, words, io))
  return [1 as const, 2 as const].find((code) => codes.includes(code)) ?? 0
}

async function handOver(
  kind: Kind,
  name: string | undefined,
  words: CommandWords,
  io: CommandIo,
): Promise<ExitCode> {
  const { folder, report } = await checkNamedBrand(name, words, io)
  const online = await onlineFindings(report, words)
  const findings = [...report.findings, ...online]
  for (const line of findingLines(findings)) io.complain(line)
  const mayBuild = isReady(report) && exitCodeOf(online) === 0
  const mayRun = kind === 'preview' ? report.brand !== null : mayBuild
  if (!mayRun) {
    io.complain(
      `${kind === 'build' ? 'Nothing was built' : 'There is nothing to show'}: mend the errors first.`,
    )
    return exitCodeOf(findings) || 1
  }
  const { environment, target, flags, values } = words
  // Several brands share no folder.
  const below = words.positionals.length > 1 && report.brand !== null ? report.brand.id : '.'
  const out = values.out === undefined ? undefined : resolve(io.cwd, values.out, below)
  const request = { brandFolder: folder, environment, target, flags, out }
  const code = await runShell(kind, request, await findShell(io.cwd))
  if (code === undefined) {
    io.complain(
      `The brand is fine, but \`brand ${kind}\` comes with the white-label app (apps/white-label), which is not here.`,
    )
    return 1
  }
  return code === 0 || code === 2 ? code : 1
}
