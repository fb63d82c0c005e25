import type { Genesis, LedgerState } from '@hailstone/ledger'
import { hostError, type KeyBlock, type KeyBlockAnswer } from '@hailstone/protocol'
import { calculateMacroblock } from '../chain/calculate-macroblock.ts'
import type { SealedMacroblock } from '../chain/seal-macroblock.ts'
import { type ChainStore, type OpenedStore, openChainStore } from '../store/index.ts'

/** The chain that is followed. */
export type FollowedStore = Pick<ChainStore, 'tail' | 'keyBlockAt' | 'macroblocks' | 'branch'>

/** A copy of a chain that ends some macroblocks before it. */
type LaggingChain = {
  readonly store: ChainStore
  /** Brings the copy to its distance from the end of the chain, forwards or back. One call at a time. */
  readonly catchUp: () => Promise<void>
  readonly close: () => Promise<void>
}

type Parameters = {
  readonly source: FollowedStore
  readonly genesis: Pick<Genesis, 'parameters' | 'content'>
  readonly blocksBehind: number
  /** Ends the copying. */
  readonly signal: AbortSignal
}

/** Heights that are in memory at once. */
const HEIGHTS_PER_READ = 100

const bare = ({ leaderSignature: _, reward: __, ...keyBlock }: KeyBlockAnswer): KeyBlock => keyBlock

/** Opens a copy in memory, and calculates it anew from the first macroblock on. @throws the reason of the signal */
export async function openLaggingChain(parameters: Parameters): Promise<LaggingChain> {
  const { source, genesis } = parameters
  const store = await openChainStore()
  try {
    const origin = await source.keyBlockAt(0)
    if (origin === undefined) throw hostError('STORE_INVALID', { reason: 'it has no key block' })
    await store.initialise({ ...genesis, origin: bare(origin) })
    const chain = createLaggingChain(parameters, { store, ledger: await store.loadLedger() })
    await chain.catchUp()
    return chain
  } catch (error) {
    await store.close()
    throw error
  }
}

function createLaggingChain(
  { source, genesis, blocksBehind, signal }: Parameters,
  { store, ledger }: { readonly store: OpenedStore; readonly ledger: LedgerState },
): LaggingChain {
  const rules = genesis.parameters.ledger

  /** Leaves what is beyond the goal, and what is not on the chain any more. */
  async function goBack(goal: number): Promise<void> {
    const tail = await store.tail()
    let height = Math.min(tail.height, goal)
    const isShared = async (): Promise<boolean> =>
      (await store.keyBlockAt(height))?.hash === (await source.keyBlockAt(height))?.hash
    while (height > 0 && !(await isShared())) height--
    if (height === tail.height) return
    await store.truncateTo(height)
    ledger.replaceWith(await store.loadLedger())
  }

  /** The next macroblocks of the chain below a height; none if the chain went back meanwhile. */
  async function nextOf(tail: KeyBlock, below: number): Promise<readonly SealedMacroblock[]> {
    const to = Math.min(below, tail.height + HEIGHTS_PER_READ) - 1
    const branch = await source.branch()
    const macroblocks = await source.macroblocks({ from: tail.height, to })
    const end = await source.keyBlockAt(to + 1)
    const isWhole = macroblocks.length === to + 1 - tail.height && macroblocks[0]?.keyBlock.hash === tail.hash
    if (end === undefined || !isWhole || (await source.branch()) !== branch) return []
    return macroblocks.map((macroblock, at) => ({
      macroblock,
      nextKeyBlock: macroblocks[at + 1]?.keyBlock ?? bare(end),
    }))
  }

  async function append(sealed: SealedMacroblock): Promise<void> {
    signal.throwIfAborted()
    const { macroblock } = sealed
    const closed = await calculateMacroblock(ledger, { store, macroblock, rules })
    await store.appendMacroblock({ ...sealed, closed })
    ledger.applyChanges(closed.changes)
  }

  async function catchUp(): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const goal = Math.max(0, (await source.tail()).height - blocksBehind)
      await goBack(goal)
      const tail = await store.tail()
      if (tail.height === goal) return
      for (const sealed of await nextOf(tail, goal)) await append(sealed)
    }
  }

  return { store, catchUp, close: store.close }
}
