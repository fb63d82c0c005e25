import {
  defaultEcdsa,
  type Ecdsa,
  hailHash,
  parsePrivateKey,
  publicationText,
  sha256Hex,
  signingHash,
  type TransactionFields,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import type { SignHailParameters, SignPublicationParameters } from './wallet.ts'
import { walletOfKey } from './wallet-of-key.ts'

/** Signs nothing, and remembers what it was to sign. */
const signed: string[] = []
const recorder: Ecdsa = {
  ...defaultEcdsa,
  signText: (text) => {
    signed.push(text)
    return '30' as never
  },
}
const wallet = walletOfKey(parsePrivateKey(sha256Hex('typed signing')), recorder)

const hex = (digits: number) =>
  fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: digits, maxLength: digits })
    .map((all) => all.join(''))
const anything = fc.oneof(
  fc.anything(),
  fc.string({ unit: 'binary' }),
  hex(64),
  hex(66),
  hex(384),
  hex(128),
  fc.constantFrom(
    wallet.address,
    ZERO_TOKEN_ID,
    '',
    null,
    undefined,
    0n,
    5n,
    2n ** 64n,
    7,
    'gateway.example',
  ),
)
const address = hex(64).map((digits) => `02${digits}`)
const mostly = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: anything })

const transaction = fc.record({
  amount: mostly(fc.bigInt(1n, 2n ** 64n - 1n)),
  data: mostly(fc.constantFrom('', 'memo', 'Order 17')),
  from: mostly(fc.constant(wallet.address)),
  nonce: mostly(fc.nat()),
  tokenId: mostly(hex(64)),
  to: mostly(address),
})
const hail = fc.record({
  host: mostly(fc.domain()),
  tokenId: mostly(hex(64)),
  referralAgent: mostly(fc.option(address, { nil: undefined })),
})
const publication = fc.record({
  microblockHash: mostly(hex(64)),
  keyBlockHash: mostly(hex(64)),
  tokenId: mostly(hex(64)),
  referralAgent: mostly(fc.option(address, { nil: undefined })),
})

/** The one text that a message may have signed, or none when it was refused. */
function textsOf(act: () => unknown, expected: () => string): readonly [string[], readonly string[]] {
  signed.length = 0
  try {
    act()
  } catch {
    return [[...signed], []]
  }
  return [[...signed], [expected()]]
}

/** Of each form. The longer size: HAILSTONE_FUZZ_CASES=350000 npx vitest run src/wallet/typed-signing.test.ts */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', { change: 4_000, night: 20_000 })

it(`S-1: of ${3 * CASES} messages of any content it signs those of the three forms, and their own text alone`, () => {
  let count = 0
  const agree = ([got, expected]: readonly [string[], readonly string[]]): void => {
    count += got.length
    expect(got).toStrictEqual(expected)
    // Fixed lengths keep the three apart, and keep a publication from being read as another.
    for (const text of got)
      expect(text).toMatch(/^(?:[0-9a-f]{64}|[0-9a-f]{128}|[0-9a-f]{64}0[23][0-9a-f]{128})$/)
  }
  fc.assert(
    fc.property(transaction, hail, publication, (one, two, three) => {
      const fields = one as TransactionFields
      agree(
        textsOf(
          () => wallet.signTransaction(fields),
          () => signingHash(fields),
        ),
      )
      const to = two as SignHailParameters
      agree(
        textsOf(
          () => wallet.signHail(to),
          () => hailHash(to.host),
        ),
      )
      const offered = three as SignPublicationParameters
      agree(
        textsOf(
          () => wallet.signPublication(offered),
          () => publicationText({ ...offered, referralAgent: offered.referralAgent }),
        ),
      )
    }),
    { numRuns: CASES },
  )
  expect(count).toBeGreaterThan(CASES / 2)
}, 3_600_000)

it('S-1: has no function that signs what it is given', () => {
  expect(Object.keys(wallet).sort()).toStrictEqual([
    'address',
    // Hands out 53 bits of an HMAC, which is no signature.
    'deriveNonce',
    'exportPrivateKey',
    'referralCode',
    'signHail',
    'signPublication',
    'signTransaction',
  ])
})

it('S-1: signs the fields that it checked, though an object may answer differently the next time', () => {
  const reads: string[] = []
  const fields = {
    amount: 5n,
    data: '',
    from: wallet.address,
    nonce: 1,
    tokenId: ZERO_TOKEN_ID,
    get to() {
      reads.push('to')
      return `0${reads.length + 1}${'ab'.repeat(32)}`
    },
  }
  const { to } = wallet.signTransaction(fields as unknown as TransactionFields)
  expect([to, reads.length]).toStrictEqual([`02${'ab'.repeat(32)}`, 1])
  expect(signed.at(-1)).toBe(signingHash({ ...fields, to } as TransactionFields))
})
