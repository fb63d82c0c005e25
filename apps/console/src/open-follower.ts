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
  /** Alerts that have started and not ended. */
  readonly activeAlerts: number
  /** Sentence about alerts that are not judged; null while they are. */
  readonly alertsFailure: string | null
}

/** The token that is shown: its name on the chain, and its rules as the index has them. */
export type ShownToken = Pick<TokenRules, 'mining'> & {
  /** Its number in the tables. */
  readonly number: number
  readonly id: TokenId
  readonly symbol: string
  readonly decimals: number
  /** True if the fee of a transfer comes off its amount; false if it is paid in native coins. */
  readonly hasFeeInside: boolean
  /** Native units that the owner pays for a transfer of the token; 0 until the API has said so. */
  readonly nativeFee: bigint
}

export type Follower = AsyncDisposable & {
  readonly index: Index
  /** Client of the API from which the index is read. */
  readonly client: Client
  /** The token as the tables had it at the newest look; a rebuild may give it another number. */
  readonly token: ShownToken
  readonly status: () => ChainStatus
  /** Brings the index up to the API. Resolves with the number of new heights. */
  readonly catchUp: () => Promise<number>
  /** Calls back after each change of the tables or of the status, until the function that it returns is called. */
  readonly subscribe: (listener: () => void) => () => void
  /** Puts the number of active alerts into the status. */
  readonly noteAlerts: (active: number) => void
  /** Puts into the status why alerts are not judged, or null. */
  readonly noteAlertsFailure: (failure: string | null) => void
}

const states: Readonly<Record<IndexStatus, ChainStatus['state']>> = {
  walking: 'starting',
  current: 'following',
  behind: 'behind',
  'api lies': 'lying',
  'deep fork': 'forked',
}

const tablesEmpty = (): Error =>
  new Error('The tables of the index are empty. Restore them, or start the console again to begin anew.')

/** Reads the token as the tables have it. */
export async function readToken(
  queries: Index['queries'],
  tokenId: TokenId,
  nativeFee: bigint,
): Promise<ShownToken> {
  const { id, symbol, decimals } = await queries
    .selectFrom('token')
    .select(['id', 'symbol', 'decimals'])
    .where('token_id', '=', tokenId)
    .executeTakeFirstOrThrow(tablesEmpty)
  const rules = (await readRules(queries)).find((token) => token.id === id)
  const hasFeeInside = rules !== undefined && rules.feeType !== 2
  return { number: id, id: tokenId, symbol, decimals, mining: rules?.mining ?? null, hasFeeInside, nativeFee }
}

/** Becomes the writer of an index of one token. Nothing is walked before `catchUp`. */
export async function openFollower(parameters: {
  readonly index: Index
  readonly client: Client
  readonly tokenId: TokenId
  readonly signal?: AbortSignal | undefined
}): Promise<Follower> {
  const { index, client, tokenId, signal } = parameters
  const listeners = new Set<() => void>()
  let status: ChainStatus = {
    ...{ height: null, state: 'starting', failure: null, reorganisations: 0, activeAlerts: 0 },
    alertsFailure: null,
  }
  const change = (next: ChainStatus): void => {
    const isSame = (Object.keys(next) as (keyof ChainStatus)[]).every((key) => next[key] === status[key])
    status = next
    if (!isSame) for (const listener of listeners) listener()
  }
  const onCommit = (height: number): void => change({ ...status, height })
  const writer = await openWriter({ index, client, tokenIds: [tokenId], signal, onCommit })
  let nativeFee = 0n
  let token = await readToken(index.queries, tokenId, nativeFee)
  return {
    index,
    client,
    get token() {
      return token
    },
    status: () => status,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    noteAlerts: (activeAlerts) => change({ ...status, activeAlerts }),
    noteAlertsFailure: (alertsFailure) => change({ ...status, alertsFailure }),
    async catchUp() {
      try {
        const before = await index.queries
          .selectFrom('cursor')
          .select('height')
          .executeTakeFirstOrThrow(tablesEmpty)
        const { height, note, status: state, undone } = await writer.step()
        if (nativeFee === 0n)
          nativeFee = (await client.getNativeToken({ signal }).catch(() => undefined))?.feeValue ?? 0n
        token = await readToken(index.queries, tokenId, nativeFee)
        change({
          ...status,
          ...{ height, failure: note, state: states[state] },
          reorganisations: status.reorganisations + (undone > 0 ? 1 : 0),
        })
        return Math.max(0, height - before.height)
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error)
        change({ ...status, state: 'failing', failure })
        throw error
      }
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  }
}
