import type { ClosedMacroblock, Genesis, LedgerState, NetworkParameters, RecordType } from '@hailstone/ledger'
import type {
  Address,
  BlockTransaction,
  FeeRule,
  FoundMicroblock,
  Hash,
  KeyBlock,
  KeyBlockAnswer,
  ListedKeyBlock,
  Macroblock,
  MicroblockPlace,
  StatBlockHeader,
  Token,
} from '@hailstone/protocol'
import type { BalanceSource } from '../chain/calculate-macroblock.ts'
import type { CalculatedSource } from '../chain/learn-calculated.ts'

/** Heights from the first to the last one, both included. */
export type Heights = { readonly from: number; readonly to: number }

/** First blocks and parameters of a chain. */
export type ChainOrigin = Pick<Genesis, 'parameters' | 'content' | 'origin'>

/** A macroblock that was calculated, and the key block that closed it. */
export type MacroblockClosing = {
  readonly macroblock: Macroblock
  readonly closed: ClosedMacroblock
  /** Open from now on. */
  readonly nextKeyBlock: KeyBlock
}

/** A token with the network's own, often too small, count of its transfers (PROTOCOL 3.5.8). */
export type CountedToken = Token & {
  /** Transfers as the network counts them. */
  readonly transferCount: number
}

/** A token with an account's balance in its units. */
export type HeldToken = {
  /** Units of the token. */
  readonly amount: bigint
  readonly token: Token
}

/** Native units of an account at stake pools. */
export type AccountStake = {
  /** At work at stake pools. */
  readonly delegated: bigint
  /** Earned and claimable. */
  readonly stakingReward: bigint
  /** Undelegated and still locked. */
  readonly inTransit: bigint
  /** Undelegated and free to be claimed. */
  readonly undelegated: bigint
}

/** The copy of a transaction with the highest status, and where it stands. */
export type TransactionCopy = BlockTransaction & { readonly keyBlockHash: Hash }

export type WholeMicroblock = {
  readonly header: FoundMicroblock
  /** In the order of their hashes. */
  readonly transactions: readonly BlockTransaction[]
}

/** A macroblock with the names of its blocks; none while it is open. */
export type ListedMacroblock = {
  readonly keyBlock: KeyBlockAnswer
  readonly microblocks: readonly { readonly hash: Hash; readonly transactionCount: number }[]
  readonly statBlocks: readonly { readonly hash: Hash }[]
}

/** Which records of an account are asked for: all, one of the two kinds, or one type. */
export type RecordSelection =
  | { readonly of: 'all' }
  | { readonly of: 'rewards' | 'transactions' }
  | { readonly of: RecordType }

/** A record of an account's history with what it refers to. */
export type StoredRecord = {
  /** Among all records of the account, from 0. */
  readonly number: number
  /** Among its rewards, or among its transactions, from 0. */
  readonly kindNumber: number
  readonly type: RecordType
  readonly hash: Hash
  /** Units of the token that the record is in. */
  readonly value: bigint
  /** Of the key block, Unix seconds. */
  readonly time: number
  /** Set when `hash` is a microblock: the short name of the token it was mined in. */
  readonly minedSymbol: string | null
  /** Set for transfers. */
  readonly transaction: Pick<BlockTransaction, 'amount' | 'tokenId' | 'data' | 'status'> | null
  /** Set for transfers of a token the network knows. */
  readonly token: FeeRule | null
}

/** Delegated amount of an account, and its unclaimed reward. */
type DelegatorTotal = {
  readonly delegator: Address
  readonly amount: bigint
  readonly reward: bigint
}

/** Effect of a block or transaction on one account. */
export type RecordOfHash = {
  /** Address of the account. */
  readonly account: string
  readonly hash: Hash
  /** Time of the key block, Unix seconds. */
  readonly time: number
  readonly type: RecordType
  /** Units of the token that the record is in. */
  readonly value: bigint
}

