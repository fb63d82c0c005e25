import { type Client, type Clock, createClient, type TransportRequest } from '@hailstone/client'
import {
  type Address,
  apiError,
  type Hash,
  sha256Hex,
  stringifyJson,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'

type Line = { readonly index: number; readonly hash: Hash; readonly time: number }

type Block = { readonly hash: Hash; readonly time: number; readonly microblocks: readonly Hash[] }

/** Two nodes of one chain behind one address, of which one is some macroblocks behind. */
export type TwoViews = {
  readonly clientOf: (clock: Clock) => Client
  /** Mines a macroblock with so many microblocks of the account, and so many transfers after them. */
  readonly mine: (microblocks: number, transfers?: number) => void
  /** Lines of the history as the node that is ahead has it, oldest first. */
  readonly lines: () => readonly Line[]
  readonly asked: string[]
  /** Chance that a request fails. */
  failing: number
  /** Macroblocks that the node is behind which answers a request. */
  behind: (path: string) => number
}

const ORIGIN = 3

export function twoViews(account: Address, random: () => number, secondsNow: () => number): TwoViews {
  const blocks: Block[] = []
  const histories: number[] = []
  const lines: Line[] = []
  const blockOf = new Map<Hash, number>()
  const asked: string[] = []
  let index = 0

  function mine(microblocks: number, transfers = 0): void {
    const height = blocks.length
    const time = secondsNow()
    const hashes = Array.from({ length: microblocks }, (_, at) => sha256Hex(`${height} ${at}`))
    for (const hash of hashes) {
      blockOf.set(hash, height)
      lines.push({ index: index++, hash, time })
    }
    index += transfers
    blocks.push({ hash: sha256Hex(`key block ${height}`), time, microblocks: hashes })
    histories.push(lines.length)
  }
  for (let at = 0; at < ORIGIN; at++) mine(0)

  function answer(path: string, query: URLSearchParams, behind: number): unknown {
    const length = Math.max(ORIGIN, blocks.length - behind)
    const hash = query.get('hash') as Hash
    if (path === '/height') return { height: length }
    if (path === '/native_token') return { hash: ZERO_TOKEN_ID }
    if (path === '/macroblock_by_height') return macroblock(Number(query.get('height')), length)
    if (path === '/macroblock') {
      const height = blocks.findIndex((block) => block.hash === hash)
      return macroblock(height < 0 ? length : height, length) ?? {}
    }
    if (path === '/mblock') {
      const height = blockOf.get(hash)
      if (height === undefined || height >= length) return { transactions: [] }
      const kblocks_hash = blocks[height]?.hash
      const header = { kblocks_hash, publisher: account, referrer: null, mblocks_hash: hash }
      return { transactions: [], header: { ...header, reward: 5, nonce: 1, token: ZERO_TOKEN_ID } }
    }
    if (path === '/account_rewards') return page(Number(query.get('page')), histories[length - 1] ?? 0)
    throw new Error(`nobody knows ${path}`)
  }

  function macroblock(height: number, length: number): unknown {
    const block = blocks[height]
    if (block === undefined || height >= length) return undefined
    const { hash, time, microblocks } = block
    const link = blocks[height - 1]?.hash ?? sha256Hex('none')
    const fixed = { publisher: account, nonce: 0, sprout: 'ENQGENESIS', m_root: '', leader_sign: null }
    const kblock = { hash, n: height, time, link, ...fixed, reward: 1, target_diff: 10 }
    return { kblock, mblocks: microblocks.map((one) => ({ hash: one, tx_cnt: 1 })), sblocks: [] }
  }

  function page(number: number, count: number): unknown {
    const head = { balance: 0, id: account }
    if (count === 0) return head
    const shown = lines.slice(Math.max(0, count - 10 * (number + 1)), Math.max(0, count - 10 * number))
    const records = shown.reverse().map(({ index: i, hash, time }) => ({
      i,
      irew: i,
      hash,
      time,
      rectype: 'im',
      amount: '5',
      ticker: null,
    }))
    return { ...head, records, page_count: Math.ceil((count - 1) / 10) }
  }

  async function request({ path, query = '' }: TransportRequest) {
    asked.push(path)
    if (random() < views.failing) throw apiError('REQUEST_FAILED', { path, reason: 'scripted' })
    const value = answer(path, new URLSearchParams(query), views.behind(path))
    if (value !== undefined)
      return { status: 200, contentType: 'application/json', text: stringifyJson(value as never) }
    if (path !== '/macroblock_by_height') return { status: 200, contentType: 'application/json', text: '' }
    return { status: 404, contentType: 'application/json', text: '{"err":1,"message":"no such height"}' }
  }

  const views: TwoViews = {
    clientOf: (clock) =>
      createClient({
        apiUrl: 'http://127.0.0.1:1/api/v1',
        clock,
        randomness: random,
        retry: { maxAttempts: 1 },
        transport: { request },
      }),
    mine,
    lines: () => lines,
    asked,
    failing: 0,
    behind: () => (random() < 0.5 ? 3 : 0),
  }
  return views
}
