import { readFileSync } from 'node:fs'
import {
  addressOf,
  CURVE_ORDER,
  defaultEcdsa,
  type Ecdsa,
  type PrivateKey,
  parsePrivateKey,
  sha256Hex,
  signText,
  type VerifyText,
  verifyText,
} from '@hailstone/protocol'
import { type AcceleratedPackage, findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'
import { describe, expect, it } from 'vitest'
import { verifyTextPurely } from '../../src/ecdsa.ts'
import { certainAnswers, changes, numbersOf, type Question } from './signature-corpus.ts'
import { SEED, VECTORS } from './vector-count.ts'

/** Platforms with a prebuilt addon. Elsewhere it may be missing. */
const addonPlatforms = ['linux-x64', 'darwin-arm64', 'win32-x64']

const found: Ecdsa[] = []
for (const name of ['secp256k1', 'tiny-secp256k1'] satisfies AcceleratedPackage[]) {
  const ecdsa = await findAcceleratedEcdsa({ packages: [name] })
  if (ecdsa !== undefined) found.push(ecdsa)
}

const digits = (value: bigint): string => value.toString(16).padStart(64, '0')
const randomKey = (index: number): PrivateKey => parsePrivateKey(sha256Hex(`${SEED} key ${index}`))
const edgeKeys = [1n, 2n, 3n, CURVE_ORDER - 1n, CURVE_ORDER - 2n, CURVE_ORDER / 2n, CURVE_ORDER / 2n + 1n]
  .concat(Array.from({ length: 32 }, (_, byte) => 1n << BigInt(8 * byte)))
  .map((value) => parsePrivateKey(digits(value)))

/** Signed texts are 64 hex digits; other lengths and alphabets must agree as well. */
const textOf = (index: number): string => {
  if (index % 8 !== 0) return sha256Hex(`${SEED} text ${index}`)
  return (
    ['', 'ü', '\ud800', '\u0000', '😀'.repeat(index % 40), 'a'.repeat(index % 300)][(index / 8) % 6] ?? ''
  )
}

describe('the accelerated packages', () => {
  it('are found: the WebAssembly everywhere, the addon where it comes compiled', () => {
    const expected = addonPlatforms.includes(`${process.platform}-${process.arch}`)
      ? ['secp256k1', 'tiny-secp256k1']
      : ['tiny-secp256k1']
    expect(found.map(({ name }) => name)).toStrictEqual(expected)
  })

  it('are used fastest first, and only those that were named', async () => {
    expect((await findAcceleratedEcdsa())?.name).toBe(found[0]?.name)
    expect(await findAcceleratedEcdsa({ packages: [] })).toBeUndefined()
  })

  it('are frozen, as is the default', () => {
    for (const ecdsa of [...found, defaultEcdsa]) expect(Object.isFrozen(ecdsa)).toBe(true)
  })
})

describe('G-12, S-3', { timeout: 1_800_000 }, () => {
  it(`${VECTORS} signatures are low-S and the same byte for byte, whoever computes them`, () => {
    for (let index = 0; index < VECTORS; index++) {
      const key = edgeKeys[index] ?? randomKey(index >> 2)
      const text = textOf(index)
      const signature = signText(text, key)
      const differing = found.filter((ecdsa) => ecdsa.signText(text, key) !== signature)
      const isLow = numbersOf(signature).s <= CURVE_ORDER / 2n
      if (differing.length > 0 || !isLow) {
        expect({ seed: SEED, index, isLow, differing: differing.map(({ name }) => name) }).toBe(
          'equal and low',
        )
      }
    }
  })

  it('accounts are the same, whoever computes them', () => {
    const keys = [...edgeKeys, ...Array.from({ length: VECTORS / 20 }, (_, index) => randomKey(index))]
    for (const key of keys) {
      const address = addressOf(key)
      for (const ecdsa of found) expect(ecdsa.addressOf(key), `${SEED} ${ecdsa.name}`).toBe(address)
    }
  })

  const names = Object.keys(changes)
  const signed = Array.from({ length: 64 }, (_, index): Question => {
    const [text, key] = [textOf(index), randomKey(index)]
    return { text, signature: signText(text, key), address: addressOf(key) }
  })
  const questionOf = (index: number): { readonly name: string; readonly question: Question } => {
    const name = names[index % names.length] ?? ''
    const base = signed[Math.floor(index / names.length) % signed.length]
    const change = changes[name]
    if (base === undefined || change === undefined) throw new Error('no such vector')
    return { name, question: change(base, Number.parseInt(sha256Hex(`${SEED} ${index}`).slice(0, 8), 16)) }
  }
  const compare = (verifiers: { readonly [name: string]: VerifyText }, count: number): void => {
    for (let index = 0; index < count; index++) {
      const { name, question } = questionOf(index)
      const answers = Object.entries(verifiers).map(([by, verify]) => [by, verify(question)] as const)
      const [first] = answers
      const expected = certainAnswers[name] ?? first?.[1]
      if (answers.some(([, answer]) => answer !== expected)) {
        expect({ seed: SEED, index, name, question, answers }).toBe(expected)
      }
    }
  }
  const accelerated = Object.fromEntries(found.map((ecdsa) => [ecdsa.name, ecdsa.verifyText]))

  it(`${VECTORS} questions, most of them broken, get one answer from OpenSSL and the packages`, () =>
    compare({ openssl: verifyText, ...accelerated }, VECTORS))

  it(`and from plain JavaScript, which gets ${VECTORS / 20} of them`, () =>
    compare({ openssl: verifyText, pure: verifyTextPurely, ...accelerated }, VECTORS / 20))

  type SignatureCase = {
    readonly name: string
    readonly public_key: string
    readonly message: string
    readonly signature: string
    readonly valid: boolean
  }
  const corpus = new URL('../../../conformance/vectors/signatures.json', import.meta.url)
  const { cases } = JSON.parse(readFileSync(corpus, 'utf8')) as { readonly cases: readonly SignatureCase[] }

  it.each(cases.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const question = { text: vector.message, signature: vector.signature, address: vector.public_key }
    const verifiers = [verifyText, verifyTextPurely, ...found.map((ecdsa) => ecdsa.verifyText)]
    expect(verifiers.map((verify) => verify(question))).toStrictEqual(verifiers.map(() => vector.valid))
  })
})
