import { type Client, type Clock, createClient } from '@hailstone/client'
import {
  type Address,
  type Hash,
  merkleRoot,
  sha256Hex,
  stringifyJson,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'

type Record = { readonly account: string; readonly recordType: string; readonly amount: bigint }
type Block = {
  readonly hash: Hash
  /** What `/eindex_by_hash` has of it. */
  readonly records: readonly Record[]
  /** Of the header. */
  readonly reward: bigint
}
type Macroblock = {
  readonly hash: Hash
  readonly time: number
  readonly microblocks: readonly Block[]
  readonly statBlocks: readonly Block[]
}

/** A question to a node of the chain; `name` is the hash or height that is asked for. */
type Asked = { readonly path: string; readonly name: string }

/** A chain whose macroblocks pay accounts, behind one address that several nodes may answer. */
export type PayingChain = {
  readonly client: Client
  /** Adds a macroblock that is calculated at once. */
  readonly mine: (parts?: Partial<Pick<Macroblock, 'microblocks' | 'statBlocks'>>) => Macroblock
  /** Macroblocks that the node lacks to which a question goes. */
  behind: (asked: Asked) => number
  /** Takes the newest macroblocks away; the lowest of them is open again under the same name, as after a fork (PROTOCOL 2.9). */
  readonly fork: (depth: number) => void
  /** True for a question to a node that still has what the last fork took away. */
  isLeft: (asked: Asked) => boolean
  /** Ledger that the key block above this height commits to, too, and what `/macroblock` says of it; undefined where that fails. */
  snapshot: { readonly height: number; readonly hash: Hash; readonly shown: Hash | null | undefined } | null
  /** Questions, oldest first. */
  readonly asked: Asked[]
  readonly height: () => number
}

/** Whose rewards nobody looks for. */
export const somebody = `03${'cd'.repeat(32)}`
const publisher = `02${'ab'.repeat(32)}` as Address
let made = 0
const nextHash = (): Hash => sha256Hex(`paying ${made++}`)

/** A block that pays an account, or nobody. */
export const blockOf = (records: readonly Record[], reward = 5n): Block => ({
  hash: nextHash(),
  records,
  reward,
})

export const paid = (amount: bigint, recordType = 'im'): Record => ({
  account: publisher,
  recordType,
  amount,
})

/** Macroblocks that are there before a test begins; the amounts they pay are their heights. */
export const MINED_BEFORE = 8
const BLOCK_SECONDS = 15

export function payingChain(clock: Clock): PayingChain {
  const secondsNow = (): number => Math.floor(clock.now() / 1_000)
  const blocks: Macroblock[] = []
  let left: readonly Macroblock[] = []
  const asked: Asked[] = []
  let open = { hash: nextHash(), time: secondsNow() - MINED_BEFORE * BLOCK_SECONDS }

  function close(parts: Parameters<PayingChain['mine']>[0], time: number): Macroblock {
    const { microblocks, statBlocks = [] } = parts ?? {}
    const ours = blockOf([paid(BigInt(blocks.length))])
    const macroblock = { ...open, microblocks: microblocks ?? [ours], statBlocks }
    blocks.push(macroblock)
    open = { hash: nextHash(), time }
    return macroblock
  }
  for (let left = MINED_BEFORE; left > 0; left--) close({}, open.time + BLOCK_SECONDS)

  function rootOf(below: Macroblock | undefined, height: number): string {
    if (below === undefined) return ''
    const { snapshot } = self
    return merkleRoot({
      microblockHashes: below.microblocks.map(({ hash }) => hash),
      statBlockHashes: below.statBlocks.map(({ hash }) => hash),
      snapshotHash: snapshot?.height === height ? snapshot.hash : null,
    })
  }

  function macroblockAt(chain: readonly Macroblock[], height: number) {
    const isOpen = height === chain.length
    const found = isOpen ? { ...(blocks[height] ?? open), microblocks: [], statBlocks: [] } : chain[height]
    if (found === undefined) return undefined
    const named = (list: readonly Block[]) => list.map(({ hash }) => ({ hash, tx_cnt: 1 }))
    return {
      kblock: {
        hash: found.hash,
        n: height,
        time: found.time,
        publisher,
        nonce: 0,
        link: chain[height - 1]?.hash ?? sha256Hex('before the first'),
        sprout: 'ENQGENESIS',
        m_root: rootOf(chain[height - 1], height - 1),
        leader_sign: null,
        reward: isOpen ? null : 1,
        target_diff: 10,
      },
      mblocks: named(found.microblocks),
      sblocks: named(found.statBlocks),
    }
  }

  function answer(path: string, name: string): unknown {
    const shown = self.isLeft({ path, name }) ? left : blocks
    const chain = shown.slice(0, shown.length - self.behind({ path, name }))
    const isNamed = ({ hash }: { readonly hash: Hash }): boolean => hash === name
    switch (path) {
      case '/height':
        return { height: chain.length }
      case '/macroblock_by_height':
        return macroblockAt(chain, Number(name))
      case '/macroblock': {
        const { snapshot } = self
        const height = chain.findIndex(isNamed)
        if (snapshot?.shown === undefined) throw new Error('no such route')
        return {
          ...macroblockAt(chain, height),
          snapshot_hash: snapshot.height === height ? snapshot.shown : null,
        }
      }
      case '/eindex_by_hash': {
        if (chain.some(isNamed)) return [{ id: somebody, hash: name, time: 0, rectype: 'ik', value: 1 }]
        const block = chain
          .flatMap(({ microblocks, statBlocks }) => [...microblocks, ...statBlocks])
          .find(isNamed)
        return (block?.records ?? []).map(({ account, recordType, amount }) => ({
          id: account,
          hash: name,
          time: 0,
          rectype: recordType,
          value: String(amount),
        }))
      }
      case '/mblock': {
        const block = chain.flatMap(({ microblocks }) => microblocks).find(isNamed)
        const header = block && {
          kblocks_hash: chain.find(({ microblocks }) => microblocks.includes(block))?.hash,
          publisher,
          referrer: null,
          mblocks_hash: name,
          reward: String(block.reward),
          nonce: 1,
          token: ZERO_TOKEN_ID,
        }
        return { transactions: [], header }
      }
      case '/native_token':
        return { hash: ZERO_TOKEN_ID }
      default:
        throw new Error(`the chain does not know ${path}`)
    }
  }

  const self: PayingChain = {
    asked,
    mine: (parts) => close(parts, secondsNow()),
    fork: (depth) => {
      left = [...blocks]
      const [lowest = open] = blocks.splice(-depth)
      open = lowest
    },
    behind: () => 0,
    isLeft: () => false,
    snapshot: null,
    height: () => blocks.length,
    client: createClient({
      apiUrl: 'http://127.0.0.1:1/api/v1',
      clock,
      randomness: () => 0.5,
      retry: { maxAttempts: 1 },
      transport: {
        request: async ({ path, query = '' }) => {
          const [name = ''] = new URLSearchParams(query).values()
          asked.push({ path, name })
          const value = answer(path, name)
          const text =
            value === undefined ? '{"err":1,"message":"no such height"}' : stringifyJson(value as never)
          return { status: value === undefined ? 404 : 200, contentType: 'application/json', text }
        },
      },
    }),
  }
  return self
}
