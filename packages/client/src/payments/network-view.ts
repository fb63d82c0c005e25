import {
  type Address,
  apiError,
  type Hash,
  isNodeError,
  pendingAccountEndpoint,
  type TransactionStatus,
} from '@hailstone/protocol'
import { type Claim, isProved, repeated } from '@hailstone/runtime'
import { getHeight } from '../actions/get-height.ts'
import { getMacroblock, type MacroblockInfo } from '../actions/get-macroblock.ts'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import { getTransaction, type TransactionInfo } from '../actions/get-transaction.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { joinedPage } from '../actions/history.ts'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import { chainIdentity } from '../chain/chain-identity.ts'
import { createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import { type Naming, namedBelow } from '../chain/named-below.ts'
import type { ClientCore } from '../client-core.ts'
import { type PinnedCore, pinnedCore } from '../pinned-core.ts'
import type { Transport } from '../transport/transport.ts'
import { coalesce, coalesceBy } from './coalesce.ts'
import type { PaymentPlace } from './payment.ts'

/** Transactions of an account by hash, as far back as asked. */
type SenderHistory = {
  readonly statuses: ReadonlyMap<Hash, TransactionStatus>
  /** True if nothing newer than the anchor was left out. */
  readonly isComplete: boolean
  /** Hash of the newest transaction; null for an account without transactions. */
  readonly newest: Hash | null
}

/** Depth of a place: enough macroblocks on top, not yet enough, or the reason why the answers do not fit together. */
type Depth = { readonly isDeep: boolean } | { readonly contradiction: string }

/** Queries of payments to one API node. Concurrent identical queries share one request. */
export type NetworkView = {
  /** A client whose requests all go to this node. */
  readonly core: PinnedCore
  /** Identity of the chain that the node serves, by a request that was sent after the call. */
  readonly chain: () => Promise<string>
  /** The open key block; another one after every macroblock and every fork. */
  readonly tip: () => Promise<{ readonly height: number; readonly keyBlockHash: Hash | undefined }>
  /** Hashes of what an account has waiting in the pool. */
  readonly pooledBy: (sender: Address) => Promise<ReadonlySet<Hash>>
  readonly transaction: (hash: Hash) => Promise<TransactionInfo | undefined>
  readonly heightOf: (keyBlockHash: Hash) => Promise<number | undefined>
  /**
   * True if the node shows this place, false if it shows another macroblock or other microblocks at that height; undefined
   * if it does not show that height, which says nothing. Comparing the key block is not enough: after a fork the same key
   * block can hold other microblocks, which only the next key block commits to.
   */
  readonly isOnChain: (place: PaymentPlace) => Promise<boolean | undefined>
  /**
   * Proves a depth by the macroblocks on top: the node shows them, each links to the one below, and the first commits to the
   * microblocks of the place.
   */
  readonly depthOf: (place: PaymentPlace, confirmations: number) => Promise<Depth>
  readonly historySince: (sender: Address, anchor: Hash | null) => Promise<SenderHistory>
}

/** Questions at a time. */
const CONCURRENCY = 8
/** Five hundred transactions; copies of older ones are asked for by hash. */
const MAX_PAGES = 50
const MAX_HEIGHTS = 1_000
/** Answers with a macroblock whose Merkle root no rule gives, and the time from the first to the last, before it counts. */
const UNRULED = { answers: 5, overMs: 300_000 }

const lower = (hash: string): Hash => hash.toLowerCase() as Hash

/** True if a macroblock is the one of a place, and has the microblock. */
const holds = (
  { keyBlock, microblocks }: MacroblockInfo,
  { keyBlockHash, microblockHash }: PaymentPlace,
): boolean =>
  keyBlock.hash === keyBlockHash && microblocks.some(({ hash }) => lower(hash) === lower(microblockHash))

/** The views of a program, one for each API node. */
export type NetworkViews = {
  /** The node in use now. */
  readonly current: () => NetworkView
  /** The nodes that are configured, in turn. */
  readonly turn: (count: number) => NetworkView
  /**
   * Identity of the chain that the API serves; undefined before the first answer. Another one counts when every node has
   * named it for a while: one node may be wrong, and one moment.
   */
  readonly lastChain: () => string | undefined
  /** True if every answer has named that chain for a while. */
  readonly isSteady: () => boolean
  /**
   * Asserts that a chain is the one that the API serves. Every configured node is asked before the first payment, and again
   * before the first one on another chain; those that answer have to agree. Unless the chain is `usual`, that of every payment
   * of the journal, each node is asked several times, and those that do not answer are asked again for ten seconds. Where
   * `usual` is another chain, every node has to answer.
   *
   * @throws {NodeError} `NETWORK_MISMATCH`
   */
  readonly assertServed: (chain: string, options: { readonly usual: string | undefined }) => Promise<void>
}

/** Time for which every answer has to name another chain before it is the one that is served, in ms. */
const STEADY_MS = 60_000
/** The same where several nodes are configured: the right one may be away for long. */
const STEADY_OF_SEVERAL_MS = 600_000
/** Answers of each node about a chain that is not the usual one. */
const ANSWERS = 5
/** Before each time that the nodes which have not answered are asked for their chain, in ms. */
const SILENT_PAUSES_MS = [0, 1_000, 3_000, 6_000]
/** Time after which they are not asked again, in ms: each time may last as long as the client waits for an answer. */
const SILENT_FOR_MS = 10_000

export function createNetworkViews(client: ClientCore, signal: AbortSignal): NetworkViews {
  const views = new Map<string, NetworkView>()
  let served: string | undefined
  let servedSinceMs = 0
  let other: { readonly chain: string; readonly claim: Claim } | null = null
  let asked: { readonly chain: string; readonly answer: Promise<void> } | undefined
  const nodes = client.transport.nodes?.() ?? []
  const steadyMs = nodes.length > 1 ? STEADY_OF_SEVERAL_MS : STEADY_MS
  const onChain = (chain: string, source: string): void => {
    const atMs = client.clock.monotonicMs()
    if (served === undefined) [served, servedSinceMs] = [chain, atMs]
    if (chain === served) {
      other = null
      return
    }
    servedSinceMs = atMs
    const claim = repeated(other?.chain === chain ? other.claim : null, { source, atMs })
    other = { chain, claim }
    if (isProved(claim, { answers: 2, overMs: steadyMs }))
      [served, servedSinceMs, other] = [chain, claim.sinceMs, null]
  }
  /**
   * Nodes that cannot be asked say nothing; those that answer must not disagree, nor one of them with itself: its address may
   * lead to several. The name of a first block that is configured was compared with each answer.
   */
  const askAll = async (chain: string, usual: string | undefined): Promise<void> => {
    const { originHash } = client.network
    // Chains that begin with the same name, such as two local networks, differ in its publisher alone.
    const isNamed = originHash !== undefined && usual?.split(' ')[0] !== originHash.toLowerCase()
    const isProved = usual === chain || isNamed
    const untilMs = client.clock.monotonicMs() + SILENT_FOR_MS
    const chains = new Set<string>()
    let silent = nodes.length > 0 ? nodes : [client.transport]
    const chainsOf = async (transport: Transport): Promise<readonly string[]> => {
      const identity = () => chainIdentity({ ...client, transport }, { signal })
      const answers = await Promise.allSettled(Array.from({ length: isProved ? 1 : ANSWERS }, identity))
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    }
    for (const pauseMs of isProved ? [0] : SILENT_PAUSES_MS) {
      if (silent.length === 0 || client.clock.monotonicMs() >= untilMs) break
      if (pauseMs > 0) await client.clock.sleep(pauseMs, signal)
      const named = await Promise.all(silent.map(chainsOf))
      for (const chain of named.flat()) chains.add(chain)
      silent = silent.filter((_, at) => named[at]?.length === 0)
    }
    const [expected, received] = chains
    if (expected !== undefined && received !== undefined)
      throw apiError('NETWORK_MISMATCH', { expected, received })
    // A node that is away may be the one that serves the chain of the payments so far.
    if (!isProved && usual !== undefined && silent.length > 0)
      throw apiError('NETWORK_MISMATCH', { expected: usual, received: chain })
  }
  const viewOf = (core: PinnedCore): NetworkView => {
    const view = views.get(core.source) ?? createNetworkView(core, { signal, onChain })
    views.set(core.source, view)
    return view
  }
  return {
    current: () => viewOf(pinnedCore(client)),
    turn: (count) => {
      const sorted = [...nodes].sort((a, b) => (a.source < b.source ? -1 : 1))
      const transport = sorted[count % Math.max(1, sorted.length)]
      return viewOf(
        transport === undefined ? pinnedCore(client) : { ...client, transport, source: transport.source },
      )
    },
    lastChain: () => served,
    isSteady: () => served !== undefined && client.clock.monotonicMs() - servedSinceMs >= steadyMs,
    assertServed: async (chain, { usual }) => {
      if (asked?.chain !== chain) asked = { chain, answer: askAll(chain, usual) }
      await asked.answer.catch((error: unknown) => {
        asked = undefined
        throw error
      })
      if (served !== undefined && chain !== served)
        throw apiError('NETWORK_MISMATCH', { expected: served, received: chain })
    },
  }
}

function createNetworkView(
  core: PinnedCore,
  {
    signal,
    onChain,
  }: { readonly signal: AbortSignal; readonly onChain: (chain: string, source: string) => void },
): NetworkView {
  const limit = createConcurrencyLimit(CONCURRENCY)
  const heights = new Map<Hash, number>()
  /** By the place of a payment: that it is below a key block with a root that no rule gives. */
  const unruled = new Map<string, Claim>()

  const heightOf = coalesceBy(async (hash: Hash): Promise<number | undefined> => {
    const known = heights.get(hash)
    if (known !== undefined) return known
    const macroblock = await limit(() => getMacroblockByHash(core, { hash, signal }))
    const height = macroblock?.keyBlock.height
    if (heights.size >= MAX_HEIGHTS) heights.clear()
    if (height !== undefined) heights.set(hash, height)
    return height
  })

  const macroblockAt = coalesceBy((height: number) => limit(() => getMacroblock(core, { height, signal })))
  const tipHeight = coalesce(() => getHeight(core, { signal }))

  const isOnChain = async (place: PaymentPlace): Promise<boolean | undefined> => {
    const macroblock = await macroblockAt(place.height)
    return macroblock && holds(macroblock, place)
  }

  /**
   * True if a key block names the macroblock of a place below it. An API may leave out what its root is made of: the same
   * answer counts when it is repeated for minutes, and no other one comes.
   */
  const isNamedBy = async (above: Naming, macroblock: MacroblockInfo, name: string): Promise<boolean> => {
    if (await namedBelow(above, core, signal)(macroblock)) return true
    const claim = repeated(unruled.get(name) ?? null, {
      source: core.source,
      atMs: core.clock.monotonicMs(),
    })
    if (unruled.size >= MAX_HEIGHTS) unruled.clear()
    unruled.set(name, claim)
    return isProved(claim, UNRULED)
  }

  const depthOf = async (place: PaymentPlace, confirmations: number): Promise<Depth> => {
    const { height, keyBlockHash } = place
    if ((await tipHeight()) - height < confirmations) return { isDeep: false }
    const macroblock = await macroblockAt(height)
    if (macroblock?.isCalculated === false) return { isDeep: false }
    const name = `${keyBlockHash} ${place.microblockHash}`
    if (macroblock === undefined || !holds(macroblock, place)) {
      if (macroblock !== undefined) unruled.delete(name)
      return { contradiction: 'the block it names is not part of the chain' }
    }
    let below: string = keyBlockHash
    for (let above = height + 1; above <= height + confirmations; above++) {
      const keyBlock = (await macroblockAt(above))?.keyBlock
      if (keyBlock?.link !== below) return { contradiction: `block ${above} does not follow its block` }
      // Another node may have shown the macroblock, as it was before a fork.
      if (above === height + 1 && !(await isNamedBy(keyBlock, macroblock, name)))
        return { contradiction: 'the block on top of it names other microblocks' }
      below = keyBlock.hash
    }
    return { isDeep: true }
  }

  const histories = coalesceBy((key: string) => {
    const [sender = '', anchor = ''] = key.split(' ')
    return historySince(core, { sender: sender as Address, anchor, limit, signal })
  })

  return {
    core,
    chain: coalesce(async () => {
      try {
        const chain = await chainIdentity(core, { signal })
        onChain(chain, core.source)
        return chain
      } catch (error) {
        // It is not the network that is configured.
        if (isNodeError(error, 'NETWORK_MISMATCH')) core.transport.distrust?.(core.source)
        throw error
      }
    }),
    heightOf,
    tip: coalesce(async () => {
      const height = await getHeight(core, { signal })
      return { height, keyBlockHash: (await macroblockAt(height))?.keyBlock.hash }
    }),
    pooledBy: coalesceBy((sender: Address) => pooledBy(core, sender, signal)),
    transaction: (hash) => limit(() => getTransaction(core, { hash, signal })),
    isOnChain,
    depthOf,
    historySince: (sender, anchor) => histories(`${sender} ${anchor ?? ''}`),
  }
}

async function pooledBy(
  client: ClientCore,
  sender: Address,
  signal: AbortSignal,
): Promise<ReadonlySet<Hash>> {
  const query = { address: sender, filter: 'from' }
  const entries = await callEndpointOrNothing(client, pendingAccountEndpoint, query, { signal })
  return new Set((entries ?? []).map(({ hash }) => lower(hash)))
}

async function historySince(
  client: ClientCore,
  parameters: {
    readonly sender: Address
    readonly anchor: string
    readonly limit: ReturnType<typeof createConcurrencyLimit>
    readonly signal: AbortSignal
  },
): Promise<SenderHistory> {
  const { sender: address, anchor, limit, signal } = parameters
  const statuses = new Map<Hash, TransactionStatus>()
  const answer = (isComplete: boolean): SenderHistory => {
    const [newest = null] = statuses.keys()
    return { statuses, isComplete, newest: newest ?? ((anchor || null) as Hash | null) }
  }
  let lowest = Number.POSITIVE_INFINITY
  const read = (page: number) => limit(() => getTransactions(client, { address, page, signal }))
  for (let page = 0; page < MAX_PAGES; page++) {
    const { records, isLast } = await joinedPage(read, page, lowest)
    lowest = Math.min(lowest, records.at(-1)?.index ?? lowest)
    for (const { hash, status } of records) {
      if (lower(hash) === anchor) return answer(true)
      // A self-transfer has two records of one status; confirmed wins over what a reorganisation left behind.
      if (statuses.get(lower(hash)) !== 'confirmed') statuses.set(lower(hash), status)
    }
    if (isLast) return answer(true)
  }
  return answer(false)
}
