import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { inspect } from 'node:util'
import { addressOf, CURVE_ORDER, isNodeError, parsePrivateKey } from '@hailstone/protocol'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { checkMnemonic } from './check-mnemonic.ts'
import { createMnemonic } from './create-mnemonic.ts'
import { nearestWord } from './nearest-word.ts'
import { walletFromMnemonic } from './wallet-from-mnemonic.ts'
import { englishWords } from './word-list.ts'

const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow'

const errorOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}
const codeOf = (act: () => unknown): unknown => {
  const error = errorOf(act)
  return isNodeError(error) ? error.code : error
}

/** BIP-39 and BIP-32 read a second time, over OpenSSL and big integers, for the one path that is used. */
function privateKeyOf(mnemonic: string, passphrase: string, index: number): string {
  const seed = pbkdf2Sync(
    mnemonic.normalize('NFKD'),
    `mnemonic${passphrase.normalize('NFKD')}`,
    2048,
    64,
    'sha512',
  )
  let node = createHmac('sha512', 'Bitcoin seed').update(seed).digest()
  const hardened = 2 ** 31
  for (const step of [44 + hardened, 2045 + hardened, hardened, 0, index]) {
    const key = node.subarray(0, 32)
    const digits = key.toString('hex')
    const data = Buffer.from(
      (step >= hardened ? `00${digits}` : addressOf(parsePrivateKey(digits))) +
        step.toString(16).padStart(8, '0'),
      'hex',
    )
    const child = createHmac('sha512', node.subarray(32)).update(data).digest()
    const sum = (BigInt(`0x${child.subarray(0, 32).toString('hex')}`) + BigInt(`0x${digits}`)) % CURVE_ORDER
    node = Buffer.concat([Buffer.from(sum.toString(16).padStart(64, '0'), 'hex'), child.subarray(32)])
  }
  return node.subarray(0, 32).toString('hex')
}

describe('walletFromMnemonic', () => {
  it('opens the accounts that another reading of BIP-39 and BIP-32 finds', () => {
    const entropy = fc.oneof(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
    )
    const index = fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 2 ** 31 - 1 }))
    fc.assert(
      fc.property(entropy, index, fc.constantFrom('', 'pass', 'pässe'), (bytes, at, passphrase) => {
        const mnemonic = entropyToMnemonic(bytes, [...englishWords])
        const wallet = walletFromMnemonic(mnemonic, { index: at, passphrase })
        expect(wallet.exportPrivateKey()).toBe(privateKeyOf(mnemonic, passphrase, at))
      }),
      { numRuns: gateSize('HAILSTONE_MNEMONICS', { change: 20, night: 100 }) },
    )
  })

  it('opens the first account unless another is named, and each index is another', () => {
    const addresses = [undefined, 0, 1, 2].map((index) => walletFromMnemonic(phrase, { index }).address)
    expect(addresses[0]).toBe(addresses[1])
    expect(new Set(addresses).size).toBe(3)
  })

  it('does not mind case, blanks and line ends', () => {
    const { address } = walletFromMnemonic(phrase)
    expect(walletFromMnemonic(`  ${phrase.toUpperCase().replaceAll(' ', ' \n\t')}\n`).address).toBe(address)
  })

  it('takes other languages, blanks of their own included', () => {
    const entropy = createHash('sha256').update('japanese').digest().subarray(0, 16)
    const mnemonic = entropyToMnemonic(Uint8Array.from(entropy), japanese)
    const wallet = walletFromMnemonic(mnemonic, { wordList: japanese })
    expect(wallet.exportPrivateKey()).toBe(privateKeyOf(mnemonic, '', 0))
    expect(codeOf(() => walletFromMnemonic(mnemonic))).toBe('MNEMONIC_WORD')
  })

  it('refuses an invalid index', () => {
    for (const index of [-1, 1.5, 2 ** 31, Number.NaN, '0' as never]) {
      expect(codeOf(() => walletFromMnemonic(phrase, { index }))).toBe('CONFIGURATION_INVALID')
    }
  })

  it('M1: says which word is wrong by its position alone', () => {
    const wrong = phrase.replace('sausage', 'sausgae')
    const error = errorOf(() => walletFromMnemonic(wrong))
    expect(error).toMatchObject({ code: 'MNEMONIC_WORD', facts: { position: 6 } })
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)
    expect(wrong.split(' ').filter((word) => new RegExp(`\\b${word}\\b`).test(shown))).toStrictEqual([])
  })

  it('names what is wrong', () => {
    const words = phrase.split(' ')
    expect(codeOf(() => walletFromMnemonic(''))).toBe('MNEMONIC_COUNT')
    for (const count of [1, 11, 13, 15, 18, 21, 25]) {
      const given = Array.from({ length: count }, (_, at) => words[at % 12]).join(' ')
      expect(errorOf(() => walletFromMnemonic(given))).toMatchObject({
        code: 'MNEMONIC_COUNT',
        facts: { count },
      })
    }
    expect(codeOf(() => walletFromMnemonic(words.toReversed().join(' ')))).toBe('MNEMONIC_CHECKSUM')
    expect(codeOf(() => walletFromMnemonic(phrase.replace('yellow', 'zoo')))).toBe('MNEMONIC_CHECKSUM')
  })
})

