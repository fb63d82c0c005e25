import {
  ascending,
  type hmacHex,
  type JsonValue,
  microblockHashOf,
  statBlockHash,
  transactionHashOfTexts,
  transactionsHash,
} from '@hailstone/protocol'
import {
  asList,
  asObject,
  asText,
  type Case,
  casesOf,
  difference,
  everyCaseHas,
  judge,
  nameOf,
} from '../case.ts'
import type { Check } from '../check.ts'
import { textsOf } from './transaction-hashes.ts'

const hashOf = (transaction: JsonValue): string => {
  const given = asObject(transaction)
  return transactionHashOfTexts({ ...textsOf(given), signature: asText(given.sign) })
}

function compare(given: Case) {
  const block = asObject(given.mblock)
  const transactionHashes = asList(block.txs).map(hashOf)
  const parameters = {
    keyBlockHash: asText(block.kblocks_hash),
    nonce: BigInt(asText(block.nonce)),
    publisher: asText(block.publisher),
    transactionHashes,
  }
  return [
    difference('tx_hashes_sorted', given.tx_hashes_sorted, [...transactionHashes].sort(ascending)),
    difference('txs_hash', given.txs_hash, transactionsHash(transactionHashes)),
    difference('m_hash', given.m_hash, microblockHashOf(parameters)),
  ]
}

/** Microblock hashes (PROTOCOL 4.2). */
export const check: Check = {
  kind: 'microblock hashes',
  recognises: (file) => everyCaseHas(file, 'mblock', 'txs_hash', 'm_hash'),
  run: (file) => casesOf(file).map((given) => judge(nameOf(given), () => compare(given))),
}

/** Statblock hashes (PROTOCOL 4.3). */
export const statBlockCheck: Check = {
  kind: 'statblock hashes',
  recognises: (file) => everyCaseHas(file, 'sblock', 'hash'),
  run: (file) =>
    casesOf(file).map((given) =>
      judge(nameOf(given), () => {
        const block = asObject(given.sblock)
        const hash = statBlockHash({
          bulletin: asText(block.bulletin),
          keyBlockHash: asText(block.kblocks_hash) as ReturnType<typeof hmacHex>,
          publisher: asText(block.publisher) as ReturnType<typeof hmacHex>,
          signature: asText(block.sign),
        })
        return [difference('hash', given.hash, hash)]
      }),
    ),
}
