import {
  type Address,
  type Hash,
  type ReferralAgentStatus,
  referralReward,
  stakeShare,
  type Token,
  type TokenId,
  tokenMiningPool,
} from '@hailstone/protocol'
import { byHash, type LedgerMicroblock } from './ledger-macroblock.ts'
import { type Payout, payReward, record, sum } from './payout.ts'

/** Reward of a block in native units. */
export type BlockReward = { readonly hash: Hash; readonly reward: bigint }

type MinedToken = {
  readonly token: Token
  /** Units all its microblocks share, however many there are. */
  readonly pool: bigint
  /** By microblock, so a publisher with two of them counts twice. */
  readonly stakes: ReadonlyMap<Hash, bigint>
  readonly totalStake: bigint
}

/** A native balance counts up to a limit, a custom one in full (PROTOCOL 6.3). */
function stakeOf({ draft, native, parameters }: Payout, account: Address, token: Token): bigint {
  const balance = draft.balance(account, token.id) ?? 0n
  const isCapped = token.id === native.id && balance > parameters.maximumNativeStake
  return isCapped ? parameters.maximumNativeStake : balance
}

function poolOf({ native }: Payout, token: Token, nativePool: bigint): bigint {
  if (token.id === native.id) return nativePool
  return token.mining === null ? 0n : tokenMiningPool({ ...token.mining, totalSupply: token.totalSupply })
}

/** Pools and stakes as they are after the transactions and before any reward (PROTOCOL 6.1–6.3). */
function minedTokensOf(payout: Payout, nativePool: bigint): ReadonlyMap<TokenId, MinedToken> {
  const { microblocks } = payout.macroblock
  const mined = new Map<TokenId, MinedToken>()
  for (const tokenId of new Set(microblocks.map((microblock) => microblock.tokenId))) {
    const token = payout.draft.token(tokenId)
    if (token === undefined) continue
    const publishers = microblocks.filter((microblock) => microblock.tokenId === tokenId)
    const stakes = new Map(publishers.map(({ hash, publisher }) => [hash, stakeOf(payout, publisher, token)]))
    mined.set(tokenId, {
      token,
      pool: poolOf(payout, token, nativePool),
      stakes,
      totalStake: sum(stakes.values()),
    })
  }
  return mined
}

function statusOf({ draft }: Payout, agent: Address | null, token: Token): ReferralAgentStatus {
  const balance = agent === null ? undefined : draft.balance(agent, token.id)
  if (balance === undefined) return 'absent'
  return balance >= (token.mining?.referrerStake ?? 0n) ? 'qualified' : 'unqualified'
}

function payReferral(
  payout: Payout,
  microblock: LedgerMicroblock,
  token: Token,
  microblockReward: bigint,
): void {
  const { hash, publisher, referralAgent } = microblock
  const status = statusOf(payout, referralAgent, token)
  const referralShareBps = token.mining?.referralShareBps ?? 0
  const parts = referralReward({ microblockReward, referralShareBps, agent: status })
  const pay = (account: Address, value: bigint) => {
    payReward(payout, account, token, value)
    record(payout, 'iref', account, { hash, value })
  }
  if (status !== 'absent') pay(publisher, parts.publisher)
  if (status === 'qualified' && referralAgent !== null) pay(referralAgent, parts.agent)
  else pay(token.owner, parts.owner)
  // A custom token's odd unit goes to its owner at once, unrecorded and outside the supply. The native one is
  // left for the macroblock's dust.
  if (token.id !== payout.native.id && parts.dust > 0n) payout.draft.credit(token.owner, token.id, parts.dust)
}

function payMicroblock(payout: Payout, microblock: LedgerMicroblock, mined: MinedToken): bigint {
  const { hash, publisher } = microblock
  const { token, pool, totalStake, stakes } = mined
  const value = stakeShare({ stake: stakes.get(hash) ?? 0n, pool, totalStake })
  if (payout.draft.balance(publisher, token.id) !== undefined && totalStake > 0n) {
    payReward(payout, publisher, token, value)
    record(payout, 'im', publisher, { hash, value })
  }
  payReferral(payout, microblock, token, value)
  return value
}

/**
 * Pays the publishers of the microblocks and their referral agents, in the order of the hashes (PROTOCOL 6.2–6.4).
 * A microblock in a token the ledger does not know pays nothing.
 */
export function payMicroblocks(payout: Payout, nativePool: bigint): readonly BlockReward[] {
  const minedTokens = minedTokensOf(payout, nativePool)
  for (const tokenId of minedTokens.keys()) {
    if (tokenId !== payout.native.id) payout.issued.set(tokenId, 0n)
  }
  return byHash(payout.macroblock.microblocks).map((microblock) => {
    const mined = minedTokens.get(microblock.tokenId)
    return {
      hash: microblock.hash,
      reward: mined === undefined ? 0n : payMicroblock(payout, microblock, mined),
    }
  })
}
