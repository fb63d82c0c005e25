import { createDecipheriv, pbkdf2Sync, scryptSync } from 'node:crypto'
import { inspect } from 'node:util'
import { isNodeError, parseAddress, parsePrivateKey, sha256Hex } from '@hailstone/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { gateSize } from '../../../../scripts/gate-size.ts'
import { decryptWallet } from './decrypt-wallet.ts'
import { encryptWallet } from './encrypt-wallet.ts'
import { deriveKey, type KeyDerivation } from './key-derivation.ts'
import { formatKeystore, type KeystoreDocument, parseKeystore } from './keystore-document.ts'
import { sealKey, unsealKey } from './seal-key.ts'
import { walletFromPrivateKey } from './wallet-from-private-key.ts'

const privateKey = parsePrivateKey(sha256Hex('keystore'))
const wallet = walletFromPrivateKey(privateKey)
const password = 'correct horse'
const scrypt: KeyDerivation = { name: 'scrypt', cost: 131_072, blockSize: 8, parallelism: 1 }
const pbkdf2: KeyDerivation = { name: 'pbkdf2-sha256', iterations: 600_000 }

let text = ''
let document: KeystoreDocument
/** The same wallet and password with the other derivation. */
let other = ''
/** That the password gives with the salt of the document. */
let key: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  text = await encryptWallet({ wallet, password, derivation: scrypt })
  document = parseKeystore(text)
  other = await encryptWallet({ wallet, password, derivation: pbkdf2 })
  const { derivation } = document
  key = await deriveKey({ derivation, password, salt: derivation.salt })
})

const errorOf = async (act: () => unknown): Promise<unknown> => {
  try {
    return await act()
  } catch (error) {
    return error
  }
}
const codeOf = async (act: () => unknown): Promise<unknown> => {
  const error = await errorOf(act)
  return isNodeError(error) ? error.code : error
}

type Json = { [name: string]: unknown }

/** Returns a keystore as forged by somebody who knows the format, checksum included, but not the password. */
function rewritten(change: (content: Json) => void): string {
  const { checksum: _, ...content } = JSON.parse(text) as Json
  change(content)
  return JSON.stringify({ ...content, checksum: sha256Hex(JSON.stringify(content)) })
}

