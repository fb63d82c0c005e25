import { join, relative } from 'node:path'
import { findBrandFolder } from '../files/find-brand-folder.ts'
import { findShell } from '../files/find-shell.ts'
import { loadBrandConfig } from '../files/load-brand-config.ts'
import { writeBrandFile } from '../files/write-brand-file.ts'
import { hasErrors } from '../findings/finding.ts'
import { type Migrations, migrate } from '../layers/migrate.ts'
import { copyPlainData, isPlainObject } from '../layers/plain-data.ts'
import { SCHEMA_VERSION } from '../schema/brand-schema.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { differences, settingsOf } from './differences.ts'
import { findingLines } from './print-findings.ts'

/** Steps between schema versions; those of this release unless a test has others. */
export type UpgradeSteps = { readonly steps?: Migrations; readonly newest?: number }

/**
 * Changes a brand of an older schema version to the newest one, and prints every setting that differs; the rest of the
 * file stays as it is. With `--check` it writes nothing and ends with 1 if there is something to write.
 */
export async function upgradeCommand(
  words: CommandWords,
  io: CommandIo,
  { steps, newest = SCHEMA_VERSION }: UpgradeSteps = {},
): Promise<ExitCode> {
  const [name, ...more] = words.positionals
  if (more.length > 0) throw new UsageError(`upgrade takes one brand; ${more[0]} is too much.`)
  const folder = await findBrandFolder(name, io.cwd, await findShell(io))
  const { config, fileName, findings: loading } = await loadBrandConfig(folder)
  const { data, findings: copying } = copyPlainData(config)
  const { brand, findings } = isPlainObject(data)
    ? migrate(data, { newest, ...(steps === undefined ? {} : { steps }) })
    : { brand: null, findings: [] }
  const all = [...loading, ...copying, ...findings]
  if (fileName === null || brand === null || hasErrors(all)) {
    for (const line of findingLines(all)) io.complain(line)
    io.complain('Nothing was written: fix the errors first.')
    return 1
  }
  const file = relative(io.cwd, join(folder, fileName))
  const lines = differences(settingsOf(data), settingsOf(brand))
  if (lines.length === 0) {
    io.write(`${file} has the newest schema version, ${newest}. Nothing to do.`)
    return 0
  }
  for (const line of lines) io.write(line)
  if (words.values.check === true) {
    io.write(`${file} is of an older schema version. \`hailstone-brand upgrade\` writes these changes.`)
    return 1
  }
  if (!(await writeBrandFile({ folder, fileName, before: data, config: brand }))) {
    io.complain(`${file} was changed meanwhile: nothing was written. Run the command again.`)
    return 1
  }
  io.write(`${file} has schema version ${newest} now; the file before is ${file}.before.`)
  return 0
}
