import { expect, it } from 'vitest'
import { type RightCall, wronglyTaken } from '../../../scripts/wrong-values.ts'
import * as protocol from '../src/index.ts'

const privateKey = protocol.parsePrivateKey('7'.padStart(64, '0'))
const address = protocol.addressOf(privateKey)
const tokenId = 'ab'.repeat(32) as protocol.TokenId
const hash = 'cd'.repeat(32) as protocol.Hash
const rule = { feeType: 1 as const, feeValue: protocol.toAmount(5n), feeMinimum: protocol.toAmount(5n) }
const token = { decimals: 10 }
const ratio = { proofOfActivityBps: 3181, proofOfStakeBps: 5500, proofOfWorkBps: 500 }
const shares = { keyBlockPublisherBps: 50, genesisBps: 300, proofOfStakeBps: 9600, leaderBps: 0 }

/**
 * Every export that makes or takes a key, an amount or an address, with a call of it that is right. Not those that hash what
 * came from the wire in any form, such as `signingHash`: what they are given is compared and never paid.
 */
const calls: Readonly<Record<string, RightCall>> = {
  parsePrivateKey: () => [protocol.parsePrivateKey, privateKey],
  addressOf: () => [protocol.addressOf, privateKey],
  uncompressedPublicKeyOf: () => [protocol.uncompressedPublicKeyOf, privateKey],
  signText: () => [protocol.signText, 'x', privateKey],
  derivedNonce: () => [protocol.derivedNonce, privateKey, ['x']],
  parseAddress: () => [protocol.parseAddress, address],
  encodeReferralCode: () => [protocol.encodeReferralCode, address],
  decodeReferralCode: () => [protocol.decodeReferralCode, protocol.encodeReferralCode(address)],
  parseTokenId: () => [protocol.parseTokenId, tokenId],
  parseHash: () => [protocol.parseHash, hash],
  toAmount: () => [protocol.toAmount, 25n],
  parseAmount: () => [protocol.parseAmount, '25.5', token],
  formatAmount: () => [protocol.formatAmount, 25n, token],
  // The language is one of Intl, which names what it does not know.
  amountText: () => [(units: bigint) => protocol.amountText(units, { language: 'en', decimals: 10 }), 25n],
  amountParts: () => [(units: bigint) => protocol.amountParts(units, { language: 'en', decimals: 10 }), 25n],
  transferFee: () => [protocol.transferFee, rule, 25n],
  netAmount: () => [protocol.netAmount, rule, 25n],
  grossForNet: () => [protocol.grossForNet, rule, 25n],
  rewardPools: () => [protocol.rewardPools, 25n, ratio],
  feePools: () => [protocol.feePools, 25n, shares],
  tokenMiningPool: () => [
    protocol.tokenMiningPool,
    { blockReward: 5n, maxSupply: 100n, totalSupply: 50n, referralShareBps: 1000 },
  ],
  stakeShare: () => [protocol.stakeShare, { stake: 5n, pool: 100n, totalStake: 50n }],
  referralReward: () => [
    protocol.referralReward,
    { microblockReward: 5n, referralShareBps: 1000, agent: 'qualified' },
  ],
  stakePoolSplit: () => [protocol.stakePoolSplit, { reward: 5n, feeBps: 100, stakes: [5n, 5n] }],
}

/** Exports that answer false, or nothing, where a value is none. */
const asks = [
  'isAddress',
  'looksLikeAddress',
  'isAmount',
  'isPrivateKey',
  'isReferralCode',
  'isTokenId',
  'isHash',
]

it('refuses what is no key, amount or address, by its name and in JavaScript too', async () => {
  expect(await wronglyTaken(calls)).toStrictEqual([])
})

it('answers false where it is asked whether a value is one', () => {
  for (const name of asks)
    for (const wrong of [undefined, null, 5, {}, [], Number.NaN, true, '', Symbol('x'), Object.create(null)])
      expect([
        name,
        (protocol as never as Record<string, (value: unknown) => unknown>)[name]?.(wrong),
      ]).toStrictEqual([name, false])
  for (const wrong of [undefined, null, 5, {}, [], '', Object.create(null)])
    expect(protocol.verifyText({ text: 'x', signature: wrong as never, address: wrong as never })).toBe(false)
})
