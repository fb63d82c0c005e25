import type { PGlite } from '@electric-sql/pglite'

/**
 * Facts of one token, in plain PostgreSQL. Amounts are whole units; times are Unix seconds; a day is a chain day: the UTC
 * day of the key block, which never goes back. Every row has the height by which a reorganisation removes it.
 */
export const TABLES = `
create table if not exists block (
  height integer primary key,
  hash text not null,
  link text not null,
  closed_by text not null,
  time integer not null,
  day integer not null
);
create table if not exists microblock (
  hash text primary key,
  height integer not null,
  account text not null,
  agent text,
  stake numeric not null,
  total_stake numeric not null,
  stated_reward numeric
);
create index if not exists microblock_account on microblock (account, height);
create table if not exists reward (
  microblock text not null,
  kind text not null,
  height integer not null,
  account text not null,
  amount numeric not null,
  primary key (microblock, kind)
);
create index if not exists reward_account on reward (account, height);
create table if not exists transfer (
  hash text not null,
  height integer not null,
  ordinal integer not null,
  sender text not null,
  receiver text not null,
  amount numeric not null,
  fee numeric not null,
  status text not null,
  primary key (height, ordinal)
);
create index if not exists transfer_receiver on transfer (receiver, height);
create index if not exists transfer_sender on transfer (sender, height);
create table if not exists holding (
  account text primary key,
  amount numeric not null
);
create table if not exists miner (
  account text primary key,
  first_day integer not null,
  last_day integer not null,
  last_height integer not null,
  microblocks integer not null,
  earned numeric not null,
  agent text
);
create index if not exists miner_earned on miner (earned, account);
create index if not exists miner_last on miner (last_height, account);
create index if not exists miner_microblocks on miner (microblocks, account);
create table if not exists label (
  account text primary key,
  text text not null,
  kind text not null
);
`

/** Kinds of a reward: the publisher's own, the two halves for an agent, the owner's part, the odd unit. */
export type RewardKind = 'own' | 'miner_half' | 'agent_half' | 'owner_part' | 'dust'

/** Creates what is not there yet. */
export async function createTables(database: PGlite): Promise<void> {
  await database.exec(TABLES)
}
