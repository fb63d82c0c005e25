/** The rows of an index; TABLES.md describes them. Units and everything of 64 bits are read as bigint. */
export type Schema = {
  network: {
    id: number
    api_url: string
    origin_hash: string
    native_token_id: string
    /** Lowest height from which `stake_change` has every row; above 0 where a version that kept none indexed those below. */
    stake_changes_from: number
  }
  cursor: {
    id: number
    height: number
    hash: string
    /** The key block that commits to what the block holds; the hash alone says nothing of that. */
    next_hash: string
    /** The process that writes; null after a regular end, `migrated` after the tables were changed. */
    holder: string | null
    beat: bigint
    api_height: number
    /** Lowest height from which every block can be undone. */
    undo_from: number
    status: IndexStatus
    note: string | null
    seen_at: Date
  }
  block: {
    height: number
    hash: string
    next_hash: string
    /** Unix seconds. */
    time: bigint
    day: number
    hour: number
    microblocks: number
    own_microblocks: number
    is_proven: boolean
  }
  account: { id: number; address: string; height: number }
  token: {
    id: number
    token_id: string
    owner: number
    symbol: string
    caption: string | null
    decimals: number
    fee_type: number
    fee_value: bigint
    fee_minimum: bigint
    max_supply: bigint | null
    block_reward: bigint | null
    minimum_stake: bigint | null
    referrer_stake: bigint | null
    referral_share_bps: number | null
    created_height: number
    total_supply: bigint
  }
  owner_balance: { token: number; day: number; height: number; amount: bigint }
  microblock: {
    height: number
    ordinal: number
    token: number
    account: number
    agent: number | null
    hash: string
    stake: bigint
  }
  reward: {
    height: number
    ordinal: number
    token: number
    account: number
    kind: number
    microblock: number
    amount: bigint
    expected: bigint | null
  }
  transfer: {
    height: number
    ordinal: number
    token: number
    sender: number
    receiver: number
    amount: bigint
    fee: bigint
    status: number
    hash: string
    data: string
  }
  unexplained: {
    height: number
    ordinal: number
    token: number
    account: number
    subject: string
    shown: bigint | null
    computed: bigint | null
  }
  agent_change: { token: number; account: number; height: number; agent: number | null }
  /** Heights after which a balance was below the minimum stake and had not been before, or the other way round. */
  stake_change: { token: number; account: number; height: number; is_below: boolean }
  holding: { token: number; account: number; amount: bigint }
  miner: {
    token: number
    account: number
    first_height: number
    first_day: number
    last_height: number
    last_day: number
    last_hour: number
    active_days: number
    microblocks: bigint
    earned: bigint
    agent: number | null
    agent_since: number | null
    /** True if the balance is below the minimum stake. */
    is_below: boolean
  }
  stake_band: { token: number; band: number; holders: number; miners: number }
  token_hour: {
    token: number
    hour: number
    active: number
    microblocks: number
    mined: bigint
    referred: bigint
    transfers: number
    fees: bigint
    rejected: number
  }
  token_day: {
    token: number
    day: number
    active: number
    new: number
    returned: number
    week_step: number
    month_step: number
    blocks: number
    microblocks: number
    mined: bigint
    miner_half: bigint
    agent_half: bigint
    owner_part: bigint
    lost: bigint
    transfers: number
    fees: bigint
    rejected: number
  }
  cohort: { token: number; active_week: number; week: number; miners: number }
  agent_day: {
    token: number
    agent: number
    day: number
    microblocks: number
    earned: bigint
    lost: bigint
    new_miners: number
  }
  agent_total: {
    token: number
    agent: number
    miners: number
    microblocks: bigint
    earned: bigint
    lost: bigint
    first_day: number
    last_day: number
  }
  undo: { height: number; seq: number; name: string; key: string; before: string | null }
}

/** State of the indexer: catching up, at the tip, waiting for an API that is behind or lies, or in need of a rebuild. */
export type IndexStatus = 'walking' | 'current' | 'behind' | 'api lies' | 'deep fork'
