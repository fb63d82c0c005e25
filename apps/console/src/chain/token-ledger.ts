import type { WalkedMacroblock } from '@hailstone/client'
import {
  type Address,
  type BlockTransaction,
  type Hash,
  referralReward,
  stakeShare,
  type Token,
  tokenMiningPool,
  transferFee,
} from '@hailstone/protocol'
import type { RewardKind } from '../tables.ts'

export type MicroblockRow = {
  readonly hash: Hash
  readonly account: Address
  readonly agent: Address | null
  readonly stake: bigint
  readonly totalStake: bigint
  /** Reward as the API states it, to be compared with the one computed here. */
  readonly statedReward: bigint | null
}

export type RewardRow = {
  readonly microblock: Hash
  readonly kind: RewardKind
  readonly account: Address
  readonly amount: bigint
}

export type TransferRow = {
  readonly hash: Hash
  readonly sender: Address
  readonly receiver: Address
  readonly amount: bigint
  readonly fee: bigint
  readonly status: BlockTransaction['status']
}

/** Everything that a macroblock did to one token. */
export type TokenFacts = {
  readonly microblocks: readonly MicroblockRow[]
  readonly rewards: readonly RewardRow[]
  readonly transfers: readonly TransferRow[]
  /** Balances that changed, as they are afterwards. */
  readonly holdings: ReadonlyMap<Address, bigint>
}

/** Balances and supply of one token, kept by calculating each macroblock again. */
export type TokenLedger = {
  readonly balance: (account: Address) => bigint | undefined
  readonly supply: () => bigint
  readonly calculate: (macroblock: Pick<WalkedMacroblock, 'microblocks'>) => TokenFacts
}

/**
 * Creates a ledger of a custom token. It needs no balances of other tokens: that a transfer was confirmed is read from
 * its status, and rewards follow from stakes in the token itself (PROTOCOL 6.3, 6.4).
 *
 * @param token as it was created, with the supply of its first moment
 * @param kept balances and supply to go on from. @default none: the token begins with its creation
 */
export function createTokenLedger(
  token: Token,
  kept?: { readonly holdings: Iterable<readonly [Address, bigint]>; readonly supply: bigint },
): TokenLedger {
  const { mining } = token
  const holdings = new Map<Address, bigint>(kept?.holdings ?? [])
  let supply = kept?.supply ?? 0n
  let changed = new Map<Address, bigint>()

  function add(account: Address, amount: bigint): void {
    const after = (holdings.get(account) ?? 0n) + amount
    holdings.set(account, after)
    changed.set(account, after)
  }

  function transfer(transaction: BlockTransaction): TransferRow {
    const { hash, from: sender, to: receiver, amount, status } = transaction
    const fee = transferFee(token, amount)
    if (status === 'confirmed') {
      add(sender, -amount)
      add(token.owner, fee)
      add(receiver, amount - fee)
    }
    return { hash, sender, receiver, amount, fee, status }
  }

  function pay(microblock: MicroblockRow, own: bigint): readonly RewardRow[] {
    const { hash, account, agent } = microblock
    const rows: RewardRow[] = []
    const row = (kind: RewardKind, to: Address, amount: bigint): void => {
      add(to, amount)
      if (kind !== 'dust') supply += amount
      rows.push({ microblock: hash, kind, account: to, amount })
    }
    if (holdings.has(account) && microblock.totalStake > 0n) row('own', account, own)
    const held = agent === null ? undefined : holdings.get(agent)
    const isQualified = held !== undefined && held >= (mining?.referrerStake ?? 0n)
    const parts = referralReward({
      microblockReward: own,
      referralShareBps: mining?.referralShareBps ?? 0,
      agent: held === undefined ? 'absent' : isQualified ? 'qualified' : 'unqualified',
    })
    if (held !== undefined) row('miner_half', account, parts.publisher)
    if (isQualified && agent !== null) row('agent_half', agent, parts.agent)
    else row('owner_part', token.owner, parts.owner)
    if (parts.dust > 0n) row('dust', token.owner, parts.dust)
    return rows
  }

  function mine(own: WalkedMacroblock['microblocks']): Pick<TokenFacts, 'microblocks' | 'rewards'> {
    const stakes = own.map(({ header }) => holdings.get(header.publisher) ?? 0n)
    const totalStake = stakes.reduce((sum, stake) => sum + stake, 0n)
    const pool = mining === null ? 0n : tokenMiningPool({ ...mining, totalSupply: supply })
    const microblocks = own.map(
      ({ header }, at): MicroblockRow => ({
        hash: header.hash,
        account: header.publisher,
        agent: header.referralAgent,
        stake: stakes[at] ?? 0n,
        totalStake,
        statedReward: header.reward,
      }),
    )
    const rewards = microblocks.flatMap((one) => pay(one, stakeShare({ stake: one.stake, pool, totalStake })))
    return { microblocks, rewards }
  }

  return {
    balance: (account) => holdings.get(account),
    supply: () => supply,
    calculate({ microblocks }) {
      changed = new Map()
      const transfers: TransferRow[] = []
      for (const { transactions } of microblocks)
        for (const transaction of transactions) {
          const isCreation = transaction.hash === (token.id as string)
          if (isCreation && transaction.status === 'confirmed') {
            add(token.owner, token.totalSupply)
            supply += token.totalSupply
          }
          if (transaction.tokenId === token.id) transfers.push(transfer(transaction))
        }
      const mined = mine(microblocks.filter(({ header }) => header.tokenId === token.id))
      return { ...mined, transfers, holdings: changed }
    },
  }
}
