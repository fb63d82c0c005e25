import { describe, expect, it } from 'vitest'
import { addressOf } from '../ecdsa.ts'
import { parseHash } from '../values/hash.ts'
import { parsePrivateKey } from '../values/private-key.ts'
import type { Signature } from '../values/signature.ts'
import { ZERO_TOKEN_ID } from '../values/token-id.ts'
import { CLIENT_FRAME_LIMIT_BYTES, parseClientMessage } from './client-message.ts'
import { formatHail, hailHash } from './hail.ts'
import { formatPublication } from './publication.ts'

const address = addressOf(parsePrivateKey('11'.repeat(32)))
const referralAgent = addressOf(parsePrivateKey('22'.repeat(32)))
const signature = '3045' as Signature
const keyBlockHash = parseHash('ab'.repeat(32))
const microblockHash = parseHash('cd'.repeat(32))

/** The data of a message in which nothing is named. */
const nothing = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, undefined]))
const ofHail = nothing(['id', 'token', 'hash', 'signature', 'referrer'])
const ofPublication = nothing(['id', 'token', 'keyBlockHash', 'microblockHash', 'signature', 'referrer'])

describe('a message of a miner', () => {
  it('is a hail as it was written', () => {
    const hash = hailHash('gateway.example')
    const text = formatHail({ address, tokenId: ZERO_TOKEN_ID, hash, signature, referralAgent })
    expect(text).toBe(
      `{"ver":4,"method":"hail","data":{"hash":"${hash}","id":"${address}","token":"${ZERO_TOKEN_ID}","sign":"3045","referrer":"${referralAgent}"}}`,
    )
    const data = { id: address, token: ZERO_TOKEN_ID, hash, signature, referrer: referralAgent }
    expect(parseClientMessage(text)).toStrictEqual({ kind: 'hail', hasVersion: true, data })
  })

  it('is a publication as it was written', () => {
    const given = { address, tokenId: ZERO_TOKEN_ID, keyBlockHash, microblockHash, signature }
    const text = formatPublication({ ...given, referralAgent })
    expect(text).toBe(
      `{"ver":4,"method":"publish","data":{"kblocks_hash":"${keyBlockHash}","m_hash":"${microblockHash}","referrer":"${referralAgent}","sign":"3045","id":"${address}","token":"${ZERO_TOKEN_ID}"}}`,
    )
    const data = { id: address, token: ZERO_TOKEN_ID, keyBlockHash, microblockHash, signature }
    const read = { kind: 'publish', hasVersion: true, data: { ...data, referrer: referralAgent } }
    expect(parseClientMessage(text)).toStrictEqual(read)
    // No agent is no member: the network refuses null and an empty text.
    expect(formatPublication(given)).not.toContain('referrer')
  })

  it.each([
    ['another method', '{"ver":4,"method":"peer"}', true, 'peer'],
    ['no method', '{"ver":4.0}', true, null],
    ['a method that is no text', '{"ver":"4","method":7}', false, null],
    ['nothing', '{}', false, null],
  ])('with %s is another one', (_, text, hasVersion, method) => {
    expect(parseClientMessage(text)).toStrictEqual({ kind: 'other', hasVersion, method })
  })

  it.each(['', ',"data":null', ',"data":[1]', ',"data":"id"', ',"data":{"sig":"1","__proto__":{"id":"1"}}'])(
    'is not refused for its data: %s',
    (data) => {
      expect(parseClientMessage(`{"method":"hail"${data}}`)).toStrictEqual({
        ...{ kind: 'hail', hasVersion: false },
        data: ofHail,
      })
      expect(parseClientMessage(`{"ver":3,"method":"publish"${data}}`)).toStrictEqual({
        ...{ kind: 'publish', hasVersion: false },
        data: ofPublication,
      })
    },
  )

  it.each(['', 'hail', '[]', 'null', '{"ver":4'])('that is no JSON object is nonsense: %s', (text) => {
    expect(parseClientMessage(text)).toMatchObject({ kind: 'nonsense', reason: expect.stringMatching(/./) })
  })

  it('is read up to 64 KiB', () => {
    expect(CLIENT_FRAME_LIMIT_BYTES).toBe(65_536)
    const filled = (bytes: number): string => `{"method":"${'x'.repeat(bytes - 13)}"}`
    expect(parseClientMessage(filled(65_536)).kind).toBe('other')
    expect(parseClientMessage(filled(65_537)).kind).toBe('nonsense')
  })
})
