/**
 * The schema, step by step; only ever appended to. Plain PostgreSQL, so that the embedded engine and a server
 * take the same text. Units of 64 bits are `numeric(20, 0)`: no integer type of PostgreSQL holds 2^64-1.
 */
export const migrations: readonly { readonly version: number; readonly statements: string }[] = [
  {
    version: 1,
    statements: `
create table chain_parameter (
  name text primary key,
  value text not null
);

create table token (
  id text primary key,
  owner text not null,
  fee_type integer not null,
  fee_value numeric(20, 0) not null,
  fee_minimum numeric(20, 0) not null,
  symbol text not null,
  caption text,
  decimals integer not null,
  total_supply numeric(20, 0) not null,
  is_reissuable boolean not null,
  max_supply numeric(20, 0),
  block_reward numeric(20, 0),
  minimum_stake numeric(20, 0),
  referrer_stake numeric(20, 0),
  referral_share_bps integer,
  transfer_count bigint not null default 0
);

create table balance (
  account text not null,
  token_id text not null,
  amount numeric(20, 0) not null,
  primary key (account, token_id)
);

create table stake_pool (
  id text primary key,
  owner text not null,
  fee_bps integer not null,
  name text not null
);

create table delegation (
  pool_id text not null,
  delegator text not null,
  amount numeric(20, 0) not null,
  reward numeric(20, 0) not null,
  primary key (pool_id, delegator)
);
create index delegation_delegator on delegation (delegator);

create table undelegation (
  id text primary key,
  pool_id text not null,
  delegator text not null,
  amount numeric(20, 0) not null,
  height integer not null,
  is_claimed boolean not null
);
create index undelegation_delegator on undelegation (delegator);

create table key_block (
  height integer primary key,
  hash text not null,
  time bigint not null,
  publisher text not null,
  nonce bigint not null,
  link text not null,
  sprout text not null,
  merkle_root text not null,
  target_difficulty bigint not null,
  reward numeric(20, 0)
);
create unique index key_block_hash on key_block (lower(hash));

create table microblock (
  hash text primary key,
  height integer not null,
  publisher text not null,
  nonce bigint not null,
  token_id text not null,
  referral_agent text,
  signature text not null,
  reward numeric(20, 0) not null,
  transaction_count integer not null
);
create index microblock_height on microblock (height);
create index microblock_referral_agent on microblock (referral_agent, height) where referral_agent is not null;

create table stat_block (
  hash text primary key,
  height integer not null,
  publisher text not null,
  bulletin text not null,
  signature text not null,
  reward numeric(20, 0) not null
);
create index stat_block_height on stat_block (height);

create table block_transaction (
  microblock_hash text not null,
  position integer not null,
  hash text not null,
  sender text not null,
  receiver text not null,
  amount numeric(20, 0) not null,
  nonce bigint not null,
  token_id text not null,
  data text not null,
  signature text not null,
  status smallint not null,
  primary key (microblock_hash, position)
);
create index block_transaction_hash on block_transaction (hash, status);

create table account_record (
  account text not null,
  number integer not null,
  kind_number integer not null,
  type_number integer not null,
  is_reward boolean not null,
  record_type text not null,
  hash text not null,
  value numeric(20, 0) not null,
  height integer not null,
  primary key (account, number)
);
create unique index account_record_kind on account_record (account, is_reward, kind_number);
create unique index account_record_type on account_record (account, record_type, type_number);
create index account_record_hash on account_record (hash);

create table record_count (
  account text not null,
  list text not null,
  count integer not null,
  primary key (account, list)
);
`,
  },
  {
    version: 2,
    statements: `
create index balance_token on balance (token_id, amount desc);
`,
  },
]
