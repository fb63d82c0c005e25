import type { PGlite, Transaction } from '@electric-sql/pglite'
import {
  type ClientCore,
  getHeight,
  getKeyBlockHeight,
  getMacroblock,
  getMicroblockHeader,
  getTransaction,
  type WalkChainParameters,
  type WalkedMacroblock,
  walkChain,
} from '@hailstone/client'
import {
  type Address,
  type Hash,
  type KeyBlock,
  merkleRoot,
  readContract,
  type Token,
  type TokenId,
} from '@hailstone/protocol'
import { createTokenLedger, type TokenFacts, type TokenLedger } from './token-ledger.ts'

/** State of the copy of the chain, which every answer carries. */
export type ChainStatus = {
  /** Newest macroblock in the tables; null before the first. */
  readonly height: number | null
  /** Unix seconds of its key block. */
  readonly time: number | null
  /** `behind`: the API has a lower height than the tables, which stay as they are. */
  readonly state: 'starting' | 'following' | 'behind' | 'failing'
  /** Sentence about the last failure. */
  readonly failure: string | null
  readonly reorganisations: number
}

export type ChainFollower = {
  readonly token: Token
  readonly status: () => ChainStatus
  /** Reads what is new; the tables change by whole macroblocks. Resolves with their number. */
  readonly catchUp: (signal?: AbortSignal) => Promise<number>
}

/** True if a key block follows a macroblock and commits to exactly its blocks. */
const isClosedBy = (
  { keyBlock, microblocks, statBlocks }: WalkedMacroblock,
  next: Pick<KeyBlock, 'link' | 'merkleRoot'>,
): boolean => {
  const microblockHashes = microblocks.map(({ header }) => header.hash)
  const statBlockHashes = statBlocks.map(({ hash }) => hash)
  return next.link === keyBlock.hash && next.merkleRoot === merkleRoot({ microblockHashes, statBlockHashes })
}

/** Macroblocks of one transaction while there are many. */
const BATCH = 100

/**
 * Reads the creation of a token, from which its rules and its first supply are known.
 *
 * @throws {Error} for a token that has no creation on the chain
 */
async function readCreation(client: ClientCore, tokenId: TokenId): Promise<{ token: Token; height: number }> {
  const creation = await getTransaction(client, { hash: tokenId as string as Hash })
  const reading = creation === undefined ? undefined : readContract(creation.data)
  const order = reading?.kind === 'contract' ? reading.order : null
  if (creation === undefined || order?.type !== 'create_token' || creation.status !== 'confirmed')
    throw new Error(`The network knows no confirmed transaction that creates the token ${tokenId}.`)
  const height = await heightOf(client, creation.microblockHash)
  return { token: { ...order.token, id: tokenId, owner: creation.from }, height }
}

async function heightOf(client: ClientCore, microblockHash: Hash): Promise<number> {
  const header = await getMicroblockHeader(client, { hash: microblockHash })
  const height = header && (await getKeyBlockHeight(client, { hash: header.keyBlockHash }))
  if (height === undefined) throw new Error(`The network does not show the microblock ${microblockHash}.`)
  return height
}

