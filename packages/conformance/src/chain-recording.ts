import { closeMacroblock, toLedgerMacroblock } from '@hailstone/ledger'
import type { ChainOrigin, ChainStore, MacroblockClosing } from '@hailstone/local-network'
import {
  type JsonValue,
  type KeyBlock,
  type Macroblock,
  type Microblock,
  type Signature,
  type StatBlock,
  type Token,
  type Transaction,
  toAmount,
} from '@hailstone/protocol'
import { asList, asObject, asText, type Case } from './case.ts'
import {
  asAddress,
  asHash,
  asTokenId,
  asUnits,
  readBalance,
  readDelegation,
  readStakePool,
  readToken,
  textOrNull,
} from './ledger-reading.ts'
import { RECORDED_ORIGIN, readLedgerRecording } from './ledger-recording.ts'

const NATIVE_COIN = 10_000_000_000n

/** Configuration of the recorded software that the ledger file does not contain (PROTOCOL 3.5.9, 9.1). */
const mainNetwork = {
  leaderId: '14532',
  microblockSlots: { size: 2, count: 4, minimumStake: toAmount(500_000n * NATIVE_COIN), reserve: [] },
  poolMinimumStake: toAmount(25_001n * NATIVE_COIN),
  transferLockBlocks: 8192,
} as const

const numberOf = (value: JsonValue | undefined): number => Number(asUnits(value))

/** The origin block, which recorded/README.md describes in words. */
const originBlock = (publisher: JsonValue | undefined): KeyBlock => ({
  hash: asHash(RECORDED_ORIGIN),
  height: 0,
  time: 1_700_000_000,
  publisher: asAddress(publisher),
  nonce: 0,
  link: asHash(RECORDED_ORIGIN),
  sprout: asHash(RECORDED_ORIGIN),
  merkleRoot: '',
  targetDifficulty: 10,
})

const keyBlockOf = (given: Case): KeyBlock => ({
  hash: asHash(given.hash),
  height: numberOf(given.n),
  time: numberOf(given.time),
  publisher: asAddress(given.publisher),
  nonce: numberOf(given.nonce),
  link: asHash(given.link),
  sprout: asHash(given.sprout),
  merkleRoot: asText(given.m_root),
  targetDifficulty: numberOf(given.target_diff),
})

const transactionOf = (given: Case): Transaction => ({
  amount: toAmount(asUnits(given.amount)),
  data: asText(given.data),
  from: asAddress(given.from),
  nonce: numberOf(given.nonce),
  tokenId: asTokenId(given.ticker),
  to: asAddress(given.to),
  signature: asText(given.sign) as Signature,
})

const microblockOf = (given: Case): Microblock => ({
  keyBlockHash: asHash(given.kblocks_hash),
  publisher: asAddress(given.publisher),
  nonce: numberOf(given.nonce),
  transactions: asList(given.txs).map((transaction) => transactionOf(asObject(transaction))),
  hash: asHash(given.hash),
  signature: asText(given.sign) as Signature,
  tokenId: asTokenId(given.token),
  referralAgent: typeof given.referrer === 'string' ? asAddress(given.referrer) : null,
})

const statBlockOf = (given: Case): StatBlock => ({
  hash: asHash(given.hash),
  keyBlockHash: asHash(given.kblocks_hash),
  publisher: asHash(given.publisher),
  bulletin: asText(given.bulletin),
  signature: asText(given.sign),
})

const tokenOf = (given: Case): Token => ({ ...readToken(given), caption: textOrNull(given.caption) })

const stakePoolsOf = (initial: Case): readonly Case[] =>
  (Array.isArray(initial.pos) ? asList(initial.pos) : initial.pos ? [initial.pos] : []).map(asObject)

/** Returns the state of a recorded ledger before its first block. */
export function readChainOrigin(file: JsonValue): ChainOrigin {
  const { params, initial } = asObject(file)
  const given = asObject(initial)
  const pools = stakePoolsOf(given)
  const tokens = asList(given.tokens).map((token) => tokenOf(asObject(token)))
  const { parameters } = readLedgerRecording(file)
  return {
    parameters: {
      ...mainNetwork,
      seed: asText(asObject(file).seed),
      ledger: parameters,
      votingPoolId: asHash(pools[0]?.id),
      initialSupply: toAmount(tokens[0]?.totalSupply ?? 0n),
      informativeReferralBps: Number(asText(asObject(asObject(params).reward_ratio).ref)),
    },
    content: {
      tokens,
      balances: asList(given.ledger).map(readBalance),
      stakePools: pools.map(readStakePool),
      delegations: pools.flatMap((pool) => asList(pool.delegates).map(readDelegation)),
    },
    origin: originBlock(asObject(params).genesis),
  }
}

function macroblockOf(block: Case, keyBlock: KeyBlock): Macroblock {
  return {
    keyBlock,
    microblocks: asList(block.mblocks).map((given) => microblockOf(asObject(given))),
    statBlocks: asList(block.sblocks).map((given) => statBlockOf(asObject(given))),
  }
}

/** Calculates the recorded macroblocks with the real ledger and stores each as the network does. */
export async function replayInto(store: ChainStore, file: JsonValue): Promise<void> {
  const { parameters } = readLedgerRecording(file)
  const ledger = await store.loadLedger()
  for (const block of asList(asObject(file).blocks).map(asObject)) {
    const macroblock = macroblockOf(block, await store.tail())
    const closing: MacroblockClosing = {
      macroblock,
      closed: closeMacroblock(ledger, toLedgerMacroblock(macroblock), parameters),
      nextKeyBlock: keyBlockOf(asObject(block.kblock)),
    }
    await store.appendMacroblock(closing)
    ledger.applyChanges(closing.closed.changes)
  }
}
