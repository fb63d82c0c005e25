import {
  apiError,
  flippedSignature,
  merkleRoot,
  readTransactionBody,
  sha256Hex,
  type Transaction,
  transactionBody,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import type { TransportRequest } from '../../src/node.ts'
import { type Scripted, scriptedTransport } from './scripted-transport.ts'

export type ModelStatus = 'duplicate' | 'rejected' | 'confirmed'

type Included = { readonly hash: string; readonly transaction: Transaction; readonly status: ModelStatus }

type Block = {
  readonly branch: number
  readonly hash: string
  readonly microblock: string
  readonly included: readonly Included[]
}

const microblocksOf = ({ included, microblock }: Block) =>
  included.length === 0 ? [] : [{ hash: microblock, tx_cnt: included.length }]

/** Fault applied to a posted transaction; null for regular handling. */
export type PostFault =
  | 'request lost'
  | 'answer lost'
  | 'forgets it'
  | 'refuses it'
  | 'refuses it and keeps it'
  | 'names another hash'
  | 'sends a malleated copy'
  | 'sends an odd malleated copy'
  | 'turns it away'
  | 'goes away with it'
  | 'goes away with it unanswered'

/** Blocks until the node that went away with a transaction is back. */
const BLOCKS_AWAY = 6

/**
 * A chain in memory that knows transfers only. Everything it does is asked for: nothing is mined by itself.
 * Its own statement of what was executed is what payments are judged by.
 */
export class ModelNetwork {
  fee = 100n
  readonly pool = new Map<string, Transaction>()
  /** Pool of a second node that took a transaction and cannot be reached: the one that answers refuses everything. */
  readonly poolAway = new Map<string, Transaction>()
  #backAt = 0
  readonly #blocks: Block[] = []
  /** Happens before each answer. */
  meanwhile: () => void = () => undefined
  readonly posted: string[] = []
  #branch = 0
  #highest = 0
  /** For the next POST alone. */
  postFault: PostFault | null = null
  isAway = false
  /** Rejects instead of executing. */
  isPoor = false
  /** GET answers by path that replace the real ones. */
  lies: ReadonlyMap<string, (query: URLSearchParams) => Scripted | undefined> = new Map()

  get height(): number {
    return this.#blocks.length
  }

  /** Closes the open block with all that waits. */
  mine(): void {
    if (this.height >= this.#backAt) {
      for (const [hash, transaction] of this.poolAway) this.pool.set(hash, transaction)
      this.poolAway.clear()
    }
    const included = [...this.pool].map(([hash, transaction]) => ({
      hash,
      transaction,
      status: this.#statusOf(hash),
    }))
    this.pool.clear()
    this.#blocks.push({ ...this.#openBlock(), included })
  }

  /**
   * Takes the newest blocks off the chain. The lowest of them is open again under the same name: what a key block
   * holds is only committed to by the next one. Either their transactions wait again, or they are gone and empty
   * blocks take their place. Not before the chain is as high as it was: forks must not add up to deeper ones.
   */
  reorganise(depth: number, { keepTransactions = false } = {}): void {
    if (this.height < this.#highest) return
    this.#highest = this.height
    this.#branch++
    const dropped = this.#blocks.splice(Math.max(1, this.#blocks.length - depth))
    if (!keepTransactions) for (const _ of dropped) this.#blocks.push(this.#openBlock())
    else
      for (const { hash, transaction } of dropped.flatMap(({ included }) => included))
        this.pool.set(hash, transaction)
  }

  /** Puts transfers to an account into the newest closed block; they are shown in its history alone. */
  receive(to: string, count: number): void {
    const block = this.#blocks.at(-1)
    if (block === undefined) throw new Error('nothing is mined')
    for (let n = 0; n < count; n++)
      this.#received.push({ to, hash: sha256Hex(`received ${this.#received.length}`), blocks: this.height })
  }

  readonly #received: { readonly to: string; readonly hash: string; readonly blocks: number }[] = []

  /** Returns how often the ledger executed each memo. */
  executed(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { transaction, status } of this.#all()) {
      if (status === 'confirmed') counts.set(transaction.data, (counts.get(transaction.data) ?? 0) + 1)
    }
    return counts
  }

  #all(): readonly Included[] {
    return this.#blocks.flatMap(({ included }) => included)
  }

  #statusOf(hash: string): ModelStatus {
    if (this.#all().some((other) => other.hash === hash)) return 'duplicate'
    return this.isPoor ? 'rejected' : 'confirmed'
  }

  #openBlock(): Block {
    const height = this.#blocks.length
    const below = this.#blocks.at(-1)?.branch ?? 0
    return {
      branch: this.#branch,
      hash: height === 0 ? 'MODELGENESIS' : sha256Hex(`block ${height} on ${below}`),
      microblock: sha256Hex(`microblock ${height} of ${this.#branch}`),
      included: [],
    }
  }

  readonly transport = () => scriptedTransport((request) => this.#answer(request))

  #answer(request: TransportRequest): Scripted {
    const { method, path, query = '', body = '' } = request
    this.meanwhile()
    if (this.isAway) throw apiError('REQUEST_FAILED', { path, reason: 'the connection was refused' })
    if (method === 'POST') return this.#post(body)
    const asked = new URLSearchParams(query)
    return this.lies.get(path)?.(asked) ?? this.#get(path, asked)
  }

  #post(body: string): Scripted {
    const transaction = readTransactionBody(body)
    if (transaction === null) return '{"err":1,"message":"Only 1 TX can be sent"}'
    this.posted.push(body)
    const planned = this.postFault
    this.postFault = null
    // Nothing is copied besides: a copy and what is held, here or elsewhere, would both be executed, whatever the sender does.
    const name = transactionHash(transaction)
    const isHeld = this.pool.has(name) || this.#all().some(({ hash }) => hash === name)
    const fault = isHeld && planned?.endsWith('malleated copy') ? 'answer lost' : planned
    if (this.poolAway.size > 0) return '{"err":1,"message":"FROM field in locklist"}'
    const lost = apiError('REQUEST_FAILED', { path: '/tx', reason: 'the connection was reset' })
    const hash = transactionHash(transaction)
    const accepted = JSON.stringify({ err: 0, result: [{ hash, status: 0 }] })
    switch (fault) {
      case 'request lost':
        throw lost
      case 'turns it away':
        return { status: 429, text: '' }
      case 'forgets it':
        return accepted
      case 'goes away with it':
      case 'goes away with it unanswered':
        this.poolAway.set(hash, transaction)
        this.#backAt = this.height + BLOCKS_AWAY
        if (fault === 'goes away with it') return accepted
        throw lost
      case 'refuses it':
        return '{"err":1,"message":"Signature verification failed"}'
      case 'sends a malleated copy':
        this.#add({ ...transaction, signature: flippedSignature(transaction.signature) })
        throw lost
      case 'sends an odd malleated copy':
        this.#add({ ...transaction, signature: `${transaction.signature}7` as Transaction['signature'] })
        throw lost
    }
    const isNew = !this.pool.has(hash)
    this.#add(transaction)
    if (fault === 'answer lost') throw lost
    if (fault === 'names another hash') return accepted.replace(hash, 'ab'.repeat(32))
    if (fault === 'refuses it and keeps it') return '{"err":1,"message":"Signature verification failed"}'
    return isNew ? accepted : '{"err":1,"message":"TX is already in txpool"}'
  }

  /** Adds a transaction as a third party would post it. */
  #add(transaction: Transaction): void {
    this.pool.set(transactionHash(transaction), transaction)
  }

  #get(path: string, query: URLSearchParams): Scripted {
    const hash = query.get('hash') ?? ''
    switch (path) {
      case '/height':
        return this.height === 0 ? '{}' : `{"height":${this.height}}`
      case '/macroblock_by_height':
        return this.#macroblock(Number(query.get('height')))
      case '/macroblock':
        return this.#macroblock(this.#blocks.findIndex((block) => block.hash === hash))
      case '/tx':
        return this.#transaction(hash)
      case '/pending_tx_account':
        return this.#pending([...this.pool].filter(([, { from }]) => from === query.get('id')))
      case '/pending_tx_hash':
        return this.#pending([...this.pool].filter(([name]) => name === hash))
      case '/account_transactions':
        return this.#history(query.get('id') ?? '', Number(query.get('page')))
      case '/balance':
        return JSON.stringify({
          ...{ amount: '1000000000000', token: ZERO_TOKEN_ID, ticker: 'ENQ', decimals: 10 },
          ...{ delegated: 0, reward: 0, transit: 0, undelegated: 0 },
        })
      case '/native_token':
        return this.#token()
      case '/token_info':
        return `[${this.#token()}]`
      default:
        return { status: 404, text: '' }
    }
  }

  #token(): string {
    return JSON.stringify({
      ...{ hash: ZERO_TOKEN_ID, owner: `02${'11'.repeat(32)}`, ticker: 'ENQ', caption: 'coin' },
      ...{ fee_type: 0, fee_value: Number(this.fee), fee_min: 0, decimals: 10, total_supply: 1, active: 0 },
      ...{ reissuable: 0, minable: 0, max_supply: null, block_reward: null, min_stake: null },
      ...{ referrer_stake: null, ref_share: null, txs_count: 0 },
    })
  }

  #macroblock(height: number): Scripted {
    const block = height === this.#blocks.length ? this.#openBlock() : this.#blocks[height]
    if (block === undefined) return { status: 404, text: '{"err":1,"message":"not there"}' }
    const below = this.#blocks[height - 1]
    const root =
      below === undefined
        ? ''
        : merkleRoot({ microblockHashes: microblocksOf(below).map(({ hash }) => hash), statBlockHashes: [] })
    const kblock = {
      ...{ hash: block.hash, n: height, time: 1_700_000_000 + height, publisher: `02${'22'.repeat(32)}` },
      ...{ nonce: 0, link: below?.hash ?? 'MODELGENESIS', sprout: 'MODELGENESIS' },
      ...{ m_root: root, leader_sign: null, reward: height < this.#blocks.length ? 1 : null, target_diff: 1 },
    }
    return JSON.stringify({ kblock, mblocks: microblocksOf(block), sblocks: [], snapshot_hash: null })
  }

  #transaction(hash: string): Scripted {
    const ranks: readonly ModelStatus[] = ['duplicate', 'rejected', 'confirmed']
    const [best] = this.#blocks
      .flatMap((block) => block.included.map((included) => ({ ...included, block })))
      .filter((included) => included.hash === hash)
      .sort((a, b) => ranks.indexOf(b.status) - ranks.indexOf(a.status))
    if (best === undefined) return ''
    const { transaction, block, status } = best
    return JSON.stringify({
      ...{ status: ranks.indexOf(status) + 1, from: transaction.from, to: transaction.to },
      ...{ total_amount: String(transaction.amount), fee_min: 0, token_hash: transaction.tokenId },
      ...{ fee_value: Number(this.fee), fee_type: 0, data: transaction.data, hash },
      ...{ kblocks_hash: block.hash, mblocks_hash: block.microblock },
    })
  }

  #pending(entries: readonly (readonly [string, Transaction])[]): string {
    const wire = entries.map(([hash, transaction]) => {
      const [fields] = JSON.parse(transactionBody(transaction)) as readonly object[]
      return { hash, timeadded: '2026-01-01 00:00:00', ...fields }
    })
    return JSON.stringify(wire)
  }

  #history(id: string, page: number): string {
    const rows = this.#blocks.flatMap((block, height) => [
      ...block.included
        .filter(({ transaction, status }) => transaction.from === id && status !== 'duplicate')
        .map(({ hash, transaction: { amount, data }, status }) => ({
          ...{ hash, rectype: 'iout', amount: String(amount), data, status: status === 'confirmed' ? 3 : 2 },
        })),
      ...this.#received
        .filter(({ to, blocks }) => to === id && blocks === height + 1)
        .map(({ hash }) => ({ hash, rectype: 'iin', amount: '1', data: '', status: 3 })),
    ])
    const records = rows
      .map((row, i) => ({
        ...{ i, time: 1_700_000_000, token_hash: ZERO_TOKEN_ID, fee_type: 0, fee_value: 100, fee_min: 0 },
        ...row,
      }))
      .reverse()
      .slice(page * 10, page * 10 + 10)
    return JSON.stringify({ balance: 0, id, records, page_count: 0 })
  }
}