/** Rewards of an account as referral agent or as publisher since a height. */
export type AgentFigures = {
  /** Different miners that named it. */
  readonly referralCount: number
  /** Their mining rewards, not the referral part. */
  readonly referralReward: bigint | null
  /** Units of rewards for key blocks; null without one. */
  readonly keyBlockReward: bigint | null
  /** Units of rewards for stat blocks; null without one. */
  readonly statBlockReward: bigint | null
}

/** Native units paid for work, without shares of fees. */
export type PaidRewards = {
  /** Publishers of microblocks and their referral agents. */
  readonly miners: bigint
  /** Publishers of key blocks. */
  readonly keyBlocks: bigint
  readonly stakePools: bigint
}

/** Totals of the chain for the front page of the explorer. */
export type ChainFigures = {
  /** Accounts with a native row. */
  readonly accounts: number
  /** Transactions in these macroblocks. */
  readonly transactions: number
  /** Most transactions of one macroblock. */
  readonly busiestMacroblock: number
  /** Since the height. */
  readonly paid: PaidRewards
}

/** Balance of a holder, in units of the token. */
export type HolderBalance = {
  /** Address of the account. */
  readonly account: string
  /** Units of the token. */
  readonly units: bigint
}

/** A stake pool with what is delegated to it. */
export type StakePoolState = {
  readonly id: Hash
  readonly owner: Address
  /** Share of its rewards that the pool keeps, in ten-thousandths. */
  readonly feeBps: number
  /** Name that its owner gave it. */
  readonly name: string
  /** Native units; null without any delegation. */
  readonly stake: bigint | null
  /** Statblocks since the height that was asked for. */
  readonly votes: number
}

/** Stake of an account at a pool and its reward so far, in native units. */
export type AccountDelegation = {
  readonly poolId: Hash
  /** Native units at the pool. */
  readonly amount: bigint
  /** Native units that were earned there and can be claimed. */
  readonly reward: bigint
}

/** Undelegated coins that were not claimed yet. */
export type AccountUndelegation = {
  /** Hash of the transaction. */
  readonly id: Hash
  readonly poolId: Hash
  /** Native units. */
  readonly amount: bigint
  /** Height of the macroblock that undelegated them. */
  readonly height: number
  /** Of the key block, Unix seconds. */
  readonly time: number
}

/** An account that has a record of a type, and what the record comes from. */
type ExampleRecord = { readonly type: RecordType; readonly account: string; readonly hash: string }

/**
 * The chain on disk or in memory. One writer; a macroblock is stored whole or not at all. Hashes and addresses
 * are looked up in lower case, whatever the case of the question.
 */
