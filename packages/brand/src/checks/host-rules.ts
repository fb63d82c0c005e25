import { decodePunycode } from './punycode.ts'

const ascii = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const ipv6 = /^\[[0-9a-f:.]+\]$/

/** True for a host of letters, digits, dots and hyphens, or a bracketed IPv6 address; URLs allow more. */
export const isPlainHost = (host: string): boolean => ascii.test(host) || ipv6.test(host)

/** Cyrillic, Greek and other letters that are drawn like Latin ones. */
const doubles = /^[асеорхукнмтвіјѕһԁԛԝӏѵɡɑοανρικυτωϲӕ0-9-]+$/u

/** The labels of a host that are written in other alphabets, decoded. */
export const internationalLabels = (host: string): readonly string[] =>
  host
    .split('.')
    .filter((label) => label.startsWith('xn--'))
    .map((label) => decodePunycode(label.slice(4)) ?? label)

const latin = /\p{Script=Latin}/u
const otherLetter = /(?!\p{Script=Latin})\p{L}/u
const mixesWell = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** True when a decoded label would be taken for another one: alphabets mixed, or letters that have doubles. */
export const isLookAlikeLabel = (label: string): boolean =>
  label.startsWith('xn--') ||
  doubles.test(label) ||
  (latin.test(label) && otherLetter.test(label) && !mixesWell.test(label))
