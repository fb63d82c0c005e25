import type { Address, Hash, Token, TokenId } from '@hailstone/protocol'

/** A proof-of-stake contract: people delegate coins to it, it votes with statblocks. */
export type StakePool = {
  /** Hash of the transaction that created it. */
  readonly id: Hash
  readonly owner: Address
  /** The owner's part of its rewards in 1/10000. */
  readonly feeBps: number
  readonly name: string
}

/** One account's coins in one stake pool, in native units. */
export type Delegation = {
  readonly poolId: Hash
  readonly delegator: Address
  readonly amount: bigint
  /** Earned and not claimed yet. */
  readonly reward: bigint
}

/** Undelegated coins that were not claimed yet, in native units. */
export type Undelegation = {
  /** Hash of the transaction that asked for them. */
  readonly id: Hash
  readonly poolId: Hash
  readonly delegator: Address
  readonly amount: bigint
  /** Of the macroblock that holds the transaction; the lock counts from here. */
  readonly height: number
  readonly isClaimed: boolean
}

/** The part of a ledger that the rules read. Answers are synchronous: a database is read ahead. */
export type LedgerView = {
  /** Units; undefined when the account has no row in the token, which is not the same as zero. */
  readonly balance: (account: Address, tokenId: TokenId) => bigint | undefined
  readonly token: (tokenId: TokenId) => Token | undefined
  readonly stakePool: (poolId: Hash) => StakePool | undefined
  readonly delegations: (poolId: Hash) => Iterable<Delegation>
  readonly delegation: (poolId: Hash, delegator: Address) => Delegation | undefined
  readonly undelegation: (id: Hash) => Undelegation | undefined
  /** Returns true if a transaction got a status before, confirmed or rejected. */
  readonly isCalculated: (transactionHash: Hash) => boolean
}

/** A balance before and after a macroblock, in units. */
export type BalanceChange = {
  readonly account: Address
  readonly tokenId: TokenId
  /** Undefined when the row is new. */
  readonly before: bigint | undefined
  readonly after: bigint
}

/** Every row a macroblock touched, as it stands afterwards; to be stored together or not at all. */
export type LedgerChanges = {
  readonly balances: readonly BalanceChange[]
  readonly tokens: readonly Token[]
  readonly stakePools: readonly StakePool[]
  readonly delegations: readonly Delegation[]
  readonly undelegations: readonly Undelegation[]
  /** Transactions that now have a status; their hashes can only be duplicates from here on. */
  readonly calculated: readonly Hash[]
}