/** Opens the tables' copy of a token's chain. Nothing is read before `catchUp`. */
export async function createChainFollower(
  client: ClientCore,
  { database, tokenId }: { readonly database: PGlite; readonly tokenId: TokenId },
): Promise<ChainFollower> {
  const { token, height: birth } = await readCreation(client, tokenId)
  let ledger = await loadLedger(database, token)
  let [tip, state, failure, reorganisations] = [
    await tipOf(database),
    'starting' as ChainStatus['state'],
    null as string | null,
    0,
  ]

  /**
   * Removes macroblocks that are not on the chain any more, once the chain has grown past them. A macroblock is the same
   * while the key block that closes it is: that one commits to all of it.
   */
  async function goBack(signal: AbortSignal | undefined): Promise<void> {
    if (tip === null) return
    let height = tip.height
    for (; height >= birth; height--) {
      const [stored] = await rowsOf<Block>(database, 'select closed_by from block where height = $1', [
        height,
      ])
      const found = await getMacroblock(client, { height: height + 1, signal })
      if (stored === undefined || found?.keyBlock.hash === stored.closed_by) break
    }
    if (height === tip.height) return
    await database.transaction((transaction) =>
      removeAbove(transaction, { height, birth, owner: token.owner }),
    )
    ledger = await loadLedger(database, token)
    tip = await tipOf(database)
    reorganisations++
  }

  async function walk(signal: AbortSignal | undefined): Promise<number> {
    const height = await getHeight(client, { signal })
    if (tip !== null && height <= tip.height) {
      state = 'behind'
      return 0
    }
    await goBack(signal)
    let read = 0
    let batch: Entry[] = []
    const store = async (): Promise<void> => {
      const entries = batch
      batch = []
      if (entries.length > 0) await database.transaction((transaction) => writeBatch(transaction, entries))
      tip = entries.at(-1)?.block ?? tip
      read += entries.length
    }
    const take = (macroblock: WalkedMacroblock, closedBy: Hash): void => {
      const { height: at, hash, link, time } = macroblock.keyBlock
      const day = Math.max((batch.at(-1)?.block ?? tip)?.day ?? 0, Math.floor(time / 86_400))
      const block = { ...{ height: at, hash, link, time, day }, closed_by: closedBy }
      batch.push({ block, facts: ledger.calculate(macroblock) })
    }
    const fromHeight = (tip?.height ?? birth - 1) + 1
    let held: WalkedMacroblock | undefined
    for await (const macroblock of walkChain(client, { fromHeight, after: tip ?? undefined, signal })) {
      if (held !== undefined) take(held, macroblock.keyBlock.hash)
      held = macroblock
      if (batch.length === BATCH) await store()
    }
    const above = held && (await getMacroblock(client, { height: held.keyBlock.height + 1, signal }))
    // The chain may have gone back since; then the next walk reads it again.
    if (held !== undefined && above !== undefined && isClosedBy(held, above.keyBlock))
      take(held, above.keyBlock.hash)
    await store()
    state = 'following'
    failure = null
    return read
  }

  return {
    token,
    status: () => ({ height: tip?.height ?? null, time: tip?.time ?? null, state, failure, reorganisations }),
    async catchUp(signal) {
      try {
        return await walk(signal)
      } catch (error) {
        // The ledger may be ahead of the tables, which hold whole macroblocks alone.
        ledger = await loadLedger(database, token)
        state = 'failing'
        failure = error instanceof Error ? error.message : String(error)
        throw error
      }
    },
  }
}

type Block = NonNullable<WalkChainParameters['after']> & {
  readonly height: number
  readonly time: number
  readonly day: number
  readonly closed_by: string
}
type Entry = { readonly block: Block; readonly facts: TokenFacts }
type Querier = Pick<Transaction, 'query'>

const rowsOf = async <Row>(
  database: Querier,
  text: string,
  values: unknown[] = [],
): Promise<readonly Row[]> => (await database.query<Row>(text, values)).rows

async function tipOf(database: Querier): Promise<Block | null> {
  const [tip] = await rowsOf<Block>(
    database,
    'select height, hash, link, time, day, closed_by from block order by height desc limit 1',
  )
  return tip ?? null
}

async function loadLedger(database: Querier, token: Token): Promise<TokenLedger> {
  const rows = await rowsOf<{ account: Address; amount: string }>(
    database,
    'select account, amount::text from holding',
  )
  const [paid] = await rowsOf<{ sum: string }>(
    database,
    `select coalesce(sum(amount), 0)::text as sum from reward where kind <> 'dust'`,
  )
  const isBorn = rows.length > 0
  const supply = isBorn ? token.totalSupply + BigInt(paid?.sum ?? 0) : 0n
  return createTokenLedger(token, { supply, holdings: rows.map((row) => [row.account, BigInt(row.amount)]) })
}

/** Balances before a height follow from what is left: the first supply, transfers and rewards. */
async function removeAbove(
  transaction: Transaction,
  { height, birth, owner }: { readonly height: number; readonly birth: number; readonly owner: Address },
): Promise<void> {
  const moved = await rowsOf<{ account: string; amount: string }>(
    transaction,
    `select account, sum(amount)::text as amount from (${movements(2)}) m where height > $1 group by account`,
    [height, owner],
  )
  for (const { account, amount } of moved)
    await transaction.query('update holding set amount = amount - $2::numeric where account = $1', [
      account,
      amount,
    ])
  for (const table of ['block', 'microblock', 'reward', 'transfer'])
    await transaction.query(`delete from ${table} where height > $1`, [height])
  // No row and a row of nothing are not the same: agents without a row change the halves of a reward.
  await transaction.query(
    `delete from holding h where amount = 0 and not exists (select 1 from (${movements(1)}) m where m.account = h.account)`,
    [owner],
  )
  if (height < birth) await transaction.query('delete from holding')
  await transaction.query('delete from miner')
  await transaction.query(MINERS, [-1])
}

/** Every change of a balance after the creation. @param owner number of the parameter with the owner, who gets the fees */
const movements = (owner: number): string => `
  select height, sender as account, -amount as amount from transfer where status = 'confirmed'
  union all select height, receiver, amount - fee from transfer where status = 'confirmed'
  union all select height, $${owner}, fee from transfer where status = 'confirmed'
  union all select height, account, amount from reward`

