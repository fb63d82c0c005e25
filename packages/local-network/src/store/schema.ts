import type { Generated } from 'kysely'

/** The rows of the database; units and everything of 64 bits are read as bigint. */
export type Schema = {
  chain_parameter: { name: string; value: string }
  token: {
    id: string
    owner: string
    fee_type: number
    fee_value: bigint
    fee_minimum: bigint
    symbol: string
    caption: string | null
    decimals: number
    total_supply: bigint
    is_reissuable: boolean
    max_supply: bigint | null
    block_reward: bigint | null
    minimum_stake: bigint | null
    referrer_stake: bigint | null
    referral_share_bps: number | null
    transfer_count: Generated<bigint>
  }
  balance: {
    account: string
    token_id: string
    amount: bigint
    /** Height of the macroblock that changed it last; null since the genesis, or since the chain went back. */
    changed_at: number | null
    /** Amount before that change; null if there was no row. */
    amount_before: bigint | null
    /** Height of the change before that one. */
    changed_before: number | null
  }
  stake_pool: { id: string; owner: string; fee_bps: number; name: string }
  delegation: { pool_id: string; delegator: string; amount: bigint; reward: bigint }
  undelegation: {
    id: string
    pool_id: string
    delegator: string
    amount: bigint
    height: number
    is_claimed: boolean
  }
  key_block: {
    height: number
    hash: string
    /** Unix seconds. */
    time: bigint
    publisher: string
    nonce: bigint
    link: string
    sprout: string
    merkle_root: string
    target_difficulty: bigint
    /** Null while the block is open. */
    reward: bigint | null
  }
  microblock: {
    hash: string
    /** Of the key block it extends. */
    height: number
    publisher: string
    nonce: bigint
    token_id: string
    referral_agent: string | null
    signature: string
    reward: bigint
    transaction_count: number
  }
  stat_block: {
    hash: string
    height: number
    publisher: string
    bulletin: string
    signature: string
    reward: bigint
  }
  /** One hash can stand in several microblocks, with different statuses. */
  block_transaction: {
    microblock_hash: string
    /** In the order of the hashes. */
    position: number
    hash: string
    sender: string
    receiver: string
    amount: bigint
    nonce: bigint
    token_id: string
    data: string
    signature: string
    /** 1 duplicate, 2 rejected, 3 confirmed. */
    status: number
  }
  account_record: {
    account: string
    number: number
    kind_number: number
    type_number: number
    is_reward: boolean
    record_type: string
    hash: string
    value: bigint
    height: number
  }
  /** Number of records in each list of an account; the next ones are numbered from it. */
  record_count: { account: string; list: string; count: number }
  /** Sums over the whole chain, kept so that nobody has to count it. */
  chain_total: { name: string; units: bigint }
  /** Native units paid by all macroblocks up to the height; those of any stretch are the difference of two rows. */
  reward_total: { height: number; miners: bigint; key_blocks: bigint; stake_pools: bigint }
  /** The pool of waiting transactions, where several processes share it. */
  pool_transaction: {
    hash: string
    number: Generated<bigint>
    /** In whose quota it counts. */
    sender: string
    content: string
    posted_at: Generated<Date>
  }
  /** Number of transactions that a sender has in that pool; no row for none. */
  pool_sender: { sender: string; waiting: number }
  /** One row: which of several processes closes macroblocks. */
  leadership: {
    id: number
    /** Grows with each change of the leader. */
    term: bigint
    /** Made anew for each claim; what is written under another term or holder is refused. */
    holder: string
    /** Grows with each renewal. */
    beat: bigint
    /** The leader's address for gateways of other processes, `host:port`. */
    relay: string | null
    /** Opens that address, made anew for each lead. */
    secret: string | null
    /** Unused; older versions read it. */
    expires_at: Date
    miners_version: bigint
    /** JSON of the miners that are connected to the leader. */
    miners: string
  }
}
