/** Words that people take when they are asked for a password, also in other spellings and with digits around them. */
const common =
  'password passwort passwd passphrase kennwort contrasena motdepasse secret qwerty qwertz azerty iloveyou letmein welcome admin login master dragon monkey football baseball sunshine princess superman batman starwars trustno hello test changeme wallet bitcoin crypto mining miner money'.split(
    ' ',
  )

const rows = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop']
const spelt: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'l',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, '')
const reversed = (text: string): string => [...text].reverse().join('')

/** True if the text runs along the alphabet, the digits or a row of keys. */
const isRun = (text: string): boolean =>
  rows.some((row) => [row + row, reversed(row + row)].some((line) => text.length > 3 && line.includes(text)))

/** True if somebody who tries the usual passwords first finds this one at once. */
function isEasy(passphrase: string): boolean {
  const plain = passphrase.normalize('NFKC').toLowerCase()
  const packed = plain.replace(/[\s\-_.]/g, '')
  const words = new Set(plain.split(/[\s\-_.]+/))
  if (new Set(packed).size < 4) return true
  if (isRun(packed)) return true
  const readings = [
    lettersOf(plain),
    lettersOf(plain.replace(/\d+\W*$/, '').replace(/[013457@$!]/g, (sign) => spelt[sign] ?? sign)),
  ]
  if (words.size > 2) return false
  return readings.some(
    (text) =>
      common.some(
        (word) => text === word || text === word + word || text === `${word}s` || text === `my${word}`,
      ) || isRun(text),
  )
}

export type Strength = 'easy' | 'weak' | 'fair' | 'strong'

/** Bits of a word that somebody chose from a language, or of a name. */
const WORD_BITS = 12
/** Letters of such a word; two and a half of it in one piece count as two. */
const WORD_LETTERS = 7
/** Bits that an attacker with many processors does not try within years, for the key derivation of the vault. */
const STRONG_BITS = 48
const FAIR_BITS = 36

/** Parts that people put together: words as they are written, numbers, and single signs. */
const parts = /\p{L}\p{Ll}{2,}|\p{Lu}{3,}|\d+|./gsu

/** Bits of a word with a year, a number or signs around it, which is what most people choose. */
function bitsOfParts(passphrase: string): number {
  return [...passphrase.matchAll(parts)].reduce((bits, [part]) => {
    const { length } = part
    if (/^\p{L}{3}/u.test(part)) return bits + WORD_BITS * Math.max(1, Math.round(length / WORD_LETTERS))
    if (/^(?:19|20)\d\d$/.test(part) || isRun(part)) return bits + 7
    return bits + (/^\d/.test(part) ? 3.3 * length : /^\p{L}/u.test(part) ? 5.7 : 5)
  }, 0)
}

/**
 * Estimates how long a passphrase holds when the stored key was copied. `easy` is refused; the others are told. Counts
 * words where there are several, characters otherwise.
 */
export function strengthOf(passphrase: string): Strength {
  if (isEasy(passphrase)) return 'easy'
  const words = new Set(
    passphrase
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word.length > 1),
  )
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d\s]/u].filter((kind) => kind.test(passphrase)).length
  const characters = new Set(passphrase).size + (passphrase.length - new Set(passphrase).size) / 2
  // A single word of a language has fewer bits than its letters; mixed kinds have more.
  const byCharacters = Math.min(characters * (1.5 + kinds), bitsOfParts(passphrase))
  const bits = words.size > 2 ? Math.max(words.size * WORD_BITS, byCharacters) : byCharacters
  return bits >= STRONG_BITS ? 'strong' : bits >= FAIR_BITS ? 'fair' : 'weak'
}
