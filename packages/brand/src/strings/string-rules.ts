import { nearestWord } from '@hailstone/runtime'
import type { BrandFiles, CheckContext } from '../checks/check-context.ts'
import { secretFindings } from '../checks/secret-rules.ts'
import { hasHiddenCharacters, textFindings } from '../checks/text-rules.ts'
import { type Finding, finding, shown } from '../findings/finding.ts'
import { copyPlainData, isPlainObject, type PlainData } from '../layers/plain-data.ts'
import { isShippedLanguage } from '../schema/shipped-languages.ts'
import { isEnglish, isForOneNumber, textsFor } from './language-texts.ts'
import type { StringCatalogue } from './string-catalogue.ts'

/** Overrides of one language by key. */
export type StringOverrides = { readonly [key: string]: string }

const LONG = 40
const filePattern = /^i18n\/([A-Za-z-]+)\.json$/
const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g
const plural = /_(?:zero|one|two|few|many|other)$/

/** Returns the language files of a brand: tag and path. */
export const languageFiles = (
  files: BrandFiles,
): readonly { readonly language: string; readonly path: string }[] =>
  [...files.keys()].flatMap((path) => {
    const language = filePattern.exec(path)?.[1]
    return language === undefined ? [] : [{ language, path }]
  })

/** Parses one language file, nested or with dotted keys; reports values that are not text. */
export function readOverrides(
  bytes: Uint8Array,
  path: string,
): { readonly overrides: StringOverrides; readonly findings: readonly Finding[] } {
  const malformed = (found: string, at = path): Finding => finding('strings-malformed', { path: at, found })
  const json = parsed(bytes)
  if (json instanceof Error) return { overrides: {}, findings: [malformed(json.message)] }
  const { data, findings } = copyPlainData(json)
  if (!isPlainObject(data)) return { overrides: {}, findings: [malformed(shown(json))] }
  const flat = flattened(data)
  const texts = flat.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const others = flat.filter(([, value]) => typeof value !== 'string')
  return {
    overrides: Object.fromEntries(texts),
    findings: [
      ...findings.map((one) => ({ ...one, path: `${path}#${one.path}` })),
      ...others.map(([key, value]) => malformed(shown(value), `${path}#${key}`)),
    ],
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SyntaxError) return error
    if (error instanceof TypeError) return new Error('bytes that are not UTF-8')
    throw error
  }
}

const flattened = (data: PlainData, prefix = ''): readonly (readonly [string, PlainData])[] =>
  isPlainObject(data)
    ? Object.entries(data).flatMap(([key, value]) =>
        flattened(value, prefix === '' ? key : `${prefix}.${key}`),
      )
    : [[prefix, data]]

const placeholdersOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(placeholder)].map((match) => match[1] ?? ''))

/** Returns the original of an override; languages may have plural forms that English lacks. */
function originalOf(key: string, catalogue: StringCatalogue): string | undefined {
  if (Object.hasOwn(catalogue, key)) return catalogue[key]
  const other = key.replace(plural, '_other')
  return other !== key && Object.hasOwn(catalogue, other) ? catalogue[other] : undefined
}

/** Rules for languages, their overrides, and the texts of languages that the app lacks. */
export function stringFindings({ files, catalogue, isWholeApp, brand }: CheckContext): readonly Finding[] {
  return languageFiles(files).flatMap(({ language, path }) => {
    const { overrides, findings } = readOverrides(files.get(path) ?? new Uint8Array(), path)
    const isEnabled = brand.i18n.enabled.includes(language)
    const unused = isEnabled ? [] : [finding('language-file-unused', { path, found: shown(language) })]
    const isNew = isEnabled && !isShippedLanguage(language)
    const place = { path, catalogue, language }
    const entries = Object.entries(overrides).flatMap(([key, text]) =>
      // Without the app most of its keys are unknown.
      isWholeApp || !isNew || originalOf(key, catalogue) !== undefined
        ? overrideFindings(key, text, place)
        : safetyFindings(`${path}#${key}`, text),
    )
    const whole = isNew && isWholeApp ? wholeFindings(language, overrides, place) : []
    return [...unused, ...findings, ...whole, ...entries]
  })
}

