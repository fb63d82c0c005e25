import { type Finding, finding } from '../findings/finding.ts'
import type { PlacedText } from './text-rules.ts'

const hexKey = /(?<![0-9a-f])(?:0x)?(?:00)?[0-9a-f]{64}(?![0-9a-f])/i
const phrase = /^[a-z]{3,8}(?: [a-z]{3,8}){11,23}$/
const phraseLengths: readonly number[] = [12, 15, 18, 21, 24]
const armoured = /-----BEGIN [A-Z ]*PRIVATE KEY|\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{50}/

/** Fields that may hold 64 hex digits: token ids. */
const tokenFields = /^(?:environments\.(?:dev|staging|prod)\.)?(?:token\.hash|network\.nativeToken)$/

/** Returns the kind of secret that a text seems to contain, or null. */
export function secretKind(text: string): string | null {
  if (hexKey.test(text)) return '64 hex digits, as a private key has (not shown)'
  if (armoured.test(text)) return 'a private key in a text form (not shown)'
  const words = text.trim().split(/\s+/)
  if (phraseLengths.includes(words.length) && phrase.test(words.join(' '))) {
    return `${words.length} words, as a recovery phrase has (not shown)`
  }
  return null
}

/** Refuses possible private keys in all fields except token ids. The finding never repeats them. */
export function secretFindings({ path, text }: PlacedText): readonly Finding[] {
  if (tokenFields.test(path)) return []
  const found = secretKind(text)
  return found === null ? [] : [finding('secret-in-file', { path, found })]
}