describe('S-5: an encrypted wallet', () => {
  it('opens again with its password, whichever derivation was used', async () => {
    for (const encrypted of [text, other]) {
      const opened = await decryptWallet({ text: encrypted, password })
      expect(opened.wallet.address).toBe(wallet.address)
      expect(opened.wallet.exportPrivateKey()).toBe(privateKey)
      expect(opened.isOutdated).toBe(encrypted === other)
    }
  })

  it('is what another reading of the format, through OpenSSL, takes it for', async () => {
    for (const written of [text, other]) {
      const { ciphertext, checksum: _, ...header } = JSON.parse(written) as Json & KeystoreDocument
      const { derivation, cipher } = header
      const salt = Buffer.from(derivation.salt, 'hex')
      const opening =
        derivation.name === 'scrypt'
          ? scryptSync(password, salt, 32, { N: 131_072, r: 8, p: 1, maxmem: 2 ** 28 })
          : pbkdf2Sync(password, salt, 600_000, 32, 'sha256')
      const opener = createDecipheriv('aes-256-gcm', opening, Buffer.from(cipher.nonce, 'hex'))
      opener.setAAD(Buffer.from(JSON.stringify(header)))
      const sealed = Buffer.from(ciphertext, 'hex')
      opener.setAuthTag(sealed.subarray(32))
      const opened = Buffer.concat([opener.update(sealed.subarray(0, 32)), opener.final()])
      expect(opened.toString('hex')).toBe(privateKey)
    }
  })

  it('has another salt, nonce and ciphertext every time', async () => {
    const again = parseKeystore(other)
    expect(again.derivation.salt).not.toBe(document.derivation.salt)
    expect(again.cipher.nonce).not.toBe(document.cipher.nonce)
    expect(again.ciphertext).not.toBe(document.ciphertext)
    expect([again.derivation.salt.length, again.cipher.nonce.length]).toStrictEqual([32, 24])
  })

  it('does not mind how a keyboard composes letters', async () => {
    const composed = await encryptWallet({ wallet, password: 'Zürich–Ångström', derivation: pbkdf2 })
    const decomposed = 'Zürich–Ångström'.normalize('NFD')
    expect((await decryptWallet({ text: composed, password: decomposed })).wallet.address).toBe(
      wallet.address,
    )
  })

  it('T5: answers to every wrong password the same', async () => {
    const errors = []
    for (const wrong of ['', 'correct horse ', 'x'.repeat(1000)]) {
      errors.push(await errorOf(() => decryptWallet({ text, password: wrong })))
    }
    const shown = errors.map((error) => [
      (error as Error).message,
      inspect((error as { facts: unknown }).facts),
      (error as Error).cause,
    ])
    expect(new Set(shown.map((parts) => inspect(parts))).size).toBe(1)
    expect(errors.every((error) => isNodeError(error, 'KEYSTORE_UNLOCK_FAILED'))).toBe(true)
  })

  it('is refused by its form after any single bit was changed, at every offset', () => {
    const bytes = Buffer.from(text, 'utf8')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Uint8Array.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const given = Buffer.from(changed).toString('utf8')
      try {
        parseKeystore(given)
        expect(bit, `bit ${bit} can be changed`).toBe('refused')
      } catch (error) {
        if (!isNodeError(error, 'KEYSTORE_MALFORMED')) throw error
      }
    }
  })

  it('T4: cannot be opened after a change of any bit by somebody who corrects the checksum', async () => {
    expect(await unsealKey(document, key)).toBe(privateKey)
    const { checksum: _, ...content } = JSON.parse(text) as Json
    const bytes = Buffer.from(JSON.stringify(content))
    let opened = 0
    let formed = 0
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Uint8Array.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const forged = Buffer.from(changed).toString('utf8').replace(/\}$/, '')
      const parsed = await errorOf(() => parseKeystore(`${forged},"checksum":"${sha256Hex(`${forged}}`)}"}`))
      if (isNodeError(parsed)) continue
      formed++
      const code = await codeOf(() => unsealKey(parsed as KeystoreDocument, key))
      if (code !== 'KEYSTORE_UNLOCK_FAILED') opened++
    }
    expect(opened).toBe(0)
    // Salt, nonce, ciphertext and address have hundreds of bits whose change is still well formed.
    expect(formed).toBeGreaterThan(500)
  })
})

