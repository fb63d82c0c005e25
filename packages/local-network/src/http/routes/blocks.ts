import {
  heightEndpoint,
  type KeyBlockAnswer,
  lastBlocksEndpoint,
  lastTransactionsEndpoint,
  type MacroblockAnswer,
  macroblockByHeightEndpoint,
  macroblockEndpoint,
  microblockEndpoint,
  microblocksEndpoint,
  statBlockEndpoint,
} from '@hailstone/protocol'
import type { ChainStore } from '../../store/index.ts'
import type { ApiParts } from '../api-parts.ts'
import { missing, notFound } from '../api-refusal.ts'
import { leadingNumber } from '../numbers.ts'
import { type Route, route } from '../route.ts'

const NEWEST = 10
const MAX_HEIGHTS = 10

async function byHeight(store: ChainStore, text: string | undefined): Promise<MacroblockAnswer> {
  if (text === undefined) throw missing('height')
  const height = leadingNumber(text)
  const macroblock = isHeight(height) ? await store.macroblockAt(height) : undefined
  if (macroblock === undefined) throw notFound(`There is no block at height ${text}.`)
  return macroblock
}

const HIGHEST = 2 ** 31 - 1
const isHeight = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= HIGHEST

async function byHash(store: ChainStore, hash: string | undefined) {
  if (hash === undefined) throw missing('hash')
  const macroblock = (await store.macroblockNamed(hash)) ?? { microblocks: [], statBlocks: [] }
  return { ...macroblock, snapshotHash: null }
}

async function microblock(store: ChainStore, hash: string | undefined) {
  if (hash === undefined) throw missing('hash')
  return (await store.wholeMicroblock(hash)) ?? { transactions: [], header: undefined }
}

/** `limit` counts heights, not microblocks. */
async function places(store: ChainStore, offset: string | undefined, limit: string | undefined) {
  const from = Math.trunc(leadingNumber(offset ?? ''))
  const heights = Math.min(MAX_HEIGHTS, Math.trunc(leadingNumber(limit ?? '')))
  if (heights <= 0 || from < 0 || from > HIGHEST) return []
  return store.microblockPlaces({ from, to: Math.min(HIGHEST, from + heights - 1) })
}

/** Once it is calculated a macroblock says the same for ever. */
const closedOnChain = (_: unknown, { keyBlock }: { readonly keyBlock?: KeyBlockAnswer | undefined }) =>
  keyBlock === undefined || keyBlock.reward === null ? null : 'on chain'

export const blockRoutes = ({ store }: ApiParts): readonly Route[] => [
  route(
    heightEndpoint,
    async () => {
      const { height } = await store.tail()
      return { height: height === 0 ? undefined : height }
    },
    { lasting: () => 'until next' },
  ),
  route(macroblockByHeightEndpoint, ({ height }) => byHeight(store, height), { lasting: closedOnChain }),
  route(macroblockEndpoint, ({ hash }) => byHash(store, hash), { lasting: closedOnChain }),
  route(microblockEndpoint, ({ hash }) => microblock(store, hash), {
    lasting: (_, { header }) => (header === undefined ? null : 'on chain'),
  }),
  route(statBlockEndpoint, async ({ hash }) => ({
    header: hash === undefined ? undefined : await store.statBlock(hash),
  })),
  route(lastBlocksEndpoint, async () => ({ blocks: await store.lastKeyBlocks(NEWEST) })),
  route(lastTransactionsEndpoint, async () => {
    const { height } = await store.tail()
    return { transactions: await store.transactionsAt(height - 1, NEWEST) }
  }),
  route(microblocksEndpoint, ({ offset, limit }) => places(store, offset, limit)),
]
