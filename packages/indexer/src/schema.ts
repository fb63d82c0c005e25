/** Type of an array in SQL that holds the values of a column; the database makes the type of the column of it. */
export type ColumnKind = 'int' | 'numeric' | 'text' | 'boolean'

const [int, numeric, text, boolean] = ['int', 'numeric', 'text', 'boolean'] as const

/** Marks the kind of a column that can be null, for the types alone. */
type OrNull<Kind> = Kind & { readonly orNull: true }
const orNull = <Kind extends ColumnKind>(kind: Kind) => kind as OrNull<Kind>

/** Columns of the tables whose rows are written many at a time; TABLES.md describes them. */
export const columnKinds = {
  account: { id: int, address: text, height: int },
  block: {
    ...{ height: int, hash: text, next_hash: text, day: int, hour: int },
    /** Unix seconds. */
    time: numeric,
    ...{ microblocks: int, own_microblocks: int, is_proven: boolean },
  },
  microblock: {
    ...{ height: int, ordinal: int, token: int, account: int, agent: orNull(int), hash: text },
    stake: numeric,
  },
  reward: {
    ...{ height: int, ordinal: int, token: int, account: int, kind: int, microblock: int },
    ...{ amount: numeric, expected: orNull(numeric) },
  },
  transfer: {
    ...{ height: int, ordinal: int, token: int, sender: int, receiver: int, amount: numeric },
    ...{ fee: numeric, status: int, hash: text, data: text },
  },
  unexplained: {
    ...{ height: int, ordinal: int, token: int, account: int, subject: text },
    ...{ shown: orNull(numeric), computed: orNull(numeric) },
  },
  agent_change: { token: int, account: int, height: int, agent: orNull(int) },
  owner_balance: { token: int, day: int, height: int, amount: numeric },
  /** Heights after which a balance was below the minimum stake and had not been before, or the other way round. */
  stake_change: { token: int, account: int, height: int, is_below: boolean },
  token: {
    ...{ id: int, token_id: text, owner: int, symbol: text, caption: orNull(text), decimals: int },
    ...{ fee_type: int, fee_value: numeric, fee_minimum: numeric, max_supply: orNull(numeric) },
    ...{ block_reward: orNull(numeric), minimum_stake: orNull(numeric), referrer_stake: orNull(numeric) },
    ...{ referral_share_bps: orNull(int), created_height: int, total_supply: numeric },
  },
  holding: { token: int, account: int, amount: numeric },
  miner: {
    ...{ token: int, account: int, first_height: int, first_day: int, last_height: int, last_day: int },
    ...{ last_hour: int, active_days: int, microblocks: numeric, earned: numeric, agent: orNull(int) },
    agent_since: orNull(int),
    /** True if the balance is below the minimum stake. */
    is_below: boolean,
  },
  stake_band: { token: int, band: int, holders: int, miners: int },
  token_hour: {
    ...{ token: int, hour: int, active: int, microblocks: int, mined: numeric, referred: numeric },
    ...{ transfers: int, fees: numeric, rejected: int },
  },
  token_day: {
    ...{ token: int, day: int, active: int, new: int, returned: int, week_step: int, month_step: int },
    ...{ blocks: int, microblocks: int, mined: numeric, miner_half: numeric, agent_half: numeric },
    ...{ owner_part: numeric, lost: numeric, transfers: int, fees: numeric, rejected: int },
  },
  cohort: { token: int, active_week: int, week: int, miners: int },
  agent_day: {
    ...{ token: int, agent: int, day: int, microblocks: int, earned: numeric, lost: numeric },
    new_miners: int,
  },
  agent_total: {
    ...{ token: int, agent: int, miners: int, microblocks: numeric, earned: numeric, lost: numeric },
    ...{ first_day: int, last_day: int },
  },
}

/** Tables whose rows are written many at a time. */
export type WrittenTable = keyof typeof columnKinds

type ValueOf<Kind> =
  | (Kind extends 'int' ? number : Kind extends 'numeric' ? bigint : Kind extends 'text' ? string : boolean)
  | (Kind extends { readonly orNull: true } ? null : never)

type WrittenRows = {
  [Table in WrittenTable]: {
    [Column in keyof (typeof columnKinds)[Table]]: ValueOf<(typeof columnKinds)[Table][Column]>
  }
}

/** The rows of an index. Units and everything of 64 bits are read as bigint. */
export type Schema = WrittenRows & {
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
  undo: { height: number; seq: number; name: string; key: string; before: string | null }
}

/** State of the indexer: catching up, at the tip, waiting for an API that is behind or lies, or in need of a rebuild. */
export type IndexStatus = 'walking' | 'current' | 'behind' | 'api lies' | 'deep fork'
