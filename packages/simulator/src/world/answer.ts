import { isTransferRecord, type NumberedRecord } from '@hailstone/ledger'
import {
  type Hash,
  type KeyBlock,
  type Microblock,
  stringifyJson,
  type Token,
  type TokenId,
  type Transaction,
} from '@hailstone/protocol'
import type { ChainView, ClosedBlock } from './simulated-chain.ts'

/** Answer of a node; a missing answer is an empty body. */
export type ApiAnswer = { readonly status: number; readonly text: string }

const say = (value: unknown): ApiAnswer => ({ status: 200, text: stringifyJson(value as never) })
/** For what has no numbers that are too large. */
const sayPlain = (value: unknown): ApiAnswer => ({ status: 200, text: JSON.stringify(value) })
const NOTHING: ApiAnswer = { status: 200, text: '' }
const ABSENT: ApiAnswer = { status: 404, text: '{"err":1,"message":"not there"}' }
const NO_ROUTE: ApiAnswer = { status: 404, text: '' }

const PAGE = 10
/** Statuses of transactions on the wire, worst first (PROTOCOL 3.5). */
const ranks = ['duplicate', 'rejected', 'confirmed'] as const

type Query = URLSearchParams

/** Answers a client's request from a node's view, as in PROTOCOL 3.5. */
export function answer(view: ChainView, path: string, query: Query): ApiAnswer {
  switch (path) {
    case '/height':
      return say(view.blocks.length === 0 ? {} : { height: view.blocks.length })
    case '/macroblock_by_height':
      return macroblock(view, Number(query.get('height')))
    case '/macroblock':
      return macroblockByHash(view, query.get('hash') ?? '')
    case '/mblock':
      return microblock(view, query.get('hash') ?? '')
    case '/tx':
      return transaction(view, query.get('hash') ?? '')
    case '/pending_tx_account':
      return pending(view, ([, { from }]) => from === query.get('id'))
    case '/pending_tx_hash':
      return pending(view, ([hash]) => hash === query.get('hash'))
    case '/account_transactions':
      return history(view, query, ({ type }) => isTransferRecord(type), transferLine(view))
    case '/eindex_by_hash':
      return sayPlain(recordsOf(view, query.get('hash') ?? ''))
    case '/account_rewards':
      return history(view, query, ({ type }) => !isTransferRecord(type), rewardLine)
    case '/account_refreward':
      return history(view, query, ({ type }) => type === 'iref', referralLine)
    case '/balance':
      return balance(view, query)
    case '/native_token':
      return say(tokenWords(nativeToken(view)))
    case '/token_info':
      return say(
        [token(view, query.get('hash') ?? '')].flatMap((known) => (known ? [tokenWords(known)] : [])),
      )
    case '/get_stake_limits':
      return say({
        min_stake: 250_000_000_000,
        max_stake: 10_000_000_000_000,
        default_stake: 250_000_000_000,
      })
    case '/referrer_stake':
      return say({ referrer_stake: 1_000_000_000_000 })
    default:
      return NO_ROUTE
  }
}

const ledgerOf = ({ blocks, origin }: ChainView) => blocks.at(-1)?.ledger ?? origin.ledger

const token = (view: ChainView, id: string): Token | undefined =>
  ledgerOf(view).token(id.toLowerCase() as TokenId)

const nativeIdOf = ({ origin }: ChainView): TokenId => origin.genesis.parameters.ledger.nativeTokenId

const nativeToken = (view: ChainView): Token =>
  token(view, nativeIdOf(view)) ?? view.origin.genesis.tokens.native

const tokenWords = (token: Token): unknown => ({
  hash: token.id,
  owner: token.owner,
  ticker: token.symbol,
  caption: 'simulated',
  fee_type: token.feeType,
  fee_value: token.feeValue,
  fee_min: token.feeType === 1 ? token.feeMinimum : 0,
  decimals: token.decimals,
  total_supply: token.totalSupply,
  active: 0,
  reissuable: 0,
  minable: 0,
  max_supply: null,
  block_reward: null,
  min_stake: null,
  referrer_stake: null,
  ref_share: null,
  txs_count: 0,
})

