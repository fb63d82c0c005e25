import {
  type Address,
  feePools,
  type RewardPools,
  rewardPools,
  type Token,
  type TokenId,
  toAmount,
} from '@hailstone/protocol'
import type { AccountRecord } from './account-record.ts'
import type { LedgerDraft } from './ledger-draft.ts'
import type { LedgerMacroblock } from './ledger-macroblock.ts'
import type { LedgerParameters } from './ledger-parameters.ts'
import { type BlockReward, payMicroblocks } from './pay-microblocks.ts'
import { payStakePoolFees, payStatBlocks } from './pay-stake-pools.ts'
import { type DelegatorReward, type Payout, record } from './payout.ts'

/** Rewards that a macroblock pays, besides their records. */
export type RewardReport = {
  /** In the order of their hashes; what the publisher got without any referral part. */
  readonly microblockRewards: readonly BlockReward[]
  /** In their given order; what the whole stake pool got, without fees. */
  readonly statBlockRewards: readonly BlockReward[]
  readonly keyBlockReward: bigint
  /** Units added to the total supply of every token mined here, the native token first. */
  readonly supplyChanges: readonly { readonly tokenId: TokenId; readonly amount: bigint }[]
  /** Added to claimable rewards, not to balances. */
  readonly delegatorRewards: readonly DelegatorReward[]
  readonly records: readonly AccountRecord[]
}

function payKeyBlock(payout: Payout, value: bigint): void {
  const { hash, publisher } = payout.macroblock.keyBlock
  payout.draft.credit(publisher, payout.native.id, value)
  payout.paid.ofBlockReward += value
  record(payout, 'ik', publisher, { hash, value })
}

/** Pays the collected fees (PROTOCOL 6.6); the leader's share stays for dust, the leader is unknown. */
function payFees(payout: Payout, hadPublisherBalance: boolean): void {
  const { draft, native, parameters, macroblock } = payout
  const { hash, publisher } = macroblock.keyBlock
  const pools = feePools(payout.fees, parameters.feeShares)
  const pay = (type: 'ifk' | 'ifg', account: Address, value: bigint) => {
    draft.credit(account, native.id, value)
    payout.paid.ofFees += value
    record(payout, type, account, { hash, value })
  }
  if (hadPublisherBalance) pay('ifk', publisher, pools.keyBlockPublisher)
  pay('ifg', parameters.genesis, pools.genesis + (hadPublisherBalance ? 0n : pools.keyBlockPublisher))
  payStakePoolFees(payout, pools.proofOfStake)
}

/**
 * Repeats what the public software does without statblocks (PROTOCOL 6.5): the genesis account gets both
 * proof-of-stake shares directly and unrecorded, and that of the block reward once more as dust.
 */
function payAbsentStakePools(payout: Payout, { proofOfStake }: RewardPools): void {
  const { draft, native, parameters, macroblock } = payout
  if (macroblock.statBlocks.length > 0 || parameters.stakeShareWithoutStatBlocks !== 'twice') return
  const ofFees = feePools(payout.fees, parameters.feeShares).proofOfStake
  const isOrigin = macroblock.keyBlock.height === 0
  draft.credit(parameters.genesis, native.id, ofFees + (isOrigin ? 0n : proofOfStake))
  payout.paid.ofFees += ofFees
}

/** Whatever was not paid goes to the genesis account, so no unit of reward or fees is lost (PROTOCOL 6.8). */
function payDust(
  { draft, native, parameters, macroblock, ...payout }: Payout,
  blockReward: bigint,
): AccountRecord {
  const value = blockReward - payout.paid.ofBlockReward + payout.fees - payout.paid.ofFees
  draft.credit(parameters.genesis, native.id, value)
  return { type: 'idust', account: parameters.genesis, hash: macroblock.keyBlock.hash, value }
}

function growSupplies({ draft, native, issued }: Payout, blockReward: bigint): RewardReport['supplyChanges'] {
  const changes = [
    { tokenId: native.id, amount: blockReward },
    ...Array.from(issued, ([tokenId, amount]) => ({ tokenId, amount })),
  ]
  for (const { tokenId, amount } of changes) {
    const token = draft.token(tokenId)
    if (token === undefined || amount === 0n) continue
    draft.putToken({ ...token, totalSupply: toAmount(token.totalSupply + amount) })
  }
  return changes
}

/**
 * Pays everything that is due when a macroblock is closed, after its last transaction (PROTOCOL 6). The key block
 * paid here is the one being closed, not the one whose arrival closes it.
 */
export function applyRewards(parameters: {
  readonly draft: LedgerDraft
  readonly native: Token
  readonly parameters: LedgerParameters
  readonly macroblock: LedgerMacroblock
  /** Transactions of the macroblock with status confirmed; each brought one native fee. */
  readonly confirmedCount: number
}): RewardReport {
  const { draft, native, confirmedCount, macroblock } = parameters
  const payout: Payout = {
    ...parameters,
    fees: BigInt(confirmedCount) * native.feeValue,
    records: [],
    delegatorRewards: [],
    issued: new Map(),
    paid: { ofBlockReward: 0n, ofFees: 0n },
  }
  const blockReward = native.mining?.blockReward ?? 0n
  const pools = rewardPools(blockReward, parameters.parameters.rewardRatio)
  const hadPublisherBalance = draft.balance(macroblock.keyBlock.publisher, native.id) !== undefined
  const microblockRewards = payMicroblocks(payout, pools.proofOfActivity)
  payKeyBlock(payout, pools.proofOfWork)
  const statBlockRewards = payStatBlocks(payout, pools.proofOfStake)
  payFees(payout, hadPublisherBalance)
  payAbsentStakePools(payout, pools)
  payout.records.push(payDust(payout, blockReward))
  const supplyChanges = growSupplies(payout, blockReward)
  const { records, delegatorRewards } = payout
  return {
    microblockRewards,
    statBlockRewards,
    keyBlockReward: pools.proofOfWork,
    supplyChanges,
    delegatorRewards,
    records,
  }
}
