import { createHash } from 'node:crypto'
import {
  addressOf,
  parsePrivateKey,
  parseTokenId,
  sha256Hex,
  signingHash,
  signText,
  toAmount,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { holdContest } from '../contest.ts'
import { outcomeOf } from '../outcome.ts'
import type { Suite } from '../suite.ts'

const key = parsePrivateKey(sha256Hex('benchmark key'))
const fields = {
  amount: toAmount(12_345_678_901_234_567n),
  data: '',
  from: addressOf(key),
  nonce: 1_723_456,
  tokenId: parseTokenId(ZERO_TOKEN_ID),
  to: addressOf(parsePrivateKey(sha256Hex('payee'))),
}
const transaction = { ...fields, signature: signText(signingHash(fields), key) }

/** The texts that the hash is computed from, in order, as the public clients concatenate them. */
const texts = [
  String(transaction.amount),
  transaction.data,
  transaction.from,
  String(transaction.nonce),
  transaction.signature,
  transaction.tokenId,
  transaction.to,
]
const combined = (hash: (text: string) => string): string =>
  hash(texts.map((text) => hash(text.toLowerCase())).join(''))

const contestants = [
  { name: 'Hailstone', work: () => transactionHash(transaction) },
  {
    name: "createHash of node:crypto, the web library's way",
    work: () => combined((text) => createHash('sha256').update(text).digest('hex')),
  },
  { name: '@noble/hashes', work: () => combined((text) => bytesToHex(sha256(utf8ToBytes(text)))) },
]

export const transactionHashes: Suite = {
  name: 'hash',
  what: 'P-3: the hash of one transaction',
  run: async ({ settings, tell }) => {
    const expected = transactionHash(transaction)
    const { samples, pressures, wasQuiet } = await holdContest({
      settings,
      contestants: contestants.map(({ name, work }) => ({
        name,
        run: (times) => {
          for (let time = 0; time < times; time++) work()
        },
        check: () => work() === expected,
      })),
      onRound: (round) => tell(`P-3 round ${round + 1} of ${settings.rounds}`),
    })
    const scores = contestants.map(({ name }) => ({ name, samples: samples.get(name) ?? [] }))
    const goals = [
      {
        what: "against the web library's way",
        over: 'Hailstone',
        under: contestants[1]?.name ?? '',
        atLeast: 1.7,
      },
    ]
    return [
      outcomeOf({
        id: 'P-3',
        title: 'Hash one transaction',
        unit: '/CPU s',
        isMoreBetter: true,
        scores,
        goals,
        pressures,
        wasQuiet,
      }),
    ]
  },
}