function keyBlockWords(keyBlock: KeyBlock, isClosed: boolean): unknown {
  const { hash, height, time, publisher, nonce, link, sprout, merkleRoot } = keyBlock
  const rest = { m_root: merkleRoot, leader_sign: null, reward: isClosed ? 1 : null, target_diff: 1 }
  return { hash, n: height, time, publisher, nonce, link, sprout, ...rest }
}

/** Index of a calculated macroblock: its microblocks, transactions and records by hash, and its records by account. */
type Content = {
  readonly microblocks: ReadonlyMap<string, Microblock>
  readonly transactions: ReadonlyMap<string, ClosedBlock['report']['transactions']>
  readonly records: ReadonlyMap<string, readonly NumberedRecord[]>
  readonly accounts: ReadonlyMap<string, readonly NumberedRecord[]>
}

const contents = new WeakMap<ClosedBlock, Content>()

function contentOf(block: ClosedBlock): Content {
  const known = contents.get(block)
  if (known !== undefined) return known
  const { microblocks, records, report } = block
  const content = {
    microblocks: new Map(microblocks.map((one) => [one.hash, one])),
    transactions: groupsOf(report.transactions, ({ hash }) => hash),
    records: groupsOf(records, ({ hash }) => hash),
    accounts: groupsOf(records, ({ account }) => account),
  }
  contents.set(block, content)
  return content
}

function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

/** Answers about calculated macroblocks, which are the same whoever is asked. */
const answersOfBlocks = new WeakMap<ClosedBlock, ApiAnswer>()

function macroblock(view: ChainView, height: number): ApiAnswer {
  const block = view.blocks[height]
  const known = block && answersOfBlocks.get(block)
  if (known !== undefined) return known
  const words = macroblockWords(view, height)
  if (words === null) return ABSENT
  const answer = say(words)
  if (block !== undefined) answersOfBlocks.set(block, answer)
  return answer
}

function macroblockWords(view: ChainView, height: number): object | null {
  const block = view.blocks[height]
  const keyBlock = height === view.blocks.length ? view.open : block?.keyBlock
  if (keyBlock === undefined) return null
  const microblocks = block?.microblocks ?? view.openMicroblocks
  return {
    kblock: keyBlockWords(keyBlock, block !== undefined),
    mblocks: microblocks.map(({ hash, transactions }) => ({ hash, tx_cnt: transactions.length })),
    sblocks: [],
  }
}

function macroblockByHash(view: ChainView, hash: string): ApiAnswer {
  const isMeant = (one: KeyBlock) => one.hash === hash
  const known = isMeant(view.open)
    ? view.open
    : view.blocks.findLast((one) => isMeant(one.keyBlock))?.keyBlock
  const words = known === undefined ? null : macroblockWords(view, known.height)
  return say({ ...(words ?? { mblocks: [], sblocks: [] }), snapshot_hash: null })
}

function microblock({ blocks }: ChainView, hash: string): ApiAnswer {
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at] as ClosedBlock
    const found = contentOf(block).microblocks.get(hash)
    if (found === undefined) continue
    const { keyBlock, report } = block
    const reward = report.microblockRewards.find((one) => one.hash === hash)?.reward ?? null
    const header = {
      kblocks_hash: keyBlock.hash,
      publisher: found.publisher,
      referrer: found.referralAgent,
      mblocks_hash: hash,
      reward,
      nonce: found.nonce,
      token: found.tokenId,
    }
    return say({ transactions: [], header })
  }
  return say({ transactions: [] })
}

type Calculated = { readonly block: ClosedBlock; readonly microblockHash: Hash; readonly rank: number }

function calculated({ blocks }: ChainView, hash: string): Calculated | undefined {
  let best: Calculated | undefined
  for (const block of blocks) {
    for (const one of contentOf(block).transactions.get(hash) ?? []) {
      const rank = ranks.indexOf(one.status)
      if (best === undefined || rank > best.rank) best = { block, microblockHash: one.microblockHash, rank }
    }
  }
  return best
}

function transaction(view: ChainView, hash: string): ApiAnswer {
  const found = calculated(view, hash)
  const sent = found?.block.transactions.get(hash as Hash)
  if (found === undefined || sent === undefined) return NOTHING
  const { feeType, feeValue } = token(view, sent.tokenId) ?? nativeToken(view)
  return say({
    status: found.rank + 1,
    from: sent.from,
    to: sent.to,
    total_amount: sent.amount.toString(),
    fee_min: 0,
    token_hash: sent.tokenId,
    fee_value: feeValue,
    fee_type: feeType,
    data: sent.data,
    hash,
    kblocks_hash: found.block.keyBlock.hash,
    mblocks_hash: found.microblockHash,
  })
}

