import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'
import type { PlainData } from '../layers/plain-data.ts'

/** A text of a brand with its path. */
export type PlacedText = { readonly path: string; readonly text: string }

/** Returns every text in plain data, without keys. */
export function textsOf(data: PlainData, path: readonly PropertyKey[] = []): readonly PlacedText[] {
  if (typeof data === 'string') return [{ path: joinPath(path), text: data }]
  if (Array.isArray(data)) return data.flatMap((item, index) => textsOf(item, [...path, index]))
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([key, member]) => textsOf(member, [...path, key]))
}

// Joiners belong to the spelling of these scripts and of emoji. Elsewhere they hide something.
const joined =
  '\\p{Script=Arabic}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Oriya}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Extended_Pictographic}\\p{EMod}\\uFE0F'
const strayJoiner = new RegExp(`(?<![${joined}])[\\u200C\\u200D]`, 'u')
const invisible = /[\p{Cc}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0\u2800]|\u034F/u
const format = /(?![\u200C\u200D])\p{Cf}/u
const stackedMarks = /(?:(?!\p{Script=Myanmar})\p{M}){5}/u

/** True if a text has characters that nobody sees or that turn others round, or more marks on a letter than any script has. */
export const hasHiddenCharacters = (text: string): boolean =>
  invisible.test(text) || format.test(text) || strayJoiner.test(text) || stackedMarks.test(text)

const markup = /<[a-z!/?]|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i
const scriptUrl = /\b(?:javascript|vbscript)\s*:|\bdata\s*:\s*(?:[a-z]+\/[a-z.+-]+|;|,)/i
const css = /[{}]|\burl\s*\(|\bexpression\s*\(|@import\b|@charset\b|-moz-binding|\/\*|\*\//i

const latin = /\p{Script=Latin}/u
const likeLatin =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/u
// Letters and digits that look Latin but belong to another Unicode block.
const dressedUp = /[\uFF01-\uFF5E\u{1D400}-\u{1D7FF}\u24B6-\u24E9\u{1F130}-\u{1F189}]/u

/** True if a word mixes look-alike alphabets or uses stylised letters of another block. */
export const looksLikeAnother = (text: string): boolean =>
  dressedUp.test(text) ||
  text.split(/[^\p{L}\p{M}\p{N}]+/u).some((word) => latin.test(word) && likeLatin.test(word))

/** Findings that apply to every text of a brand. */
export function textFindings({ path, text }: PlacedText): readonly Finding[] {
  const found = shown(text)
  const findings: Finding[] = []
  if (hasHiddenCharacters(text)) findings.push(finding('text-has-control-characters', { path, found }))
  if (markup.test(text)) findings.push(finding('text-has-markup', { path, found }))
  if (scriptUrl.test(text)) findings.push(finding('text-has-script-url', { path, found }))
  if (css.test(text)) findings.push(finding('text-has-css', { path, found }))
  if (looksLikeAnother(text)) findings.push(finding('text-look-alike', { path, found }))
  if (/^\s|\s$|\s\s/u.test(text)) findings.push(finding('text-untrimmed', { path, found }))
  return findings
}

const pictographs = /\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u20E3\uFE0F]/u
const signs = /[©®™]/gu

/** True for emoji; ©, ® and ™ do not count. */
export const hasEmoji = (text: string): boolean => pictographs.test(text.replace(signs, ''))
