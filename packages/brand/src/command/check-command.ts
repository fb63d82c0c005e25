import type { TokenSlot } from '@hailstone/client'
import { canParseUrl } from '@hailstone/runtime'
import { checkDeployment } from '../deployment/check-deployment.ts'
import { checkBrandFolder, type FolderReport, isReady } from '../files/check-brand-folder.ts'
import { findBrandFolder } from '../files/find-brand-folder.ts'
import { findShell, shellCatalogue } from '../files/find-shell.ts'
import type { Finding } from '../findings/finding.ts'
import { checkBrandOnline } from '../online/check-brand-online.ts'
import { createBrandProbe } from '../online/create-brand-probe.ts'
import { readTokenSlot, slotFacts, slotSentence } from '../online/token-slot.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { countLine, exitCodeOf, findingLines } from './print-findings.ts'

export type CheckedFolder = { readonly folder: string; readonly report: FolderReport }

/** Loads and checks the brand named on the command line. */
export async function checkNamedBrand(
  word: string | undefined,
  words: CommandWords,
  io: CommandIo,
): Promise<CheckedFolder> {
  const shell = await findShell(io)
  const folder = await findBrandFolder(word, io.cwd, shell)
  const { environment, target, flags } = words
  const catalogue = await shellCatalogue(shell)
  return { folder, report: await checkBrandFolder({ folder, environment, target, flags, catalogue }) }
}

export async function checkCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const { report } = await checkNamedBrand(words.positionals[0], words, io)
  const online = await onlineFindings(report, words)
  const findings = [...report.findings, ...online, ...(await deployedFindings(report, words))]
  const exitCode = exitCodeOf(findings)
  const slot = await slotOf(report, words, exitCode)
  if (words.values.json === true) {
    io.write(
      JSON.stringify(
        { ...machineReport(report, findings, words, exitCode), slot: slot && slotFacts(slot) },
        null,
        2,
      ),
    )
    return exitCode
  }
  for (const line of findingLines(findings)) io.write(line)
  if (slot !== null) io.write(slotSentence(slot, report.brand?.token.ticker ?? 'the token'))
  io.write(`${report.brand?.id ?? 'brand'} (${words.environment}, ${words.target}): ${countLine(findings)}`)
  const { online: isOnline = false, deployed } = words.values
  if ((isOnline || deployed !== undefined) && !isReady(report)) {
    io.write('The network was not checked: fix the errors first.')
  }
  return exitCode
}

/** Returns online findings for a brand without errors; none unless `--online` was given. */
export async function onlineFindings(
  report: FolderReport,
  { target, values }: CommandWords,
): Promise<readonly Finding[]> {
  const { brand } = report
  if (values.online !== true || brand === null || !isReady(report)) return []
  await using probe = createBrandProbe({ apiUrl: brand.network.api })
  return await checkBrandOnline({ brand, target, probe, files: report.files })
}

/** Returns what the network says about a place of the token; null without `--online`, and if the network was not reached. */
async function slotOf(
  { brand, ...report }: FolderReport,
  { values, target }: CommandWords,
  exitCode: ExitCode,
): Promise<TokenSlot | null> {
  const isAsked = values.online === true && brand !== null && isReady({ brand, ...report }) && exitCode !== 2
  return isAsked && brand.mining.enabled && target !== 'ios' ? readTokenSlot(brand) : null
}

/** Returns findings about what is served at `--deployed`; none unless it was given. */
async function deployedFindings(
  { brand, configHash, ...report }: FolderReport,
  { values, host }: CommandWords,
): Promise<readonly Finding[]> {
  const { deployed } = values
  if (deployed === undefined) return []
  const base = canParseUrl(deployed) ? new URL(deployed) : null
  const isRoot =
    base !== null && /^https?:$/.test(base.protocol) && base.pathname === '/' && base.search === ''
  if (!isRoot)
    throw new UsageError('--deployed should be where the app is served, as https://app.acme.example/.')
  if (brand === null || !isReady({ brand, configHash, ...report })) return []
  await using probe = createBrandProbe({ apiUrl: brand.network.api })
  return await checkDeployment({ brand, configHash, base, host, probe })
}

const machineReport = (
  { brand, configHash }: FolderReport,
  findings: readonly Finding[],
  { environment, target, values }: CommandWords,
  exitCode: ExitCode,
) => ({
  id: brand?.id ?? null,
  environment,
  target,
  online: values.online === true,
  configHash,
  exitCode,
  findings,
})
