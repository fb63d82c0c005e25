import { sha256Hex } from '@hailstone/protocol'
import type { BrandFiles } from '../checks/check-context.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { environmentNames } from '../schema/layer-schema.ts'
import { checkNamedBrand } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { differences, type Leaves, settingsOf } from './differences.ts'
import { exitCodeOf, findingLines } from './print-findings.ts'

/** Compares two brands, or two environments of one, setting by setting and file by file. */
export async function diffCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const [left, right] = words.positionals
  if (left === undefined || right === undefined)
    throw new UsageError('diff takes two brands, as acme acme#prod.')
  const sides = [await sideOf(left, words, io), await sideOf(right, words, io)] as const
  for (const { report } of sides) {
    if (report.brand !== null) continue
    for (const line of findingLines(report.findings)) io.complain(line)
    return exitCodeOf(report.findings)
  }
  const [before, after] = sides.map(({ report }) => leavesOf(report.brand, report.files))
  const lines = differences(before ?? new Map(), after ?? new Map())
  for (const line of lines) io.write(line)
  const count = lines.length === 1 ? '1 difference' : `${lines.length} differences`
  io.write(lines.length === 0 ? 'No difference.' : count)
  return 0
}

async function sideOf(word: string, words: CommandWords, io: CommandIo) {
  const [name = '', env] = word.split('#')
  const environment = environmentNames.find((one) => one === env) ?? words.environment
  if (env !== undefined && environment !== env) {
    throw new UsageError(`After # comes one of ${environmentNames.join(', ')}; found "${env}".`)
  }
  return checkNamedBrand(name === '' ? undefined : name, { ...words, environment }, io)
}

function leavesOf(brand: ResolvedBrand | null, files: BrandFiles): Leaves {
  const contents = [...files].map(
    ([path, bytes]) =>
      [`file ${path}`, sha256Hex(Buffer.from(bytes).toString('latin1')).slice(0, 12)] as const,
  )
  return new Map([...settingsOf(brand), ...contents])
}