/** Rows of those who mined above a height, from the facts. */
const MINERS = `
  insert into miner (account, first_day, last_day, last_height, microblocks, earned, agent)
  select m.account, min(b.day), max(b.day), max(m.height), count(*),
    coalesce((select sum(r.amount) from reward r where r.account = m.account and r.kind in ('own', 'miner_half')), 0),
    (select n.agent from microblock n where n.account = m.account order by n.height desc, n.hash desc limit 1)
  from microblock m join block b on b.height = m.height
  where m.account in (select account from microblock where height > $1)
  group by m.account
  on conflict (account) do update set last_day = excluded.last_day, last_height = excluded.last_height,
    microblocks = excluded.microblocks, earned = excluded.earned, agent = excluded.agent`

/** Inserts rows in one statement: columns become arrays of text. */
async function insert(
  transaction: Transaction,
  table: string,
  columns: Readonly<Record<string, { readonly type: string; readonly values: readonly unknown[] }>>,
  more = '',
): Promise<void> {
  const names = Object.keys(columns)
  const [first] = Object.values(columns)
  if (first === undefined || first.values.length === 0) return
  const lists = Object.values(columns).map(({ type }, at) => `$${at + 1}::text[]::${type}[]`)
  const values = Object.values(columns).map(({ values: column }) =>
    column.map((value) => (value === null ? null : String(value))),
  )
  await transaction.query(
    `insert into ${table} (${names.join(', ')}) select * from unnest(${lists.join(', ')}) ${more}`,
    values,
  )
}

async function writeBatch(transaction: Transaction, entries: readonly Entry[]): Promise<void> {
  const first = entries[0]?.block.height ?? 0
  const text = (values: readonly unknown[]) => ({ type: 'text', values })
  const integer = (values: readonly unknown[]) => ({ type: 'integer', values })
  const numeric = (values: readonly unknown[]) => ({ type: 'numeric', values })
  const blocks = entries.map(({ block }) => block)
  await insert(transaction, 'block', {
    height: integer(blocks.map(({ height }) => height)),
    hash: text(blocks.map(({ hash }) => hash)),
    link: text(blocks.map(({ link }) => link)),
    closed_by: text(blocks.map(({ closed_by }) => closed_by)),
    time: integer(blocks.map(({ time }) => time)),
    day: integer(blocks.map(({ day }) => day)),
  })
  const microblocks = entries.flatMap(({ block, facts }) =>
    facts.microblocks.map((one) => ({ ...one, ...at(block) })),
  )
  await insert(transaction, 'microblock', {
    hash: text(microblocks.map(({ hash }) => hash)),
    height: integer(microblocks.map(({ height }) => height)),
    account: text(microblocks.map(({ account }) => account)),
    agent: text(microblocks.map(({ agent }) => agent)),
    stake: numeric(microblocks.map(({ stake }) => stake)),
    total_stake: numeric(microblocks.map(({ totalStake }) => totalStake)),
    stated_reward: numeric(microblocks.map(({ statedReward }) => statedReward)),
  })
  const rewards = entries.flatMap(({ block, facts }) =>
    facts.rewards.map((one) => ({ ...one, ...at(block) })),
  )
  await insert(transaction, 'reward', {
    microblock: text(rewards.map(({ microblock }) => microblock)),
    kind: text(rewards.map(({ kind }) => kind)),
    height: integer(rewards.map(({ height }) => height)),
    account: text(rewards.map(({ account }) => account)),
    amount: numeric(rewards.map(({ amount }) => amount)),
  })
  const transfers = entries.flatMap(({ block, facts }) =>
    facts.transfers.map((one, ordinal) => ({ ...one, ...at(block), ordinal })),
  )
  await insert(transaction, 'transfer', {
    hash: text(transfers.map(({ hash }) => hash)),
    height: integer(transfers.map(({ height }) => height)),
    ordinal: integer(transfers.map(({ ordinal }) => ordinal)),
    sender: text(transfers.map(({ sender }) => sender)),
    receiver: text(transfers.map(({ receiver }) => receiver)),
    amount: numeric(transfers.map(({ amount }) => amount)),
    fee: numeric(transfers.map(({ fee }) => fee)),
    status: text(transfers.map(({ status }) => status)),
  })
  const holdings = [...new Map(entries.flatMap(({ facts }) => [...facts.holdings]))]
  await insert(
    transaction,
    'holding',
    {
      account: text(holdings.map(([account]) => account)),
      amount: numeric(holdings.map(([, amount]) => amount)),
    },
    'on conflict (account) do update set amount = excluded.amount',
  )
  if (microblocks.length > 0) await transaction.query(MINERS, [first - 1])
}

const at = ({ height }: Block) => ({ height })
