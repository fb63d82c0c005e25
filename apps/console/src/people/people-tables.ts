import type { Migration } from '@hailstone/database'
import type { Index } from '@hailstone/indexer'
import type { Generated, Kysely } from 'kysely'
import { openOwnTables } from '../own-tables.ts'
import type { Role } from './roles.ts'

export type PeopleTables = {
  person: {
    id: Generated<number>
    name: string
    /** The name as it is looked for: capitals do not matter. */
    name_key: string
    role: Role
    /** Hash with its parameters, as `$scrypt$ln=17,r=8,p=1$salt$hash`. */
    password: string
    totp_secret: Buffer | Uint8Array | null
    /** Secret that is not in use before one code of it was given. */
    totp_pending: Buffer | Uint8Array | null
    /** Step of 30 s of the newest code that was taken; older ones are not taken. */
    totp_step: number
    created_at: Date
    /** Issuer and subject of the account at a provider of OpenID Connect. */
    subject: string | null
  }
  session: {
    id: Generated<number>
    hash: Buffer | Uint8Array
    person: number
    since: Date
    last_at: Date
    until: Date
  }
  api_token: {
    id: Generated<number>
    hash: Buffer | Uint8Array
    label: string
    role: Role
    created_by: number
    created_at: Date
    expires_at: Date
    last_at: Date | null
  }
  /** Tries that count for one limit of sign-in. */
  sign_in_try: {
    key: Buffer | Uint8Array
    /** Tries within the window. */
    most: number
    /** The newest ones, at most as many, in their order. */
    times: Date[]
  }
  audit: {
    id: Generated<number>
    at: Date
    /** Name of the person; null for a command and for the console before it has people. */
    person: string | null
    action: string
    subject: string | null
    /** Strangers can cause entries about sign-ins, and people alone those about changes. */
    kind: AuditKind
  }
}

export type AuditKind = 'sign-in' | 'change'

export type PeopleQueries = Kysely<PeopleTables>

/** The steps of the schema; only ever appended to. */
const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: `
create table hailstone_console.person (
  id integer generated always as identity primary key,
  name text not null,
  name_key text not null unique,
  role text not null,
  password text not null,
  totp_secret bytea,
  totp_pending bytea,
  totp_step integer not null default 0,
  created_at timestamptz not null
);
create table hailstone_console.session (
  id integer generated always as identity primary key,
  hash bytea not null unique,
  person integer not null references hailstone_console.person on delete cascade,
  since timestamptz not null,
  last_at timestamptz not null
);
create index session_person on hailstone_console.session (person);
create table hailstone_console.api_token (
  id integer generated always as identity primary key,
  hash bytea not null unique,
  label text not null,
  role text not null,
  created_by integer not null references hailstone_console.person on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_at timestamptz
);
create table hailstone_console.audit (
  id integer generated always as identity primary key,
  at timestamptz not null,
  person text,
  action text not null,
  subject text
)`,
  },
  {
    version: 2,
    statements: `
alter table hailstone_console.audit add column kind text not null default 'change';
update hailstone_console.audit set kind = 'sign-in' where action = 'signed in' or action like 'sign-in refused%';
create index audit_kind on hailstone_console.audit (kind, id)`,
  },
  {
    version: 3,
    statements: `
create table hailstone_console.sign_in_try (
  key bytea primary key,
  most integer not null,
  times timestamptz[] not null
)`,
  },
  { version: 4, statements: 'alter table hailstone_console.person add column subject text unique' },
  {
    version: 5,
    statements: `
alter table hailstone_console.session add column until timestamptz;
update hailstone_console.session set until = since + interval '7 days';
alter table hailstone_console.session alter column until set not null`,
  },
]

/** Creates the tables of people beside an index and returns their queries. */
export const openPeopleTables = (index: Pick<Index, 'queries'>): Promise<PeopleQueries> =>
  openOwnTables(index, { subject: 'people', migrations })
