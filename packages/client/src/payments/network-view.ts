import { type Address, type Hash, pendingAccountEndpoint, type TransactionStatus } from '@hailstone/protocol'
import { getHeight } from '../actions/get-height.ts'
import { getMacroblock } from '../actions/get-macroblock.ts'
import { getMacroblockByHash } from '../actions/get-macroblock-by-hash.ts'
import { getTransaction, type TransactionInfo } from '../actions/get-transaction.ts'
import { getTransactions } from '../actions/get-transactions.ts'
import { callEndpointOrNothing } from '../call-endpoint.ts'
import { chainIdentity } from '../chain/chain-identity.ts'
import { createConcurrencyLimit } from '../chain/concurrency-limit.ts'
import type { ClientCore } from '../client-core.ts'
import { type PinnedCore, pinnedCore } from '../pinned-core.ts'
import type { PaymentPlace } from './payment.ts'

/** Transactions of an account by hash, as far back as asked. */
type SenderHistory = {
  readonly statuses: ReadonlyMap<Hash, TransactionStatus>
  /** True if nothing newer than the anchor was left out. */
  readonly isComplete: boolean
}

/** Depth of a place: enough macroblocks on top, not yet enough, or the reason why the answers do not fit together. */
export type Depth = { readonly isDeep: boolean } | { readonly contradiction: string }

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
  /** Proves a depth by the macroblocks on top: the node shows them, and each links to the one below. */
  readonly depthOf: (place: PaymentPlace, confirmations: number) => Promise<Depth>
  readonly historySince: (sender: Address, anchor: Hash | null) => Promise<SenderHistory>
}

/** Questions at a time. */
const CONCURRENCY = 8
/** A hundred transactions; copies of older ones are asked for by hash. */
const MAX_PAGES = 10
const MAX_HEIGHTS = 1_000

const lower = (hash: string): Hash => hash.toLowerCase() as Hash

/** The views of a program, one for each API node. */
export type NetworkViews = {
  /** The node in use now. */
  readonly current: () => NetworkView
  /** Identity of the chain by the newest answer of any node; undefined before the first. */
  readonly lastChain: () => string | undefined
}

export function createNetworkViews(client: ClientCore, signal: AbortSignal): NetworkViews {
  const views = new Map<string, NetworkView>()
  let last: string | undefined
  const onChain = (chain: string): void => {
    last = chain
  }
  return {
    current: () => {
      const core = pinnedCore(client)
      const view = views.get(core.source) ?? createNetworkView(core, { signal, onChain })
      views.set(core.source, view)
      return view
    },
    lastChain: () => last,
  }
}

function createNetworkView(
  core: PinnedCore,
  { signal, onChain }: { readonly signal: AbortSignal; readonly onChain: (chain: string) => void },
): NetworkView {
  const limit = createConcurrencyLimit(CONCURRENCY)
  const heights = new Map<Hash, number>()

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
    if (macroblock === undefined) return undefined
    if (macroblock.keyBlock.hash !== place.keyBlockHash) return false
    return macroblock.microblocks.some(({ hash }) => lower(hash) === lower(place.microblockHash))
  }

  const depthOf = async (place: PaymentPlace, confirmations: number): Promise<Depth> => {
    const { height, keyBlockHash } = place
    if ((await tipHeight()) - height < confirmations) return { isDeep: false }
    if ((await isOnChain(place)) !== true)
      return { contradiction: 'the block it names is not part of the chain' }
    let below: string = keyBlockHash
    for (let above = height + 1; above <= height + confirmations; above++) {
      const keyBlock = (await macroblockAt(above))?.keyBlock
      if (keyBlock?.link !== below) return { contradiction: `block ${above} does not follow its block` }
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
      const chain = await chainIdentity(core, { signal })
      onChain(chain)
      return chain
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
  for (let page = 0; page < MAX_PAGES; page++) {
    const { records, isLast } = await limit(() => getTransactions(client, { address, page, signal }))
    for (const { hash, status } of records) {
      if (lower(hash) === anchor) return { statuses, isComplete: true }
      // A self-transfer has two records of one status; confirmed wins over what a reorganisation left behind.
      if (statuses.get(lower(hash)) !== 'confirmed') statuses.set(lower(hash), status)
    }
    if (isLast) return { statuses, isComplete: true }
  }
  return { statuses, isComplete: false }
}

/**
 * Lets callers share a request. Each caller gets the answer to a request that was sent after its call: one that is
 * already under way may be out of date, so all callers meanwhile share the next one.
 */
function coalesce<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<T> | undefined
  return () => {
    waiting ??= running
      .catch(() => undefined)
      .then(() => {
        waiting = undefined
        const asked = ask()
        running = asked
        return asked
      })
    return waiting
  }
}

/** Like {@link coalesce}, keyed by argument. An entry is dropped when its request is answered. */
function coalesceBy<Key extends string | number, T>(ask: (key: Key) => Promise<T>): (key: Key) => Promise<T> {
  const questions = new Map<Key, { readonly put: () => Promise<T>; waiting: number }>()
  return async (key) => {
    const question = questions.get(key) ?? { put: coalesce(() => ask(key)), waiting: 0 }
    questions.set(key, question)
    question.waiting++
    try {
      return await question.put()
    } finally {
      question.waiting--
      if (question.waiting === 0) questions.delete(key)
    }
  }
}
