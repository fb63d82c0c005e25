import { inspect } from 'node:util'
import {
  addressOf,
  decodeReferralCode,
  type Hash,
  hailHash,
  isTransactionSigned,
  parseAddress,
  parseHash,
  parsePrivateKey,
  publicationText,
  type TransactionFields,
  toAmount,
  verifyText,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { casesOf } from '../../test/support/recordings.ts'
import { createWallet } from './create-wallet.ts'
import { walletFromPrivateKey } from './wallet-from-private-key.ts'

const canary = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7aa55'
const wallet = walletFromPrivateKey(canary)
const to = parseAddress(`02${'ab'.repeat(32)}`)
const fields: TransactionFields = {
  amount: toAmount(5n),
  data: 'hello',
  from: wallet.address,
  nonce: 7,
  tokenId: ZERO_TOKEN_ID,
  to,
}
const microblockHash = parseHash('1f'.repeat(32))
const keyBlockHash = parseHash('2f'.repeat(32))

const errorOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

describe('the private key', () => {
  /** The key as any encoding may spell it. */
  const bytes = Buffer.from(canary, 'hex')
  const spellings = [
    canary,
    canary.toUpperCase(),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    BigInt(`0x${canary}`).toString(),
    [...bytes].join(','),
    [...canary].reverse().join(''),
    // A part of it would already be too much.
    canary.slice(0, 16),
    canary.slice(-16),
  ]
  const seen = (text: string) => spellings.filter((spelling) => text.includes(spelling))

  it('is in no property, inspection or serialisation of a wallet', () => {
    const shown = [
      JSON.stringify(wallet),
      inspect(wallet, { depth: 20, showHidden: true, getters: true, showProxy: true }),
      String(wallet),
      Object.entries(wallet).join(),
      Reflect.ownKeys(wallet).map(String).join(),
      ...Object.values(wallet).map((value) => String(value)),
      String(errorOf(() => structuredClone(wallet))),
      JSON.stringify(wallet.signTransaction(fields), (_, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      ),
      JSON.stringify(wallet.signHail({ host: '127.0.0.1', tokenId: ZERO_TOKEN_ID })),
    ]
    expect(shown.flatMap(seen)).toStrictEqual([])
    expect(seen(wallet.exportPrivateKey())).toContain(canary)
  })

  it('cannot be cloned away with the wallet', () => {
    expect(errorOf(() => structuredClone(wallet))).toMatchObject({ name: 'DataCloneError' })
  })

  it('is in no error, wherever it was given', () => {
    const host = 'h'.repeat(300)
    const errors = [
      errorOf(() => walletFromPrivateKey(`${canary}0`)),
      errorOf(() => walletFromPrivateKey(` ${canary}`)),
      errorOf(() => walletFromPrivateKey(`0x${canary}`)),
      errorOf(() => walletFromPrivateKey(canary.slice(1))),
      errorOf(() => wallet.signHail({ host, tokenId: ZERO_TOKEN_ID })),
      errorOf(() => wallet.signTransaction({ ...fields, from: to })),
      errorOf(() => wallet.signTransaction({ ...fields, data: 'ü' })),
    ]
    expect(errors.map((error) => (error as { code?: string }).code)).toStrictEqual([
      'PRIVATE_KEY_MALFORMED',
      'PRIVATE_KEY_MALFORMED',
      'PRIVATE_KEY_MALFORMED',
      'PRIVATE_KEY_MALFORMED',
      'URL_REFUSED',
      'TRANSACTION_MALFORMED',
      'MEMO_MALFORMED',
    ])
    const shown = errors.flatMap((error) => [
      inspect(error, { depth: 20, showHidden: true }),
      JSON.stringify(error),
      String((error as Error).stack),
    ])
    expect(shown.flatMap(seen)).toStrictEqual([])
  })

  it('stays where it is: a wallet is frozen', () => {
    expect(Object.isFrozen(wallet)).toBe(true)
    expect(errorOf(() => Object.assign(wallet, { address: to }))).toBeInstanceOf(TypeError)
  })
})

describe('walletFromPrivateKey', () => {
  type Case = {
    readonly name: string
    readonly input_private_key: string
    readonly accepted: boolean
    readonly private_key?: string
    readonly address?: string
    readonly referral_code?: string
  }

  it.each(casesOf<Case>('vectors/keys.json').map((vector) => [vector.name, vector] as const))(
    '%s',
    (_, vector) => {
      const open = () => walletFromPrivateKey(vector.input_private_key)
      if (!vector.accepted) {
        expect(open).toThrowError(expect.objectContaining({ code: 'PRIVATE_KEY_MALFORMED' }))
        return
      }
      const { address, referralCode, exportPrivateKey } = open()
      expect([address, referralCode, exportPrivateKey()]).toStrictEqual([
        vector.address,
        vector.referral_code,
        vector.private_key,
      ])
    },
  )
})

describe('a wallet signs', () => {
  it('its own transactions, the same fields always to the same transaction', () => {
    const transaction = wallet.signTransaction(fields)
    expect(isTransactionSigned(transaction)).toBe(true)
    expect(wallet.signTransaction({ ...fields })).toStrictEqual(transaction)
  })

  it('a hail over the hash of the host', () => {
    const hail = wallet.signHail({ host: 'gateway.example', tokenId: ZERO_TOKEN_ID, referralAgent: to })
    expect(hail).toMatchObject({ address: wallet.address, tokenId: ZERO_TOKEN_ID, referralAgent: to })
    expect(hail.hash).toBe(hailHash('gateway.example'))
    expect(verifyText({ text: hail.hash, signature: hail.signature, address: wallet.address })).toBe(true)
  })

  it('a publication over microblock, referral agent and token', () => {
    for (const referralAgent of [undefined, to]) {
      const parameters = { microblockHash, keyBlockHash, tokenId: ZERO_TOKEN_ID, referralAgent }
      const { signature, ...rest } = wallet.signPublication(parameters)
      expect(rest).toStrictEqual({ ...parameters, address: wallet.address })
      expect(verifyText({ text: publicationText(parameters), signature, address: wallet.address })).toBe(true)
    }
  })
})

describe('a wallet refuses', () => {
  const code = (act: () => unknown): unknown => (errorOf(act) as { code?: string }).code
  const text = (value: string) => value as never

  it('B3: a transaction from another account or with a field the network would refuse', () => {
    const sign = (change: Partial<TransactionFields>) =>
      code(() => wallet.signTransaction({ ...fields, ...change }))
    expect(sign({ from: to })).toBe('TRANSACTION_MALFORMED')
    expect(sign({ amount: text('5') })).toBe('AMOUNT_OUT_OF_RANGE')
    expect(sign({ amount: -1n as never })).toBe('AMOUNT_OUT_OF_RANGE')
    expect(sign({ amount: (2n ** 64n) as never })).toBe('AMOUNT_OUT_OF_RANGE')
    expect(sign({ amount: toAmount(0n) })).toBe('TRANSACTION_MALFORMED')
    expect(sign({ nonce: 2 ** 53 })).toBe('NONCE_OUT_OF_RANGE')
    expect(sign({ nonce: 1.5 })).toBe('NONCE_OUT_OF_RANGE')
    expect(sign({ nonce: -1 })).toBe('NONCE_OUT_OF_RANGE')
    expect(sign({ to: text(to.toUpperCase()) })).toBe('ADDRESS_MALFORMED')
    expect(sign({ tokenId: text('A'.repeat(64)) })).toBe('TOKEN_ID_MALFORMED')
    expect(sign({ data: 'a:b' })).toBe('MEMO_MALFORMED')
    expect(sign({ data: 'a'.repeat(513) })).toBe('MEMO_MALFORMED')
    expect(
      sign({ nonce: 2 ** 53 - 1, amount: toAmount(2n ** 64n - 1n), data: 'a'.repeat(512) }),
    ).toBeUndefined()
  })

  it('a hail for an invalid host, such as the 384 characters behind a payment', () => {
    const hail = (host: string) => code(() => wallet.signHail({ host, tokenId: ZERO_TOKEN_ID }))
    expect(hail('ab'.repeat(192))).toBe('URL_REFUSED')
    expect(hail('')).toBe('URL_REFUSED')
    expect(hail('a b')).toBe('URL_REFUSED')
    expect(hail('[::1]')).toBeUndefined()
  })

  it('a publication whose parts have other lengths', () => {
    const base = { microblockHash, keyBlockHash, tokenId: ZERO_TOKEN_ID }
    const publish = (change: object) => code(() => wallet.signPublication({ ...base, ...change }))
    expect(publish({ microblockHash: text('1f') })).toBe('HASH_MALFORMED')
    expect(publish({ tokenId: text('') })).toBe('TOKEN_ID_MALFORMED')
    expect(publish({ referralAgent: text('') })).toBe('ADDRESS_MALFORMED')
    expect(publish({ referralAgent: text(wallet.referralCode) })).toBe('ADDRESS_MALFORMED')
    expect(publish({ keyBlockHash: 'ENQGENESIS' as Hash })).toBeUndefined()
  })
})

describe('createWallet', () => {
  const phrase = `${'abandon '.repeat(11)}about`
  class OfKey {
    get privateKey(): string {
      return canary
    }
  }
  it.each<[string, unknown]>([
    ...['privateKey', 'key', 'secret', 'mnemonic', 'words', 'seed', 'zzz'].map((name): [string, unknown] => [
      `a member ${name}`,
      { [name]: canary },
    ]),
    ['a member that is not set', { privateKey: undefined }],
    ['a member beside a known one', { randomBytes: undefined, mnemonic: phrase }],
    ['a member under a symbol', { [Symbol('key')]: canary }],
    ['an inherited member', Object.create({ privateKey: canary })],
    ['a getter that throws', Object.defineProperty({}, 'privateKey', { get: () => expect.unreachable() })],
    ['an object of a class', new OfKey()],
    ['a wallet', wallet],
    ['a key as text', canary],
    ['a phrase', phrase],
    ['words', phrase.split(' ')],
    ['no words', []],
    ['a key in bytes', Buffer.from(canary, 'hex')],
    ['a map', new Map([['privateKey', canary]])],
    ['a boxed text', new String(canary)],
    ['an empty text', ''],
    ['a number', 7],
    ['a big number', BigInt(`0x${canary}`)],
    ['null', null],
    ['a symbol', Symbol('key')],
    ['a function', () => canary],
  ])('opens nothing and makes no other wallet of %s: it names who does', (_, given) => {
    const error = errorOf(() => createWallet(given as never))
    expect(error).toMatchObject({ code: 'ARGUMENT_INVALID' })
    expect(String(error)).toMatch(/walletFromPrivateKey.*walletFromMnemonic/)
    expect(String(error)).not.toMatch(/c0ffee|abandon/)
  })

  const draws = (...all: readonly number[][]) => {
    let at = 0
    return () => Uint8Array.from(all[Math.min(at++, all.length - 1)] ?? [])
  }
  const counting = (from: number) => Array.from({ length: 32 }, (_, at) => (from + at) % 256)
  const code = (randomBytes: (length: number) => Uint8Array): unknown =>
    (errorOf(() => createWallet({ randomBytes })) as { code?: string }).code

  it('makes another account every time', () => {
    const wallets = [createWallet(), createWallet()]
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(2)
    for (const { address, referralCode, exportPrivateKey } of wallets) {
      expect(addressOf(parsePrivateKey(exportPrivateKey()))).toBe(address)
      expect(decodeReferralCode(referralCode)).toBe(address)
    }
  })

  it('refuses bytes that are not random', () => {
    expect(code((length) => new Uint8Array(length))).toBe('RANDOMNESS_REFUSED')
    expect(code((length) => new Uint8Array(length).fill(7))).toBe('RANDOMNESS_REFUSED')
    expect(code(draws(counting(1)))).toBe('RANDOMNESS_REFUSED')
    expect(code(() => new Uint8Array(31))).toBe('RANDOMNESS_REFUSED')
    expect(code(() => 'x'.repeat(32) as never)).toBe('RANDOMNESS_REFUSED')
  })

  it('draws again for a value outside the curve, but not for ever', () => {
    const outside = (last: number) => [...new Array(31).fill(255), last]
    const made = createWallet({ randomBytes: draws(counting(1), outside(1), counting(9)) })
    expect(made.exportPrivateKey()).toBe(Buffer.from(counting(9)).toString('hex'))
    expect(code(draws(...Array.from({ length: 9 }, (_, at) => outside(at))))).toBe('RANDOMNESS_REFUSED')
  })
})
