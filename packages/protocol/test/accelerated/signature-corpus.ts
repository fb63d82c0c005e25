import { CURVE_ORDER, compactToDer, derToCompact, sha256Hex } from '@hailstone/protocol'

export type Question = { readonly text: string; readonly signature: string; readonly address: string }

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'))
const digits32 = (value: bigint): string => value.toString(16).padStart(64, '0')

export const numbersOf = (signature: string): { readonly r: bigint; readonly s: bigint } => {
  const compact = hex(derToCompact(bytes(signature)))
  return { r: BigInt(`0x${compact.slice(0, 64)}`), s: BigInt(`0x${compact.slice(64)}`) }
}

const signatureOf = (r: bigint, s: bigint): string => hex(compactToDer(bytes(digits32(r) + digits32(s))))

const withLength = (body: string): string => `30${hex(Uint8Array.of(body.length / 2))}${body}`

/** Field elements are at most p-1; larger numbers are not coordinates. */
const FIELD = 2n ** 256n - 2n ** 32n - 977n

const at = (text: string, place: number, change: (character: string) => string): string =>
  text.slice(0, place) + change(text[place] ?? '') + text.slice(place + 1)

type Change = (question: Question, place: number) => Question

const signature =
  (change: (signature: string, place: number) => string): Change =>
  (question, place) => ({ ...question, signature: change(question.signature, place) })

const numbers = (change: (r: bigint, s: bigint) => readonly [bigint, bigint]): Change =>
  signature((text) => {
    const { r, s } = numbersOf(text)
    return signatureOf(...change(r, s))
  })

const address =
  (change: (address: string) => string): Change =>
  (question) => ({ ...question, address: change(question.address) })

/** Alterations of a signature; PROTOCOL 2.3 has the network's verdicts. */
export const changes: { readonly [name: string]: Change } = {
  'nothing changed': (question) => question,
  'the high-S form': numbers((r, s) => [r, CURVE_ORDER - s]),
  'upper case': signature((text) => text.toUpperCase()),
  'one odd digit more': signature((text) => `${text}a`),
  'one digit less': signature((text) => text.slice(0, -1)),
  'one byte less': signature((text) => text.slice(0, -2)),
  'a letter that is no hex': signature((text, place) => at(text, place % text.length, () => 'g')),
  'no hex after the end': signature((text) => `${text}zz`),
  'one bit flipped': signature((text, place) =>
    at(text, place % text.length, (digit) => (Number.parseInt(digit, 16) ^ (1 << (place & 3))).toString(16)),
  ),
  'a byte after the end': signature((text) => `${text}00`),
  'a byte after the integers, counted': signature((text) => withLength(`${text.slice(4)}00`)),
  'r padded with a zero': signature((text) => {
    const length = Number.parseInt(text.slice(6, 8), 16)
    return withLength(`02${hex(Uint8Array.of(length + 1))}00${text.slice(8)}`)
  }),
  'a long length': signature((text) => `3081${text.slice(2)}`),
  'r and s exchanged': numbers((r, s) => [s, r]),
  'r zero': numbers((_, s) => [0n, s]),
  's zero': numbers((r) => [r, 0n]),
  'r the order': numbers((_, s) => [CURVE_ORDER, s]),
  's the order': numbers((r) => [r, CURVE_ORDER]),
  's negated beyond the order': numbers((r) => [r, 2n ** 256n - 1n]),
  'raw r and s': signature((text) => hex(derToCompact(bytes(text)))),
  'an empty signature': signature(() => ''),
  'another text': (question) => ({ ...question, text: `${question.text} ` }),
  'the other point of the same x': address((text) => (text.startsWith('02') ? '03' : '02') + text.slice(2)),
  'an address in upper case': address((text) => text.toUpperCase()),
  'an x that may be off the curve': address((text) => `02${sha256Hex(text)}`),
  'an x beyond the field': address(() => `02${digits32(FIELD + 1n)}`),
  'x zero': address(() => `03${digits32(0n)}`),
  'an uncompressed key': address((text) => `04${text.slice(2)}${text.slice(2)}`),
  'no address': address(() => ''),
}

/** Verdicts that do not depend on the random values. */
export const certainAnswers: { readonly [name: string]: boolean } = {
  'nothing changed': true,
  'the high-S form': true,
  'upper case': true,
  'one odd digit more': true,
  'no hex after the end': true,
  'an address in upper case': true,
  'one digit less': false,
  'one byte less': false,
  'a byte after the end': false,
  'a byte after the integers, counted': false,
  'r padded with a zero': false,
  'a long length': false,
  'r and s exchanged': false,
  'r zero': false,
  's zero': false,
  'r the order': false,
  's the order': false,
  'another text': false,
  'the other point of the same x': false,
  'an x beyond the field': false,
  'x zero': false,
  'an uncompressed key': false,
  'no address': false,
  'an empty signature': false,
  'raw r and s': false,
}
