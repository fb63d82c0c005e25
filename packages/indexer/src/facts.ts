import type { Address, Hash, TokenId } from '@hailstone/protocol'

/** Rules of an indexed token, which never change. */
export type TokenRules = {
  readonly id: number
  readonly tokenId: TokenId
  readonly owner: Address
  readonly feeType: 0 | 1 | 2
  readonly feeValue: bigint
  readonly feeMinimum: bigint
  /** Null for a token that is not mined. */
  readonly mining: {
    readonly maxSupply: bigint
    readonly blockReward: bigint
    readonly minimumStake: bigint
    readonly referrerStake: bigint
    readonly referralShareBps: number
  } | null
}

/** A transaction of an indexed token. */
export type TransferFact = {
  readonly kind: 'transfer'
  readonly token: number
  readonly hash: Hash
  readonly from: Address
  readonly to: Address
  /** Gross units. */
  readonly amount: bigint
  /** Units of the token; 0 unless confirmed. */
  readonly fee: bigint
  /** 1 duplicate, 2 rejected, 3 confirmed. */
  readonly status: number
  /** As the tables hold it: `storableText` of what the chain has. */
  readonly data: string
}

/** Units that a contract created, or destroyed if negative. */
export type SupplyFact = {
  readonly kind: 'supply'
  readonly token: number
  readonly account: Address
  readonly units: bigint
}

/** A record that the chain shows for a microblock. */
export type RecordFact = {
  readonly type: 'im' | 'iref'
  readonly account: Address
  readonly amount: bigint
}

/** A microblock of an indexed token. */
export type MicroblockFact = {
  readonly token: number
  readonly hash: Hash
  readonly publisher: Address
  readonly agent: Address | null
  readonly records: readonly RecordFact[]
}

/** Everything that one macroblock means to the indexed tokens. */
export type BlockFacts = {
  readonly height: number
  readonly hash: Hash
  /** The next key block, which commits to everything here. */
  readonly nextHash: Hash
  /** Unix seconds. */
  readonly time: number
  /** Of all tokens. */
  readonly microblockCount: number
  readonly isProven: boolean
  /** In the order of calculation. */
  readonly changes: readonly (TransferFact | SupplyFact)[]
  /** In the order of their hashes, as they are paid. */
  readonly microblocks: readonly MicroblockFact[]
}

/** Returns the accounts that a macroblock names, in the order in which they get their numbers. */
export function* accountsOf(facts: BlockFacts): Generator<Address> {
  for (const change of facts.changes) {
    if (change.kind === 'supply') yield change.account
    else yield* [change.from, change.to]
  }
  for (const { publisher, agent, records } of facts.microblocks) {
    yield publisher
    if (agent !== null) yield agent
    for (const { account } of records) yield account
  }
}
