import type { Client } from '@hailstone/client'
import { type Index, type IndexStatus, openWriter, readRules, type TokenRules } from '@hailstone/indexer'
import type { TokenId } from '@hailstone/protocol'

/** State of the index, which every answer carries. */
export type ChainStatus = {
  /** Newest macroblock in the tables; null before the first. */
  readonly height: number | null
  /** `behind`: the API has a lower height than the tables or is away; nothing is taken back. */
  readonly state: 'starting' | 'following' | 'behind' | 'lying' | 'forked' | 'failing'
  /** Sentence about the state; null if there is nothing to say. */
  readonly failure: string | null
  readonly reorganisations: number
}

/** The token that is shown: its name on the chain, and its rules as the index has them. */
export type ShownToken = Pick<TokenRules, 'mining'> & {
  /** Its number in the tables. */
  readonly number: number
  readonly id: TokenId
  readonly symbol: string
  readonly decimals: number
}

export type Follower = AsyncDisposable & {
  readonly index: Index
  readonly token: ShownToken
  readonly status: () => ChainStatus
  /** Brings the index up to the API. Resolves with the number of new heights. */
  readonly catchUp: () => Promise<number>
}

const states: Readonly<Record<IndexStatus, ChainStatus['state']>> = {
  walking: 'starting',
  current: 'following',
  behind: 'behind',
  'api lies': 'lying',
  'deep fork': 'forked',
}

async function readToken({ queries }: Index, tokenId: TokenId): Promise<ShownToken> {
  const { id, symbol, decimals } = await queries
    .selectFrom('token')
    .select(['id', 'symbol', 'decimals'])
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow()
  const rules = (await readRules(queries)).find((token) => token.id === id)
  return { number: id, id: tokenId, symbol, decimals, mining: rules?.mining ?? null }
}

/** Becomes the writer of an index of one token. Nothing is walked before `catchUp`. */
export async function openFollower(parameters: {
  readonly index: Index
  readonly client: Client
  readonly tokenId: TokenId
  readonly signal?: AbortSignal | undefined
}): Promise<Follower> {
  const { index, client, tokenId, signal } = parameters
  const writer = await openWriter({ index, client, tokenIds: [tokenId], signal })
  const token = await readToken(index, tokenId)
  let status: ChainStatus = { height: null, state: 'starting', failure: null, reorganisations: 0 }
  return {
    index,
    token,
    status: () => status,
    async catchUp() {
      try {
        const before = await index.queries.selectFrom('cursor').select('height').executeTakeFirstOrThrow()
        const { height, note, status: state, undone } = await writer.step()
        status = {
          ...{ height, failure: note, state: states[state] },
          reorganisations: status.reorganisations + (undone > 0 ? 1 : 0),
        }
        return Math.max(0, height - before.height)
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        status = { ...status, state: 'failing', failure }
        throw error
      }
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
