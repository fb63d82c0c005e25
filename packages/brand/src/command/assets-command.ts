import { join, relative, resolve } from 'node:path'
import { assertNoLink, updateFolder } from '@hailstone/runtime/node'
import { generateAssets } from '../assets/generate-assets.ts'
import type { PictureSet } from '../assets/picture-plan.ts'
import { isReady } from '../files/check-brand-folder.ts'
import { checkNamedBrand } from './check-command.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { exitCodeOf, findingLines } from './print-findings.ts'

const sets: readonly PictureSet[] = ['web', 'android', 'ios']

function setsOf({ values }: CommandWords): readonly PictureSet[] {
  const words = values.only ?? sets
  return words.map((word) => {
    const found = sets.find((one) => one === word)
    if (found === undefined)
      throw new UsageError(`--only should be one of ${sets.join(', ')}; found "${word}".`)
    return found
  })
}

/** Draws every picture of a brand into a folder. */
export async function assetsCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const wanted = setsOf(words)
  const { folder, report } = await checkNamedBrand(words.positionals[0], words, io)
  if (report.brand === null || !isReady(report)) {
    for (const line of findingLines(report.findings)) io.complain(line)
    io.complain('Nothing was drawn: fix the errors first.')
    return exitCodeOf(report.findings)
  }
  const out = words.values.out === undefined ? join(folder, 'generated') : resolve(io.cwd, words.values.out)
  const pictures = await generateAssets({ brand: report.brand, files: report.files, sets: wanted })
  // The folder of a stranger's brand may have a link of this name.
  if (words.values.out === undefined) await assertNoLink(folder, 'generated')
  // Pictures of other sets, which an earlier call drew, stay.
  await updateFolder(out, pictures, false)
  for (const [path, bytes] of pictures) io.write(`${path}  ${bytes.length} bytes`)
  io.write(`${pictures.size} files in ${relative(io.cwd, out) || '.'}`)
  return 0
}