function pending({ pool }: ChainView, isMeant: (entry: readonly [Hash, Transaction]) => boolean): ApiAnswer {
  const entries = [...pool].filter(isMeant)
  return say(
    entries.map(([hash, { amount, data, from, nonce, signature, tokenId, to }]) => ({
      ...{ hash, timeadded: '2026-01-01 00:00:00', amount: amount.toString() },
      ...{ data, from, nonce, sign: signature, ticker: tokenId, to },
    })),
  )
}

type Line = { readonly record: NumberedRecord; readonly block: ClosedBlock }

function recordsOf({ blocks }: ChainView, hash: string): unknown {
  return blocks.flatMap((block) =>
    (contentOf(block).records.get(hash) ?? []).map(({ account: id, type: rectype, value }) => ({
      ...{ id, hash, time: block.keyBlock.time, rectype, value: value.toString() },
    })),
  )
}

/** Lines of each account by the newest macroblock, which names all below it. */
const linesOfBlocks = new WeakMap<ClosedBlock, Map<string, readonly Line[]>>()

/** All records of an account, oldest first. */
function linesOf({ blocks }: ChainView, account: string): readonly Line[] {
  const newest = blocks.at(-1)
  if (newest === undefined) return []
  const known = linesOfBlocks.get(newest) ?? new Map<string, readonly Line[]>()
  linesOfBlocks.set(newest, known)
  const lines =
    known.get(account) ??
    blocks.flatMap((block) =>
      (contentOf(block).accounts.get(account) ?? []).map((record) => ({ record, block })),
    )
  known.set(account, lines)
  return lines
}

/** Newest first, ten per page. The page count is one too small after each ten records (PROTOCOL 3.5.11). */
function history(
  view: ChainView,
  query: Query,
  isMeant: (record: NumberedRecord) => boolean,
  write: (line: Line, at: number) => unknown,
): ApiAnswer {
  const id = query.get('id') ?? ''
  const page = Number(query.get('page'))
  const lines = linesOf(view, id).filter(({ record }) => isMeant(record))
  if (lines.length === 0) return sayPlain({ balance: 0, id })
  const from = Math.max(0, lines.length - PAGE * (page + 1))
  const records = lines.slice(from, Math.max(0, lines.length - PAGE * page)).reverse()
  return sayPlain({
    balance: 0,
    id,
    records: records.map(write),
    page_count: Math.ceil((lines.length - 1) / PAGE),
  })
}

const rewardLine = ({ record, block }: Line): unknown => ({
  i: record.number,
  irew: record.kindNumber,
  hash: record.hash,
  time: block.keyBlock.time,
  rectype: record.type,
  amount: record.value.toString(),
  ticker: null,
})

const referralLine = ({ record, block }: Line): unknown => ({
  i: record.number,
  hash: record.hash,
  time: block.keyBlock.time,
  refreward: record.value.toString(),
})

const transferLine =
  (view: ChainView) =>
  ({ record, block }: Line): unknown => {
    const status = block.report.transactions.find(
      (one) => one.hash === record.hash && one.status !== 'duplicate',
    )?.status
    return {
      i: record.number,
      hash: record.hash,
      time: block.keyBlock.time,
      rectype: record.type,
      amount: record.value.toString(),
      data: block.transactions.get(record.hash)?.data ?? '',
      status: ranks.indexOf(status ?? 'confirmed') + 1,
      token_hash: block.transactions.get(record.hash)?.tokenId ?? nativeIdOf(view),
      fee_type: 0,
      fee_value: 0,
      fee_min: 0,
    }
  }

function balance(view: ChainView, query: Query): ApiAnswer {
  const id = query.get('id') ?? ''
  const known = token(view, query.get('token') ?? nativeIdOf(view))
  const amount = known && ledgerOf(view).balance(id as never, known.id)
  const rest = { delegated: 0, reward: 0, transit: 0, undelegated: 0 }
  if (known === undefined || amount === undefined) return say({ amount: 0, ...rest })
  const { id: tokenId, symbol: ticker, decimals } = known
  return say({ amount: amount.toString(), token: tokenId, ticker, decimals, ...rest })
}
