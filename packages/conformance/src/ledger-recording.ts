import {
  closeMacroblock,
  createLedgerState,
  type LedgerMacroblock,
  type LedgerParameters,
  type LedgerState,
  type MacroblockReport,
} from '@hailstone/ledger'
import type { JsonValue } from '@hailstone/protocol'
import { asList, asObject, type Case } from './case.ts'
import {
  asAddress,
  asHash,
  asTokenId,
  asUnits,
  readBalance,
  readDelegation,
  readParameters,
  readStakePool,
  readToken,
  readTransaction,
} from './ledger-reading.ts'

/** Name of the origin key block in the recordings, which do not list it. */
export const RECORDED_ORIGIN = 'ENQGENESIS'

/** A recorded ledger ready to be replayed. */
export type LedgerRecording = {
  readonly parameters: LedgerParameters
  readonly state: LedgerState
  /** In order; each closes the previous key block. */
  readonly macroblocks: readonly LedgerMacroblock[]
}

const stakePoolsOf = (initial: Case): readonly Case[] => {
  const given = initial.pos
  return (Array.isArray(given) ? asList(given) : given === undefined || given === null ? [] : [given]).map(
    asObject,
  )
}

const initialState = (initial: Case): LedgerState =>
  createLedgerState({
    tokens: asList(initial.tokens).map((token) => readToken(asObject(token))),
    balances: asList(initial.ledger).map(readBalance),
    stakePools: stakePoolsOf(initial).map(readStakePool),
    delegations: stakePoolsOf(initial).flatMap((pool) => asList(pool.delegates).map(readDelegation)),
  })

const macroblockOf = (block: Case, keyBlock: LedgerMacroblock['keyBlock']): LedgerMacroblock => ({
  keyBlock,
  microblocks: asList(block.mblocks)
    .map(asObject)
    .map((given) => ({
      hash: asHash(given.hash),
      publisher: asAddress(given.publisher),
      tokenId: asTokenId(given.token),
      referralAgent: typeof given.referrer === 'string' ? asAddress(given.referrer) : null,
      transactions: asList(given.txs).map((transaction) => readTransaction(asObject(transaction))),
    })),
  statBlocks: asList(block.sblocks)
    .map(asObject)
    .map((given) => ({ hash: asHash(given.hash), publisher: asHash(given.publisher) })),
})

/** Returns the key block that each recorded block closes: the origin, then the one named by the previous block. */
function macroblocksOf(
  blocks: readonly Case[],
  genesis: LedgerParameters['genesis'],
): readonly LedgerMacroblock[] {
  return blocks.map((block, at) => {
    const before = at === 0 ? undefined : asObject(blocks[at - 1]?.kblock)
    return macroblockOf(block, {
      hash: asHash(block.closes),
      height: before === undefined ? 0 : Number(asUnits(before.n)),
      publisher: before === undefined ? genesis : asAddress(before.publisher),
    })
  })
}

export const isLedgerRecording = (file: JsonValue): boolean =>
  ['params', 'initial', 'blocks', 'steps', 'account_index'].every(
    (name) => asObject(file)[name] !== undefined,
  )

export function readLedgerRecording(file: JsonValue): LedgerRecording {
  const { params, initial, blocks } = asObject(file)
  const given = asObject(params)
  const parameters = readParameters({
    genesis: given.genesis,
    tokens: asObject(initial).tokens,
    rewardRatio: given.reward_ratio,
    feeShares: given.fee_shares,
    maximumStake: asObject(given.stake_limits).max_stake,
    tokenPrice: given.token_creation_price,
  })
  return {
    parameters,
    state: initialState(asObject(initial)),
    macroblocks: macroblocksOf(asList(blocks).map(asObject), parameters.genesis),
  }
}

/** Closes the recorded macroblocks one by one; `state` is the ledger after each. */
export function* replay(recording: LedgerRecording): Generator<{
  readonly macroblock: LedgerMacroblock
  readonly report: MacroblockReport
}> {
  const { state, macroblocks, parameters } = recording
  for (const macroblock of macroblocks) {
    const { changes, report } = closeMacroblock(state, macroblock, parameters)
    state.applyChanges(changes)
    yield { macroblock, report }
  }
}