describe('checkMnemonic', () => {
  it('names every wrong word, where it is, and what was meant', () => {
    const wrong = phrase.replace('sausage', 'sausgae').replace('useful', 'usefull').replace('winner', 'WINER')
    expect(checkMnemonic(wrong)).toStrictEqual({
      ok: false,
      problem: 'words',
      wrong: [
        { position: 2, word: 'winer', nearest: 'winner' },
        { position: 6, word: 'sausgae', nearest: 'sausage' },
        { position: 8, word: 'usefull', nearest: 'useful' },
      ],
    })
  })

  it('is content with a phrase that is whole', () => {
    expect(checkMnemonic(phrase)).toStrictEqual({ ok: true })
    expect(checkMnemonic(createMnemonic({ words: 24 }))).toStrictEqual({ ok: true })
  })
})

describe('nearestWord', () => {
  /** Every text that one slip of the keyboard makes of another. */
  function* slipsOf(word: string): Generator<string> {
    for (let at = 0; at <= word.length; at++) {
      const [before, letter, after] = [word.slice(0, at), word.slice(at, at + 1), word.slice(at + 1)]
      yield before + after
      yield before + after.slice(0, 1) + letter + after.slice(1)
      for (const put of 'abcdefghijklmnopqrstuvwxyz') {
        yield before + put + after
        yield before + put + letter + after
      }
    }
  }

  it('is one slip away from what was typed, whenever some word is', () => {
    const anyWord = fc.constantFrom(...englishWords)
    fc.assert(
      fc.property(anyWord, fc.nat(), (word, nat) => {
        const slips = [...slipsOf(word)]
        const typed = slips[nat % slips.length] ?? word
        const near = new Set(slipsOf(typed))
        const found = nearestWord(typed, englishWords)
        expect(englishWords.includes(typed) ? found === typed : near.has(found), `${typed} ${found}`).toBe(
          true,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('prefers the word that begins and ends like what was typed', () => {
    expect(
      ['abandn', 'abanodn', 'zooo', 'yelow', 'lucn'].map((word) => nearestWord(word, englishWords)),
    ).toStrictEqual(['abandon', 'abandon', 'zoo', 'yellow', 'lucky'])
  })
})

describe('createMnemonic', () => {
  it('makes 12 or 24 words, others every time', () => {
    expect(createMnemonic().split(' ')).toHaveLength(12)
    expect(createMnemonic({ words: 24 }).split(' ')).toHaveLength(24)
    expect(createMnemonic()).not.toBe(createMnemonic())
  })

  it('is BIP-39', () => {
    const randomBytes = (length: number) =>
      Uint8Array.from({ length }, (_, at) => (at === length - 1 ? 0x7f : 0x7f))
    expect(codeOf(() => createMnemonic({ randomBytes }))).toBe('RANDOMNESS_REFUSED')
    const vector = Uint8Array.from(Buffer.from('9e885d952ad362caeb4efe34a8e91bd2', 'hex'))
    expect(createMnemonic({ randomBytes: () => vector })).toBe(
      'ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic',
    )
  })

  it('M6: refuses bytes that are not random', () => {
    expect(codeOf(() => createMnemonic({ randomBytes: (length) => new Uint8Array(length) }))).toBe(
      'RANDOMNESS_REFUSED',
    )
  })
})
