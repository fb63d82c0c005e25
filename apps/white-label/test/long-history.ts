import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One record as `/account_rewards` has it. */
type WireRecord = {
  readonly i: number
  readonly irew: number
  readonly hash: string
  readonly time: number
  readonly rectype: string
  readonly amount: number
  readonly ticker: string | null
}

/** A reward as the app stores it, with its amount as a number, which is sent to a page as JSON. */
export type StoredForm = {
  readonly index: number
  readonly recordType: string
  readonly role: 'miner' | 'other'
  readonly amount: number
  readonly recordHash: string
  readonly microblockHash: string | null
  readonly miner: string | null
  readonly keyBlockHash: string | null
  readonly timeMs: number
}

const PAGE = 10

/** The API of a network, behind which one account has a long history of rewards. */
export type LongHistory = {
  readonly apiUrl: string
  /** Units of all rewards, and of those after a time in Unix seconds. */
  readonly total: (sinceSeconds?: number) => bigint
  /** Rewards from an oldest one on, as the app stores them; the oldest of all is 0. */
  readonly rows: (from: number, count: number) => readonly StoredForm[]
  /** Adds one reward of now, which the next page has first. */
  readonly add: () => void
  /** True: history pages are answered with status 500. */
  fails: boolean
  /** Pages that were answered. */
  readonly pages: () => number
  readonly stop: () => void
}

/**
 * Passes everything on to the API of a network but the rewards of one account: those are `count` records, the newest of
 * now and each `secondsApart` older than the next. Every tenth is for a microblock, one of `microblocks`; the others are key-block
 * rewards.
 */
export async function serveLongHistory(parameters: {
  readonly apiUrl: string
  readonly address: string
  readonly count: number
  /** Time between two rewards. @default 15, the public network's time of a block */
  readonly secondsApart?: number
  readonly microblocks: readonly { readonly hash: string; readonly ticker: string }[]
}): Promise<LongHistory> {
  const { apiUrl, address, microblocks, secondsApart = 15 } = parameters
  const target = new URL(apiUrl)
  const newest = Math.floor(Date.now() / 1000)
  const first = newest - secondsApart * (parameters.count - 1)
  let count = parameters.count
  let pages = 0

  const amountAt = (at: number): number => 1_000_000_000 + at
  function recordAt(at: number): WireRecord {
    const common = { i: 2 * at, irew: at, time: first + secondsApart * at, amount: amountAt(at) }
    const block = at % 10 === 0 ? microblocks[(at / 10) % microblocks.length] : undefined
    if (block !== undefined) return { ...common, ...block, rectype: 'im' }
    return { ...common, hash: at.toString(16).padStart(64, '0'), rectype: 'ik', ticker: null }
  }
  const pageOf = (page: number): readonly WireRecord[] =>
    Array.from({ length: PAGE }, (_, at) => count - 1 - page * PAGE - at)
      .filter((at) => at >= 0)
      .map(recordAt)

  const history: { fails: boolean } = { fails: false }
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', apiUrl)
    const isHistory = url.pathname.endsWith('/account_rewards') && url.searchParams.get('id') === address
    if (!isHistory) {
      const { method, headers } = incoming
      const passed = request({
        host: target.hostname,
        port: target.port,
        path: incoming.url,
        method,
        headers,
      })
      passed.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      passed.on('error', () => outgoing.destroy())
      incoming.pipe(passed)
      return
    }
    pages++
    outgoing.writeHead(history.fails ? 500 : 200, {
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
    })
    const records = pageOf(Number(url.searchParams.get('page') ?? 0))
    const body = { balance: 0, id: address, records, page_count: Math.ceil(count / PAGE) }
    outgoing.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(history, {
    apiUrl: `http://127.0.0.1:${port}${target.pathname}`,
    total: (sinceSeconds = 0) => {
      let units = 0n
      for (let at = 0; at < count; at++)
        if (first + secondsApart * at >= sinceSeconds) units += BigInt(amountAt(at))
      return units
    },
    rows: (from: number, length: number) =>
      Array.from({ length }, (_, at) => {
        const { i: index, rectype: recordType, amount, hash, time } = recordAt(from + at)
        const isMined = recordType === 'im'
        return {
          index,
          recordType,
          role: isMined ? 'miner' : 'other',
          amount,
          recordHash: hash,
          microblockHash: isMined ? hash : null,
          miner: isMined ? address : null,
          keyBlockHash: isMined ? hash : null,
          timeMs: time * 1000,
        } as const
      }),
    add: () => {
      count++
    },
    pages: () => pages,
    stop: () => server.close(),
  })
}
