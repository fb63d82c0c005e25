import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  assertPlainFiles,
  CommandLineError,
  createFile,
  moveFile,
  replaceFile,
} from '@hailstone/runtime/node'
import { copyPlainData, type PlainData } from '../layers/plain-data.ts'
import { editBrandSource, lineOfSetting } from './edit-brand-source.ts'
import { rebased, stepsBetween } from './edit-steps.ts'
import { type brandFileNames, readBrandFile } from './load-brand-config.ts'

export type WriteBrandFileParameters = {
  readonly folder: string
  readonly fileName: (typeof brandFileNames)[number]
  /** The brand that was changed, as it was read. */
  readonly before: unknown
  /** The brand as it should be. */
  readonly config: unknown
}

const encoder = new TextEncoder()
const dataOf = (value: unknown): PlainData => copyPlainData(value).data ?? null

/** Makes the changes between two states of a brand in its file as it is now, which somebody else may have changed. */
export const rebasedBrand = (current: unknown, before: unknown, config: unknown): PlainData =>
  rebased(dataOf(current), dataOf(before), dataOf(config))

/**
 * Changes settings in the source of a brand and keeps the rest of the file as it is, comments included. The edited file
 * is read before it takes the place of the old one, which stays beside it, as `brand.ts.before`.
 *
 * @returns false if somebody else changed settings since `before` was read: nothing was written, since nobody has checked
 *   what both changes are together
 * @throws {CommandLineError} that names the line, if a setting cannot be changed there, or a link that is in the way;
 *   nothing is written then
 */
export async function writeBrandFile(parameters: WriteBrandFileParameters): Promise<boolean> {
  const { folder, fileName, before, config } = parameters
  const isJson = fileName === 'brand.json'
  const path = join(folder, fileName)
  await assertPlainFiles(folder, [fileName, `${fileName}.before`])
  const source = await readFile(path, 'utf8')
  const current = dataOf(await readBrandFile(path))
  if (stepsBetween(current, dataOf(before)).length > 0) return false
  const wanted = dataOf(config)
  const { text, fault } = editBrandSource(source, isJson, current, wanted)
  if (fault !== null) throw refused(fileName, fault.line, fault.why)
  // A name that nobody has: a file of theirs would be lost.
  const mark = randomBytes(8).toString('hex')
  const next = fileName.replace(/\.\w+$/, (ending) => `.next-${mark}${ending}`)
  await createFile(folder, next, encoder.encode(text))
  try {
    const [odd] = stepsBetween(await readNext(join(folder, next), fileName), wanted)
    if (odd !== undefined)
      throw refused(
        fileName,
        lineOfSetting(source, isJson, odd.path),
        'the program does not give the settings that would be written',
      )
    if ((await readFile(path, 'utf8')) !== source) return false
    await replaceFile(folder, `${fileName}.before`, encoder.encode(source))
    await moveFile(folder, next, fileName)
    return true
  } finally {
    await rm(join(folder, next), { force: true })
  }
}

async function readNext(path: string, fileName: string): Promise<PlainData> {
  try {
    return dataOf(await readBrandFile(path))
  } catch (error) {
    throw refused(
      fileName,
      1,
      `the edited file cannot be read (${error instanceof Error ? error.message : ''})`,
    )
  }
}

const refused = (fileName: string, line: number, why: string): CommandLineError =>
  new CommandLineError(`${fileName}, line ${line}: ${why}. Change it there by hand; nothing was written.`)
