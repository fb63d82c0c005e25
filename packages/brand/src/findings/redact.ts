const hexKey = /(?<![0-9a-f])(?:0x)?(?:00)?[0-9a-f]{64}(?![0-9a-f])/gi
const phrase = /(?<![a-z])[a-z]{3,8}(?:\s[a-z]{3,8}){11,23}(?![a-z])/g
const armoured = /-----BEGIN [A-Z ]*PRIVATE KEY[^"]*|\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{50,}/g

/** Removes possible private keys and recovery phrases, so that no finding, log or screen repeats them. */
export const redact = (text: string): string =>
  text
    .replace(hexKey, '(64 hex digits, not shown)')
    .replace(phrase, '(words, not shown)')
    .replace(armoured, '(a key, not shown)')