export type ChainStore = {
  /** Writes block 0 and the state before it, once. @throws {NodeError} `STORE_INVALID` when there is a chain */
  readonly initialise: (origin: ChainOrigin) => Promise<void>
  /** Undefined while the store is empty. */
  readonly parameters: () => Promise<NetworkParameters | undefined>
  /** The open key block. @throws {NodeError} `STORE_INVALID` if the store has no open key block */
  readonly tail: () => Promise<KeyBlock>
  /**
   * Without the transactions that were calculated, once there are any, and without the balances, once there are many;
   * they are asked about one by one.
   */
  readonly loadLedger: () => Promise<LedgerState>
  /** Returns which of some transactions were calculated below a height. */
  readonly calculatedBelow: CalculatedSource['calculatedBelow']
  /** Reads balances as they were at a height. */
  readonly balancesAt: BalanceSource['balancesAt']
  /**
   * In one transaction: rewards and statuses of the macroblock, every changed row, the next key block.
   *
   * @throws {NodeError} `STORE_NOT_REPLICATED` where a standby is required; the macroblock may be stored nevertheless,
   * and does not count until the same call succeeds
   */
  readonly appendMacroblock: (closing: MacroblockClosing) => Promise<void>
  /** Calculated ones of the heights `from` … `to`, ascending, whole as they were sealed. */
  readonly macroblocks: (heights: Heights) => Promise<readonly Macroblock[]>
  /**
   * Goes back: key block `height` is the open one again, and whatever came after it never was. In one
   * transaction.
   *
   * @throws {NodeError} `STORE_INVALID` when there is no such key block, or the blocks do not give the stored state
   */
  readonly truncateTo: (height: number) => Promise<void>
  /** Returns the number of rewinds of this chain. */
  readonly branch: () => Promise<number>
  /** Idempotent. */
  readonly close: () => Promise<void>

  /** Reads the key block at a height. */
  readonly keyBlockAt: (height: number) => Promise<KeyBlockAnswer | undefined>
  /** Reads a key block by its hash. */
  readonly keyBlock: (hash: string) => Promise<KeyBlockAnswer | undefined>
  /** Calculated ones, newest first. */
  readonly lastKeyBlocks: (limit: number) => Promise<readonly KeyBlockAnswer[]>
  /** Reads hashes and sizes of the microblocks at a height. */
  readonly microblocksOf: (height: number) => Promise<
    readonly {
      readonly hash: Hash
      /** Transactions of the microblock. */
      readonly transactionCount: number
    }[]
  >
  /** Reads the hashes of the stat blocks at a height. */
  readonly statBlocksOf: (height: number) => Promise<readonly { readonly hash: Hash }[]>
  /** Reads the header of a microblock. */
  readonly microblock: (hash: string) => Promise<FoundMicroblock | undefined>
  /** Reads the header of a stat block. */
  readonly statBlock: (hash: string) => Promise<StatBlockHeader | undefined>
  /** Reads a microblock with its transactions. */
  readonly wholeMicroblock: (hash: string) => Promise<WholeMicroblock | undefined>
  /** Reads the macroblock of a key block, by its hash. */
  readonly macroblockNamed: (hash: string) => Promise<ListedMacroblock | undefined>
  /** Reads the macroblock at a height, with hashes of its blocks. */
  readonly macroblockAt: (height: number) => Promise<ListedMacroblock | undefined>
  /** Of the heights `from` … `to`, ascending. */
  readonly microblockPlaces: (range: Heights) => Promise<readonly MicroblockPlace[]>

  /** In the order of their hashes. */
  readonly transactionsOf: (microblockHash: string) => Promise<readonly BlockTransaction[]>
  /** Reads the first copy of a transaction in the chain. */
  readonly transaction: (hash: string) => Promise<TransactionCopy | undefined>
  /** Of one macroblock, in the order of microblock and transaction hashes. */
  readonly transactionsAt: (height: number, limit: number) => Promise<readonly BlockTransaction[]>

  /** Reads a token by its id. */
  readonly token: (tokenId: string) => Promise<CountedToken | undefined>
  /** Reads all tokens. */
  readonly tokens: () => Promise<readonly CountedToken[]>
  /** Undefined without a row, which is not the same as zero. */
  readonly balance: (account: string, tokenId: string) => Promise<bigint | undefined>
  /** Reads all tokens of an account. */
  readonly holdings: (account: string) => Promise<readonly HeldToken[]>
  /** Reads what an account has at stake pools. */
  readonly accountStake: (account: string) => Promise<AccountStake>

  /**
   * A page of a list, counted from the newest back, and the number of records in the list. Of one moment, so that a
   * record that comes meanwhile moves none to the next page.
   */
  readonly recordPage: (parameters: {
    /** Address of the account. */
    readonly account: string
    readonly selection: RecordSelection
    /** From 0, the newest records. */
    readonly page: number
    /** Records of a page. */
    readonly size: number
  }) => Promise<{
    /** Records of the list. */
    readonly total: number
    readonly records: readonly StoredRecord[]
  }>
  /** Returns the number of records in a list. */
  readonly recordCount: (account: string, selection: RecordSelection) => Promise<number>
  /** The records numbered `from` … `to` in their list, newest first. */
  readonly records: (parameters: {
    /** Address of the account. */
    readonly account: string
    readonly selection: RecordSelection
    /** Number of the first record, included. */
    readonly from: number
    /** Number of the last record, included. */
    readonly to: number
  }) => Promise<readonly StoredRecord[]>
  /** Reads what a transaction or block changed, by account. */
  readonly recordsOfHash: (hash: string) => Promise<readonly RecordOfHash[]>

  /** Reads what an agent earned in macroblocks from a height on. */
  readonly agentFigures: (account: string, sinceHeight: number) => Promise<AgentFigures>
  /** Sums up the macroblocks from a height on. */
  readonly chainFigures: (sinceHeight: number) => Promise<ChainFigures>

  /** Of the heights `from` … `to`, newest first, with the number of their calculated transactions. */
  readonly keyBlocksBetween: (range: Heights) => Promise<readonly ListedKeyBlock[]>
  /** The copies with the highest status, the oldest first. */
  readonly transactionCopies: (hash: string) => Promise<readonly TransactionCopy[]>
  /** Reads the confirmed transactions of a macroblock. */
  readonly confirmedTransactionsAt: (height: number) => Promise<readonly BlockTransaction[]>
  /** In macroblocks whose key block is younger than the time, Unix seconds. */
  readonly transactionsSince: (time: number) => Promise<number>
  /** Mean packed difficulty of so many newest key blocks. */
  readonly meanDifficulty: (blocks: number) => Promise<number | undefined>

  /** By units descending; `withDelegated` adds what is at stake pools. */
  readonly richestAccounts: (parameters: {
    /** Token of the balances. */
    readonly tokenId: string
    /** Accounts that are passed over. */
    readonly offset: number
    /** Accounts at most. */
    readonly limit: number
    /** True to count what is at stake pools. */
    readonly withDelegated: boolean
  }) => Promise<readonly HolderBalance[]>
  /** Returns the number of accounts with a row of the token, and the sum of their units. */
  readonly holders: (tokenId: string) => Promise<{
    /** Accounts with a row of the token. */
    readonly count: number
    /** Sum of their units. */
    readonly units: bigint
  }>
  /** Counts the accounts of all tokens, each once. */
  readonly accountCount: () => Promise<number>
  /** Counts the accounts with a row, by token. */
  readonly holderCounts: () => Promise<ReadonlyMap<string, number>>
  /** Counts the accounts with at least so many units of a token. */
  readonly accountsHolding: (tokenId: string, least: bigint) => Promise<number>
  /** Addresses that published microblocks in the token since the height. */
  readonly tokenPublishers: (tokenId: string, sinceHeight: number) => Promise<readonly Address[]>
  /** Reads the balances of several accounts in one token; an account without a row is absent. */
  readonly balancesIn: (tokenId: string, accounts: readonly string[]) => Promise<ReadonlyMap<string, bigint>>

  /** Reads the stake pools, with their work from a height on. */
  readonly stakePools: (sinceHeight: number) => Promise<readonly StakePoolState[]>
  /** Reads the delegations of an account, by stake pool. */
  readonly delegationsOf: (account: string) => Promise<readonly AccountDelegation[]>
  /** Those with something at a pool, the largest amount first. */
  readonly delegatorsOf: (poolId: string) => Promise<readonly DelegatorTotal[]>
  /** Returns the amount of each account at all pools together, the largest first. */
  readonly topDelegators: (limit: number) => Promise<readonly DelegatorTotal[]>
  /** Not claimed ones, the largest first. */
  readonly undelegationsOf: (account: string) => Promise<readonly AccountUndelegation[]>

  /** One record of each type since the height, the newest. */
  readonly exampleRecords: (sinceHeight: number) => Promise<readonly ExampleRecord[]>
  /** An account that delegates, and one that undelegated and did not claim; undefined without such an account. */
  readonly exampleDelegators: () => Promise<{
    /** Address; undefined without such an account. */
    readonly delegator: string | undefined
    /** Address; undefined without such an account. */
    readonly undelegator: string | undefined
  }>
}
