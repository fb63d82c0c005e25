import { readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { assertPlainFiles, CommandLineError, replaceFile } from '@hailstone/runtime/node'
import { checkBrandFolder } from '../files/check-brand-folder.ts'
import { findBrandFolder } from '../files/find-brand-folder.ts'
import { findShell, shellCatalogue } from '../files/find-shell.ts'
import { brandFileOf } from '../files/load-brand-config.ts'
import { printedJson } from '../generators/text-files.ts'
import { patterns } from '../schema/leaves.ts'
import { canonicalTag, isShippedLanguage } from '../schema/shipped-languages.ts'
import { isEnglish, textsFor } from '../strings/language-texts.ts'
import { readOverrides } from '../strings/string-rules.ts'
import type { CommandIo, ExitCode } from './command-io.ts'
import { type CommandWords, UsageError } from './command-options.ts'
import { findingLines } from './print-findings.ts'

/**
 * `language`: writes the file of a language that the app lacks, with every text of the app. Texts that the file has stay
 * as they are; those it lacks come in English, to be translated. Again after an update of the app, it adds the new ones.
 */
export async function languageCommand(words: CommandWords, io: CommandIo): Promise<ExitCode> {
  const [tag, name, ...more] = words.positionals
  if (tag === undefined) throw new UsageError('Name a language by its tag, as: hailstone-brand language nl')
  if (more.length > 0) throw new UsageError(`language takes one tag and one brand; ${more[0]} is too much.`)
  if (!patterns.language.test(tag))
    throw new UsageError(`A language is a tag such as nl, sr-Latn or pt-PT; found "${tag}".`)
  if (canonicalTag(tag) !== tag)
    throw new UsageError(`Browsers write "${tag}" as "${canonicalTag(tag)}": use that.`)
  const path = `i18n/${tag}.json`
  if (isShippedLanguage(tag))
    throw new UsageError(`The app has "${tag}" already. Word single texts your own way in ${path}.`)
  const shell = await findShell(io)
  const catalogue = await shellCatalogue(shell)
  if (catalogue === undefined) {
    io.complain('The texts come from the app, and @hailstone/white-label is not installed here.')
    return 1
  }
  const folder = await findBrandFolder(name, io.cwd, shell)
  if ((await brandFileOf(folder)) === null) {
    io.complain(`There is no brand in ${folder}. Name its folder after the language.`)
    return 1
  }
  await assertInside(folder, path)
  const before = await readFile(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const own = before === null ? { overrides: {}, findings: [] } : readOverrides(new Uint8Array(before), path)
  if (own.findings.length > 0) {
    for (const line of findingLines(own.findings)) io.complain(line)
    io.complain('Nothing was written: fix the file first.')
    return 1
  }
  const wanted = textsFor(tag, catalogue)
  // Texts that the app no longer has stay in the file, and the check names them: a person wrote them.
  const texts = { ...Object.fromEntries(wanted), ...own.overrides }
  await replaceText(folder, path, printedJson(texts), before)
  const added = [...wanted.keys()].filter((key) => !Object.hasOwn(own.overrides, key)).length
  const english = [...wanted].filter(([key, text]) => isEnglish(texts[key] ?? '', text, tag)).length
  const file = relative(io.cwd, join(folder, path))
  io.write(`${file}: ${wanted.size} texts, ${added} of them added in English`)
  if (english > 0)
    io.write(`${english} still in English: translate what is between the quotes after each colon.`)
  const { environment, target, flags } = words
  const { brand } = await checkBrandFolder({ folder, environment, target, flags, catalogue })
  if (brand !== null && !brand.i18n.enabled.includes(tag)) {
    const enabled = [...brand.i18n.enabled, tag].map((one) => `'${one}'`).join(', ')
    io.write(`Nobody can choose it yet. In the brand: i18n: { enabled: [${enabled}] }`)
  }
  io.write('Next: `hailstone-brand check` names what is missing or still English.')
  return 0
}

/** Writes a file whole or not at all. One that was there stays beside it, with `.before` after its name. */
async function replaceText(folder: string, path: string, text: string, before: Buffer | null): Promise<void> {
  if (before !== null) await replaceFile(folder, `${path}.before`, before)
  await replaceFile(folder, path, new TextEncoder().encode(text))
}

/** @throws {CommandLineError} if the file of the language or the one before it would be written through a link */
async function assertInside(folder: string, path: string): Promise<void> {
  const parent = await realpath(dirname(join(folder, path))).catch(() => null)
  if (parent !== null && !parent.startsWith((await realpath(folder)) + sep))
    throw new CommandLineError(`${path} is behind a link that leads out of the brand. Nothing was written.`)
  await assertPlainFiles(folder, [path, `${path}.before`])
}