describe('a keystore is refused', () => {
  const read = (change: (content: Json) => void) =>
    codeOf(() => decryptWallet({ text: rewritten(change), password }))

  it('T4: with parameters that are too weak, or would take this machine, before anything is computed', async () => {
    for (const change of [
      { cost: 65_536 },
      { cost: 131_073 },
      { cost: 2 ** 30 },
      { blockSize: 1 },
      { blockSize: 2 ** 20 },
      { parallelism: 0 },
      { parallelism: 1000 },
    ]) {
      expect(await read((content) => Object.assign(content.derivation as Json, change))).toBe(
        'KEYSTORE_PARAMETER_REFUSED',
      )
    }
    for (const iterations of [599_999, 1, 10_000_001]) {
      const derivation = { name: 'pbkdf2-sha256', iterations, salt: document.derivation.salt }
      expect(await read((content) => Object.assign(content, { derivation }))).toBe(
        'KEYSTORE_PARAMETER_REFUSED',
      )
    }
  })

  it('T4: already when it would be written', async () => {
    for (const derivation of [
      { ...scrypt, cost: 16_384 },
      { ...pbkdf2, iterations: 100_000 },
      { ...pbkdf2, iterations: 600_000.5 },
      { name: 'scrypt' } as never,
    ]) {
      expect(await codeOf(() => encryptWallet({ wallet, password, derivation }))).toBe(
        'KEYSTORE_PARAMETER_REFUSED',
      )
    }
  })

  it('T8: of a newer version, whatever else it says', async () => {
    expect(await read((content) => Object.assign(content, { version: 2 }))).toBe('KEYSTORE_VERSION_UNKNOWN')
    expect(await read((content) => Object.assign(content, { version: 2, derivation: 'argon2id' }))).toBe(
      'KEYSTORE_VERSION_UNKNOWN',
    )
  })

  it('with members that are missing, added, renamed or of another kind', async () => {
    const changes: readonly ((content: Json) => void)[] = [
      (content) => Object.assign(content, { format: 'other' }),
      (content) => Object.assign(content, { version: '1' }),
      (content) => Object.assign(content, { version: 0 }),
      (content) => Object.assign(content, { note: 'more' }),
      (content) => delete content.address,
      (content) => Object.assign(content, { address: wallet.address.toUpperCase() }),
      (content) => Object.assign(content, { ciphertext: 'ff' }),
      (content) => Object.assign(content, { cipher: null }),
      (content) => Object.assign(content, { derivation: [] }),
      (content) => Object.assign(content.derivation as Json, { cost: '131072' }),
      (content) => Object.assign(content.derivation as Json, { more: 1 }),
      (content) => Object.assign(content.derivation as Json, { name: 'none' }),
      (content) => Object.assign(content.cipher as Json, { name: 'aes-128-gcm' }),
    ]
    for (const change of changes) expect(await read(change), change.toString()).toBe('KEYSTORE_MALFORMED')
    for (const other of ['', 'null', '[]', '5', '{}', '{"checksum":1}', `${text}${text}`, ' '.repeat(5000)]) {
      expect(await codeOf(() => decryptWallet({ text: other, password }))).toBe('KEYSTORE_MALFORMED')
    }
  })

  it('T10: when its key is not the one of its address, though the password is right', async () => {
    const address = parseAddress(walletFromPrivateKey('1'.padStart(64, '0')).address)
    const header = { ...document, address }
    const swapped = formatKeystore(await sealKey({ header, key, privateKey }))
    expect(await codeOf(() => decryptWallet({ text: swapped, password }))).toBe('KEYSTORE_ADDRESS_DIFFERS')
  })

  it('when the password is shorter than 8 characters, as people count them', async () => {
    for (const short of ['', '1234567', 'é'.normalize('NFD').repeat(7), '😀'.repeat(7)]) {
      expect(await codeOf(() => encryptWallet({ wallet, password: short }))).toBe('PASSWORD_REFUSED')
    }
  })

  it('M6: when its salt would come from a broken source', async () => {
    const randomBytes = (length: number) => new Uint8Array(length)
    expect(await codeOf(() => encryptWallet({ wallet, password, randomBytes }))).toBe('RANDOMNESS_REFUSED')
  })
})

/** The longer size: HAILSTONE_FUZZ_CASES=1000000 npx vitest run src/wallet/keystore.test.ts -t G-11 */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', { change: 5_000, night: 20_000 })

it(`G-11: ${CASES} mangled keystores are refused by code, and none is taken for another`, () => {
  const place = fc.nat({ max: text.length - 1 })
  const mangled = fc.oneof(
    fc
      .tuple(place, fc.string({ maxLength: 3, unit: 'binary' }))
      .map(([at, put]) => text.slice(0, at) + put + text.slice(at + 1)),
    fc.tuple(place, place).map(([from, to]) => text.slice(0, from) + text.slice(to)),
    fc.json().map((json) => json),
    fc.string({ unit: 'binary' }),
    fc
      .dictionary(
        fc.constantFrom('__proto__', 'constructor', ...Object.keys(JSON.parse(text))),
        fc.jsonValue(),
      )
      .map((value) => {
        const content = JSON.stringify({ ...JSON.parse(text), ...value, checksum: undefined })
        return `${content.slice(0, -1)},"checksum":"${sha256Hex(content)}"}`
      }),
  )
  fc.assert(
    fc.property(mangled, (given) => {
      try {
        expect(formatKeystore(parseKeystore(given))).toBe(formatKeystore(document))
      } catch (error) {
        if (!isNodeError(error) || !error.code.startsWith('KEYSTORE_')) throw error
      }
      expect(({} as Json).format).toBeUndefined()
    }),
    { numRuns: CASES },
  )
}, 3_600_000)