/** Names at most this many keys of missing texts. */
const NAMED = 3

/** Rules for a language that the app lacks: the brand has all of its texts, translated. */
function wholeFindings(
  language: string,
  overrides: StringOverrides,
  { path, catalogue }: Place,
): readonly Finding[] {
  const wanted = textsFor(language, catalogue)
  const missing = [...wanted.keys()].filter((key) => !Object.hasOwn(overrides, key))
  const english = [...wanted].filter(([key, text]) => isEnglish(overrides[key] ?? '', text, language))
  const fix = `Add them in English with \`hailstone-brand language ${language}\`, then translate them.`
  return [
    ...(missing.length === 0
      ? []
      : [
          finding('language-incomplete', {
            path,
            expected: `all ${wanted.size} texts of the app`,
            found: `${missing.length} missing: ${missing.slice(0, NAMED).join(', ')}${missing.length > NAMED ? ', …' : ''}`,
            fix,
          }),
        ]),
    ...(english.length === 0
      ? []
      : [
          finding('language-untranslated', {
            path,
            found: `${english.length} still in English: ${english
              .slice(0, NAMED)
              .map(([key]) => key)
              .join(', ')}${english.length > NAMED ? ', …' : ''}`,
          }),
        ]),
  ]
}

type Place = { readonly path: string; readonly catalogue: StringCatalogue; readonly language: string }

function overrideFindings(
  key: string,
  text: string,
  { path: file, catalogue, language }: Place,
): readonly Finding[] {
  const path = `${file}#${key}`
  const original = originalOf(key, catalogue)
  if (original === undefined) {
    const near = nearestWord(key, Object.keys(catalogue))
    const fix = near === undefined ? undefined : `Did you mean "${near}"?`
    return [finding('string-key-unknown', { path, found: `the key ${shown(key)}`, fix })]
  }
  if (text === '') return [finding('text-empty', { path, found: '""' })]
  return [
    ...placeholderFindings(path, text, original, isForOneNumber(key, language) ? ['count'] : []),
    ...lengthFindings(path, text, original),
    ...safetyFindings(path, text),
  ]
}

/** The rules that hold for a text whatever its key is. */
const safetyFindings = (path: string, text: string): readonly Finding[] => [
  ...wordFindings(path, text),
  ...secretFindings({ path, text }),
]

function placeholderFindings(
  path: string,
  text: string,
  original: string,
  dispensable: readonly string[],
): readonly Finding[] {
  const wanted = placeholdersOf(original)
  const given = placeholdersOf(text)
  const list = (names: Iterable<string>): string =>
    [...names].map((name) => `{{${name}}}`).join(' ') || 'none'
  const facts = { path, expected: list(wanted), found: list(given) }
  return [
    ...([...wanted].some((name) => !given.has(name) && !dispensable.includes(name))
      ? [finding('string-placeholder-missing', facts)]
      : []),
    ...([...given].some((name) => !wanted.has(name)) ? [finding('string-placeholder-unknown', facts)] : []),
  ]
}

function lengthFindings(path: string, text: string, original: string): readonly Finding[] {
  const limit = Math.max(LONG, original.length * 3)
  if (text.length <= limit) return []
  return [
    finding('string-too-long', { path, expected: `at most ${limit} characters`, found: `${text.length}` }),
  ]
}

/** Where words are not parted by blanks, an invisible one says where a line may end. */
const lineEnd =
  /(?<=[\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}])\u200B(?=[\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Thai}])/gu

/** The rules of all texts, except that placeholders and final line ends are allowed. */
function wordFindings(path: string, text: string): readonly Finding[] {
  const plain = text.replace(placeholder, '1').replace(/\n/g, ' ').replace(lineEnd, '')
  const hidden = hasHiddenCharacters(plain)
  const findings = textFindings({ path, text: plain })
  return hidden ? findings : findings.filter(({ name }) => name !== 'text-untrimmed')
}
