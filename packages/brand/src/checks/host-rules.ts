import { decodePunycode } from './punycode.ts'

const ascii = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const ipv6 = /^\[[0-9a-f:.]+\]$/

/** True for a host of letters, digits, dots and hyphens, or an IPv6 address in brackets. URLs allow more. */
export const isPlainHost = (host: string): boolean => ascii.test(host) || ipv6.test(host)

/** Cyrillic, Greek and other letters that look like Latin ones. */
const doubles = /^[асеорхукнмтвіјѕһԁԛԝӏѵɡɑοανρικυτωϲӕ0-9-]+$/u

/** Returns the decoded labels of a host that are not ASCII. */
export const internationalLabels = (host: string): readonly string[] =>
  host
    .split('.')
    .filter((label) => label.startsWith('xn--'))
    .map((label) => decodePunycode(label.slice(4)) ?? label)

const latin = /\p{Script=Latin}/u
const otherLetter = /(?!\p{Script=Latin})\p{L}/u
const mixesWell = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** True if a decoded label may be mistaken for another: it mixes alphabets or uses look-alike letters. */
export const isLookAlikeLabel = (label: string): boolean =>
  label.startsWith('xn--') ||
  doubles.test(label) ||
  (latin.test(label) && otherLetter.test(label) && !mixesWell.test(label))
