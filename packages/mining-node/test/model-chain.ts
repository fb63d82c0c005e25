import { type Client, type Clock, createClient, type TransportRequest } from '@hailstone/client'
import {
  type Address,
  apiError,
  type Hash,
  merkleRoot,
  sha256Hex,
  stringifyJson,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'

/** Changes of the account in one macroblock. */
type Block = {
  readonly hash: Hash
  /** Younger than everything that was mined before it, also on a chain that is no more. */
  readonly time: number
  /** The one microblock it holds. */
  readonly microblock: Hash
  readonly rewards: readonly bigint[]
  /** Of a payment in or out; it has a record of its own, which is no reward. */
  readonly paid: bigint
}

type Line = { readonly index: number; readonly hash: Hash; readonly amount: bigint; readonly time: number }

/** A chain that a test grows, cuts and lies about, behind the answers of the real API (PROTOCOL 3.5). */
export type ModelChain = {
  readonly clientOf: (clock: Clock) => Client
  readonly mine: (rewards: readonly bigint[], paid?: bigint) => void
  /** Puts something else into the newest macroblock, under the same name: as a fork does (PROTOCOL 2.9). */
  readonly refill: (rewards: readonly bigint[]) => void
  /** Takes the newest macroblocks away. */
  readonly rollBack: (depth: number) => void
  /** Of the open key block. */
  readonly height: () => number
  readonly balance: () => bigint
  /** Of the newest macroblock. */
  readonly keyBlockHash: () => Hash
  /** Of the one in the newest macroblock. */
  readonly microblockHash: () => Hash
  readonly lines: () => readonly Line[]
  /** Faults of the model; each can be changed at any time. */
  readonly faults: {
    /** Requests from now on that fail. */
    failing: number
    /** Macroblocks that the node is behind. */
    lag: number
    /** Added to the height it answers. */
    heightLie: number
    /** The newest macroblock is there and not calculated yet. */
    isCalculating: boolean
  }
  /** Paths that were asked, oldest first. */
  readonly asked: string[]
}

/** Returns the root that the next key block commits to. */
const rootOf = (below: Block | undefined): string =>
  below === undefined ? '' : merkleRoot({ microblockHashes: [below.microblock], statBlockHashes: [] })

const PAGE = 10
/** Publishes the key blocks. */
const OTHER = `03${'cd'.repeat(32)}`
const ORIGIN = 2

/**
 * @param secondsNow dates the blocks. @default one second after the other, since 1970
 * @param name tells its blocks from those of another one
 */
export function modelChain(account: Address, secondsNow?: () => number, name = ''): ModelChain {
  const asked: string[] = []
  const faults: ModelChain['faults'] = { failing: 0, lag: 0, heightLie: 0, isCalculating: false }
  let made = 0
  const nextHash = (): Hash => sha256Hex(`${name}block ${made++}`)
  const block = (rewards: readonly bigint[], paid: bigint): Block => ({
    hash: nextHash(),
    time: secondsNow?.() ?? made,
    microblock: nextHash(),
    rewards,
    paid,
  })
  const blocks: Block[] = Array.from({ length: ORIGIN + 1 }, () => block([], 0n))

  /** Returns the blocks that the node shows: fewer than exist while it lags. */
  const shown = (): readonly Block[] => blocks.slice(0, Math.max(ORIGIN, blocks.length - faults.lag))

  const recordHashes = new Map<string, Hash>()
  /** Hashes of blocks by the hashes of what they paid for. */
  const paidIn = new Map<Hash, Hash>()
  /** Long histories are asked for page by page. */
  function recordHash(block: Hash, nth: number): Hash {
    const name = `${block} ${nth}`
    const hash = recordHashes.get(name) ?? sha256Hex(name)
    recordHashes.set(name, hash)
    paidIn.set(hash, block)
    return hash
  }

  function linesOf(chain: readonly Block[]): readonly Line[] {
    let index = 0
    return chain.flatMap(({ hash, time, rewards, paid }) => {
      if (paid !== 0n) index++
      return rewards.map((amount, nth) => ({
        index: index++,
        hash: recordHash(hash, nth),
        amount,
        time,
      }))
    })
  }

  const balanceOf = (chain: readonly Block[]): bigint =>
    chain.reduce(
      (sum, { rewards, paid }) => rewards.reduce((part, one) => part + one, sum + paid),
      1_000_000n,
    )

  function keyBlock(chain: readonly Block[], height: number) {
    const isOpen = height >= chain.length - 1 && faults.isCalculating
    return {
      hash: chain[height]?.hash,
      n: height,
      time: chain[height]?.time ?? 0,
      publisher: account,
      nonce: 0,
      link: chain[height - 1]?.hash ?? sha256Hex('before the first'),
      sprout: 'ENQGENESIS',
      m_root: rootOf(chain[height - 1]),
      leader_sign: null,
      reward: isOpen ? null : 1,
      target_diff: 10,
    }
  }

  /** Of what a reward was paid for, or of the microblock of a macroblock; undefined where the node has neither. */
  function header(chain: readonly Block[], hash: Hash) {
    const block = chain.find(({ hash: own, microblock }) => microblock === hash || own === paidIn.get(hash))
    if (block === undefined) return undefined
    return {
      kblocks_hash: block.hash,
      publisher: account,
      referrer: null,
      mblocks_hash: hash,
      reward: 5,
      nonce: 1,
      token: ZERO_TOKEN_ID,
    }
  }

  function answer(path: string, query: URLSearchParams): unknown {
    const chain = shown()
    switch (path) {
      case '/height':
        return { height: chain.length + faults.heightLie }
      case '/macroblock_by_height': {
        const height = Number(query.get('height'))
        // A node that is behind has the next one open, with nothing in it yet.
        const isOpen = height === chain.length && height < blocks.length
        if (isOpen) return { kblock: { ...keyBlock(blocks, height), reward: null }, mblocks: [], sblocks: [] }
        if (height >= chain.length) return undefined
        const mblocks = [{ hash: chain[height]?.microblock, tx_cnt: 1 }]
        return { kblock: keyBlock(chain, height), mblocks, sblocks: [] }
      }
      case '/macroblock': {
        const height = chain.findIndex(({ hash }) => hash === query.get('hash'))
        return height < 0 ? undefined : { kblock: keyBlock(chain, height), mblocks: [], sblocks: [] }
      }
      case '/balance':
        return {
          amount: balanceOf(chain).toString(),
          token: ZERO_TOKEN_ID,
          ticker: 'DEV',
          decimals: 10,
          delegated: 0,
          reward: 0,
          transit: 0,
          undelegated: 0,
        }
      case '/mblock':
        return { transactions: [], header: header(chain, query.get('hash') as Hash) }
      case '/eindex_by_hash': {
        const hash = query.get('hash') as Hash
        const block = chain.find((one) => one.microblock === hash || one.hash === hash)
        if (block === undefined) return []
        const isMined = block.microblock === hash
        const publisher = isMined ? account : OTHER
        return [{ id: publisher, hash, time: block.time, rectype: isMined ? 'im' : 'ik', value: '5' }]
      }
      case '/native_token':
        return { hash: ZERO_TOKEN_ID }
      case '/token_info':
      case '/get_stake_limits':
      case '/referrer_stake':
        return undefined
      case '/account_rewards':
      case '/account_refreward':
        return page(linesOf(chain), Number(query.get('page')))
      default:
        throw new Error(`the model does not know ${path}`)
    }
  }

  function page(lines: readonly Line[], number: number): unknown {
    const head = { balance: 0, id: account }
    if (lines.length === 0) return head
    const from = Math.max(0, lines.length - PAGE * (number + 1))
    const records = lines.slice(from, Math.max(0, lines.length - PAGE * number)).reverse()
    return {
      ...head,
      records: records.map(({ index, hash, amount, time }, at) => ({
        i: index,
        irew: at,
        hash,
        time,
        rectype: 'im',
        amount: amount.toString(),
        refreward: amount.toString(),
        ticker: null,
      })),
      page_count: Math.ceil((lines.length - 1) / PAGE),
    }
  }

  async function request({ path, query = '' }: TransportRequest) {
    asked.push(path)
    if (faults.failing > 0) {
      faults.failing--
      throw apiError('REQUEST_FAILED', { path, reason: 'scripted' })
    }
    const value = answer(path, new URLSearchParams(query))
    const isAbsent = value === undefined && path.startsWith('/macroblock')
    const text = isAbsent
      ? '{"err":1,"message":"no such macroblock"}'
      : value === undefined
        ? ''
        : stringifyJson(value as never)
    return { status: isAbsent ? 404 : 200, contentType: 'application/json', text }
  }

  return {
    asked,
    faults,
    clientOf: (clock) =>
      createClient({
        apiUrl: 'http://127.0.0.1:1/api/v1',
        clock,
        randomness: () => 0.5,
        retry: { maxAttempts: 1 },
        transport: { request },
      }),
    mine: (rewards, paid = 0n) => void blocks.push(block(rewards, paid)),
    refill: (rewards) => {
      const before = blocks.pop()
      blocks.push({ ...block(rewards, 0n), ...(before && { hash: before.hash, time: before.time }) })
    },
    rollBack: (depth) => void blocks.splice(Math.max(ORIGIN + 1, blocks.length - depth)),
    height: () => blocks.length,
    balance: () => balanceOf(blocks),
    keyBlockHash: () => blocks.at(-1)?.hash as Hash,
    microblockHash: () => blocks.at(-1)?.microblock as Hash,
    lines: () => linesOf(blocks),
  }
}
