import type { Migration } from '@hailstone/database'

/** Heights in one partition of the large tables: 43 days of the main network. */
export const PARTITION_HEIGHTS = 250_000

/** Tables that grow with each block, and are divided by height. */
export const partitionedTables = ['microblock', 'reward', 'transfer'] as const

/**
 * The schema, step by step; only ever appended to. Plain PostgreSQL 12, so that the embedded engine and a server take
 * the same text. TABLES.md says what each column holds.
 */
const steps: readonly Migration[] = [
  {
    version: 1,
    statements: `
create table network (
  id smallint primary key,
  api_url text not null,
  origin_hash text not null,
  native_token_id text not null
);

create table cursor (
  id smallint primary key,
  height integer not null,
  hash text not null,
  next_hash text not null,
  holder text,
  beat bigint not null,
  api_height integer not null,
  undo_from integer not null,
  status text not null,
  note text,
  seen_at timestamptz not null
);

create table block (
  height integer primary key,
  hash text not null,
  next_hash text not null,
  time bigint not null,
  day integer not null,
  hour integer not null,
  microblocks integer not null,
  own_microblocks integer not null,
  is_proven boolean not null
);
create index block_day on block (day, height);

create table account (
  id integer primary key,
  address text not null unique,
  height integer not null
);

create table token (
  id integer primary key,
  token_id text not null unique,
  owner integer not null,
  symbol text not null,
  caption text,
  decimals integer not null,
  fee_type smallint not null,
  fee_value numeric(20, 0) not null,
  fee_minimum numeric(20, 0) not null,
  max_supply numeric(20, 0),
  block_reward numeric(20, 0),
  minimum_stake numeric(20, 0),
  referrer_stake numeric(20, 0),
  referral_share_bps integer,
  created_height integer not null,
  total_supply numeric(20, 0) not null
);

create table owner_balance (
  token integer not null,
  day integer not null,
  height integer not null,
  amount numeric(20, 0) not null,
  primary key (token, day)
);

create table microblock (
  height integer not null,
  ordinal integer not null,
  token integer not null,
  account integer not null,
  agent integer,
  hash text not null,
  stake numeric(20, 0) not null,
  primary key (height, ordinal)
) partition by range (height);
create index microblock_account on microblock (account, height);

create table reward (
  height integer not null,
  ordinal integer not null,
  token integer not null,
  account integer not null,
  kind smallint not null,
  microblock smallint not null,
  amount numeric(20, 0) not null,
  expected numeric(20, 0),
  primary key (height, ordinal)
) partition by range (height);
create index reward_account on reward (account, height);

create table transfer (
  height integer not null,
  ordinal integer not null,
  token integer not null,
  sender integer not null,
  receiver integer not null,
  amount numeric(20, 0) not null,
  fee numeric(20, 0) not null,
  status smallint not null,
  hash text not null,
  data text not null,
  primary key (height, ordinal)
) partition by range (height);
create index transfer_sender on transfer (sender, height);
create index transfer_receiver on transfer (receiver, height);
create index transfer_hash on transfer (hash);

create table unexplained (
  height integer not null,
  ordinal integer not null,
  token integer not null,
  account integer not null,
  subject text not null,
  shown numeric(20, 0),
  computed numeric(20, 0),
  primary key (height, ordinal)
);

create table agent_change (
  token integer not null,
  account integer not null,
  height integer not null,
  agent integer,
  primary key (token, account, height)
);
create index agent_change_height on agent_change (height);

create table holding (
  token integer not null,
  account integer not null,
  amount numeric(20, 0) not null,
  primary key (token, account)
);
create index holding_amount on holding (token, amount desc, account);

create table miner (
  token integer not null,
  account integer not null,
  first_height integer not null,
  first_day integer not null,
  last_height integer not null,
  last_day integer not null,
  last_hour integer not null,
  active_days integer not null,
  microblocks bigint not null,
  earned numeric(40, 0) not null,
  agent integer,
  agent_since integer,
  primary key (token, account)
);
create index miner_last on miner (token, last_height desc, account);
create index miner_first on miner (token, first_height desc, account);
create index miner_earned on miner (token, earned desc, account);
create index miner_microblocks on miner (token, microblocks desc, account);
create index miner_agent on miner (token, agent, account) where agent is not null;

create table stake_band (
  token integer not null,
  band smallint not null,
  holders integer not null,
  miners integer not null,
  primary key (token, band)
);

create table token_hour (
  token integer not null,
  hour integer not null,
  active integer not null,
  microblocks integer not null,
  mined numeric(40, 0) not null,
  referred numeric(40, 0) not null,
  transfers integer not null,
  fees numeric(40, 0) not null,
  rejected integer not null,
  primary key (token, hour)
);

create table token_day (
  token integer not null,
  day integer not null,
  active integer not null,
  new integer not null,
  returned integer not null,
  week_step integer not null,
  month_step integer not null,
  blocks integer not null,
  microblocks integer not null,
  mined numeric(40, 0) not null,
  miner_half numeric(40, 0) not null,
  agent_half numeric(40, 0) not null,
  owner_part numeric(40, 0) not null,
  lost numeric(40, 0) not null,
  transfers integer not null,
  fees numeric(40, 0) not null,
  rejected integer not null,
  primary key (token, day)
);

create table cohort (
  token integer not null,
  active_week integer not null,
  week integer not null,
  miners integer not null,
  primary key (token, active_week, week)
);

create table agent_day (
  token integer not null,
  agent integer not null,
  day integer not null,
  microblocks integer not null,
  earned numeric(40, 0) not null,
  lost numeric(40, 0) not null,
  new_miners integer not null,
  primary key (token, agent, day)
);
create index agent_day_day on agent_day (token, day);

create table agent_total (
  token integer not null,
  agent integer not null,
  miners integer not null,
  microblocks bigint not null,
  earned numeric(40, 0) not null,
  lost numeric(40, 0) not null,
  first_day integer not null,
  last_day integer not null,
  primary key (token, agent)
);
create index agent_total_earned on agent_total (token, earned desc, agent);
create index agent_total_microblocks on agent_total (token, microblocks desc, agent);

create table undo (
  height integer not null,
  seq integer not null,
  name text not null,
  key text not null,
  before text,
  primary key (height, seq)
);

create view cursor_v1 as
  select cursor.height, cursor.hash, block.time, block.day, cursor.api_height, cursor.status, cursor.note, cursor.seen_at
    from cursor left join block on block.height = cursor.height;

create view token_v1 as
  select token.token_id, token.symbol, token.caption, token.decimals, owner.address as owner,
      token.fee_type, token.fee_value, token.fee_minimum, token.max_supply, token.block_reward, token.minimum_stake,
      token.referrer_stake, token.referral_share_bps, token.created_height, token.total_supply
    from token join account as owner on owner.id = token.owner;

create view miner_v1 as
  select token.token_id, account.address, miner.first_height, miner.first_day, miner.last_height, miner.last_day,
      miner.last_hour, miner.active_days, miner.microblocks, miner.earned, agent.address as agent, miner.agent_since,
      holding.amount as balance
    from miner
    join token on token.id = miner.token
    join account on account.id = miner.account
    left join account as agent on agent.id = miner.agent
    left join holding on holding.token = miner.token and holding.account = miner.account;

create view holding_v1 as
  select token.token_id, account.address, holding.amount
    from holding join token on token.id = holding.token join account on account.id = holding.account;

create view microblock_v1 as
  select token.token_id, microblock.height, block.time, microblock.hash, account.address as publisher,
      agent.address as agent, microblock.stake
    from microblock
    join block on block.height = microblock.height
    join token on token.id = microblock.token
    join account on account.id = microblock.account
    left join account as agent on agent.id = microblock.agent;

create view reward_v1 as
  select token.token_id, reward.height, block.time, account.address,
      (array['own', 'miner half', 'agent half', 'owner part', 'odd unit'])[reward.kind] as kind,
      reward.amount, coalesce(reward.expected, reward.amount) as expected
    from reward
    join block on block.height = reward.height
    join token on token.id = reward.token
    join account on account.id = reward.account;

create view transfer_v1 as
  select token.token_id, transfer.height, block.time, transfer.hash, sender.address as sender,
      receiver.address as receiver, transfer.amount, transfer.fee,
      (array['duplicate', 'rejected', 'confirmed'])[transfer.status] as status, transfer.data
    from transfer
    join block on block.height = transfer.height
    join token on token.id = transfer.token
    join account as sender on sender.id = transfer.sender
    join account as receiver on receiver.id = transfer.receiver;

create view stake_band_v1 as
  select token.token_id, stake_band.band, stake_band.holders, stake_band.miners
    from stake_band join token on token.id = stake_band.token;

create view hour_v1 as
  select token.token_id, to_timestamp(token_hour.hour * 3600.0) as hour, token_hour.active, token_hour.microblocks,
      token_hour.mined, token_hour.referred, token_hour.transfers, token_hour.fees, token_hour.rejected
    from token_hour join token on token.id = token_hour.token;

create view day_v1 as
  select token.token_id, date '1970-01-01' + token_day.day as day, token_day.active, token_day.new, token_day.returned,
      sum(token_day.week_step) over days as active_7_days, sum(token_day.month_step) over days as active_30_days,
      token_day.new + token_day.returned - token_day.month_step as churned, token_day.blocks, token_day.microblocks,
      token_day.mined, token_day.miner_half + token_day.agent_half + token_day.owner_part as referred,
      token_day.miner_half, token_day.agent_half, token_day.owner_part, token_day.lost, token_day.transfers, token_day.fees, token_day.rejected
    from token_day join token on token.id = token_day.token
    window days as (partition by token_day.token order by token_day.day);

create view cohort_v1 as
  select token.token_id, date '1969-12-29' + 7 * cohort.week as week, cohort.active_week - cohort.week as age,
      cohort.miners
    from cohort join token on token.id = cohort.token;

create view agent_v1 as
  select token.token_id, account.address as agent, agent_total.miners, agent_total.microblocks, agent_total.earned,
      agent_total.lost, agent_total.first_day, agent_total.last_day
    from agent_total
    join token on token.id = agent_total.token
    join account on account.id = agent_total.agent;

create view agent_day_v1 as
  select token.token_id, account.address as agent, date '1970-01-01' + agent_day.day as day, agent_day.microblocks,
      agent_day.earned, agent_day.lost, agent_day.new_miners
    from agent_day
    join token on token.id = agent_day.token
    join account on account.id = agent_day.agent;

create view unexplained_v1 as
  select token.token_id, unexplained.height, block.time, account.address, unexplained.subject, unexplained.shown,
      unexplained.computed
    from unexplained
    left join block on block.height = unexplained.height
    join token on token.id = unexplained.token
    join account on account.id = unexplained.account
`,
  },
  {
    version: 2,
    // Rows of the undo have no such column: what is older than this step cannot be undone any more.
    statements: `
alter table miner add column is_below boolean not null default false;
update miner set is_below = true from token
  where token.id = miner.token and coalesce((select holding.amount from holding
    where holding.token = miner.token and holding.account = miner.account), 0) < token.minimum_stake;
create index miner_below on miner (token, last_height desc, account) where is_below;
delete from undo;
update cursor set undo_from = height + 1
`,
  },
  {
    version: 3,
    // Blocks that are indexed already are not walked again: their changes stay unknown, which explanations say.
    statements: `
create table stake_change (
  token integer not null,
  account integer not null,
  height integer not null,
  is_below boolean not null,
  primary key (token, account, height)
);
create index stake_change_height on stake_change (height);
alter table network add column stake_changes_from integer not null default 0;
update network set stake_changes_from = coalesce((select max(height) + 1 from block), 0)
`,
  },
  {
    version: 4,
    statements: 'create index cohort_week on cohort (token, week, active_week)',
  },
]

/** Holder of the cursor after a migration, until a process of the new version claims it. */
export const MIGRATED = 'migrated'

/**
 * Returns a step that takes the cursor away from the current writer before it changes a table. A writer of an older
 * version would otherwise go on writing rows of the old form. It stops at its next statement.
 */
export const fenced = ({ version, statements }: Migration): Migration =>
  version === 1
    ? { version, statements }
    : { version, statements: `update cursor set holder = '${MIGRATED}', beat = beat + 1;${statements}` }

/** The steps of the schema. Each ends the current writer. */
export const migrations: readonly Migration[] = steps.map(fenced)
