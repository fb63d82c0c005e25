import {
  type Amount,
  addressOf,
  microblockHash,
  parseClientMessage,
  parsePrivateKey,
  publicationText,
  sha256Hex,
  signingHash,
  signText,
  type TransactionFields,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgePublication, type OfferedMicroblock, type PublicationParameters } from './judge-publication.ts'

const minerKey = parsePrivateKey(sha256Hex('miner'))
const miner = addressOf(minerKey)
const senderKey = parsePrivateKey(sha256Hex('sender'))

const fields: TransactionFields = {
  amount: 5n as Amount,
  data: '',
  from: addressOf(senderKey),
  nonce: 7,
  tokenId: ZERO_TOKEN_ID,
  to: miner,
}
const content = {
  keyBlockHash: sha256Hex('key block'),
  publisher: miner,
  nonce: 1,
  transactions: [{ ...fields, signature: signText(signingHash(fields), senderKey) }],
}
const outstanding: OfferedMicroblock = { ...content, hash: microblockHash(content) }

const publication = (referrer?: string) => ({
  id: miner,
  token: ZERO_TOKEN_ID,
  keyBlockHash: outstanding.keyBlockHash,
  microblockHash: outstanding.hash,
  signature: signText(
    publicationText({ microblockHash: outstanding.hash, referralAgent: referrer, tokenId: ZERO_TOKEN_ID }),
    minerKey,
  ),
  referrer,
})

const parameters = (changes: Partial<PublicationParameters> = {}): PublicationParameters => ({
  data: publication(),
  hasVersion: true,
  hailedAs: miner,
  outstanding,
  stakes: { minimumStake: () => 25n, balance: () => 25n },
  isStored: () => false,
  ...changes,
})

test('accepts the signature of the outstanding beacon', () => {
  const judgement = judgePublication(parameters())
  expect(judgement).toMatchObject({
    verdict: 'accepted',
    microblock: { hash: outstanding.hash, referralAgent: null },
  })
})

test('keeps the referral agent as sent', () => {
  const judgement = judgePublication(parameters({ data: publication(addressOf(senderKey)) }))
  expect(judgement).toMatchObject({
    verdict: 'accepted',
    microblock: { referralAgent: addressOf(senderKey) },
  })
})

test('does not evaluate a message of a wrong version unless asked to', () => {
  expect(judgePublication(parameters({ hasVersion: false })).verdict).toBe('wrongVersion')
  const asPublic = parameters({ hasVersion: false, evaluatesWrongVersion: true })
  expect(judgePublication(asPublic).verdict).toBe('accepted')
})

test('punishes an unknown sender before it looks at anything else', () => {
  const judgement = judgePublication(parameters({ hailedAs: null, outstanding: null }))
  expect(judgement).toEqual({ verdict: 'refused', reason: 'notIntroduced' })
})

test('ignores an answer to an older beacon', () => {
  const older = { ...publication(), microblockHash: sha256Hex('older') }
  expect(judgePublication(parameters({ data: older })).verdict).toBe('ignored')
})

test('checks the token before it looks for a stored microblock, and that before the stake', () => {
  const stored = { isStored: () => true }
  const unknown = { minimumStake: () => undefined, balance: () => undefined }
  expect(judgePublication(parameters({ ...stored, stakes: unknown }))).toMatchObject({
    reason: 'tokenUnknown',
  })
  const poor = { minimumStake: () => 25n, balance: () => undefined }
  expect(judgePublication(parameters({ ...stored, stakes: poor }))).toMatchObject({
    reason: 'alreadyStored',
  })
})

test('never throws, whatever the members are', () => {
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.constant(outstanding.hash),
    fc.constant(miner),
  )
  const names = ['id', 'token', 'm_hash', 'sign', 'referrer', 'kblocks_hash', 'toString', '__proto__']
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), member), (data) => {
      const message = parseClientMessage(JSON.stringify({ ver: 4, method: 'publish', data }))
      if (message.kind !== 'publish') throw new Error('should be read as a publication')
      const given = { ...message.data, microblockHash: outstanding.hash }
      expect(judgePublication(parameters({ data: given })).verdict).toBe('refused')
    }),
    { numRuns: 200 },
  )
})
