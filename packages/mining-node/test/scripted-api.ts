import { type Client, type Clock, createClient, type Transport } from '@hailstone/client'
import {
  type Address,
  apiError,
  type Hash,
  sha256Hex,
  stringifyJson,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { fastClock } from './fast-clock.ts'

/** State of a scripted network; the test changes it as it goes. */
export type ScriptedApi = {
  readonly client: Client
  /** Paths that were asked, oldest first, without query. */
  readonly asked: string[]
  height: number
  /** Time of key block 0 in Unix seconds; each follows the one before after a second. */
  readonly originSecond: number
  /** Heights at or above it are not calculated yet. */
  calculatedBelow: number
  balance: bigint
  /** Records of `account_rewards`, oldest first. */
  readonly rewards: ScriptedReward[]
  /** Microblocks by hash; unknown ones have no header. */
  readonly microblocks: Map<Hash, ScriptedMicroblock>
  /** Paths that fail now. */
  readonly failing: Set<string>
  /** Answers of paths instead of those of the script. */
  readonly said: Map<string, unknown>
}

type ScriptedMicroblock = {
  readonly publisher: Address
  readonly referralAgent: Address | null
  /** Of the key block that it was published for. @default 9 */
  readonly height?: number
}

type ScriptedReward = {
  readonly index: number
  readonly recordType: string
  readonly amount: bigint
  readonly hash: Hash
  /** Unix seconds. @default before any watch */
  readonly time?: number
}

const keyBlockHash = (height: number): Hash => sha256Hex(`key block ${height}`)

/** Key blocks from before the script are of height 3. */
function heightOf(state: ScriptedApi, hash: string | null): number {
  for (let height = state.height; height > 3; height--) if (keyBlockHash(height) === hash) return height
  return 3
}

/** A client over answers in memory: everything but the wire is real. */
export function scriptedApi(address: Address, clock: Clock = fastClock(100)): ScriptedApi {
  const asked: string[] = []
  const state: ScriptedApi = {
    asked,
    height: 10,
    // The key block that is open is younger than what begins now.
    originSecond: Math.floor(clock.now() / 1_000) - 9,
    calculatedBelow: 10,
    balance: 250n,
    rewards: [],
    microblocks: new Map(),
    failing: new Set(),
    said: new Map(),
    client: createClient({
      apiUrl: 'http://127.0.0.1:1/api/v1',
      clock,
      retry: { maxAttempts: 1 },
      transport: {
        request: async ({ path, query = '' }) => {
          asked.push(path)
          if (state.failing.has(path)) throw apiError('REQUEST_FAILED', { path, reason: 'scripted' })
          const script = () => answer(state, address, path, new URLSearchParams(query))
          const value = state.said.has(path) ? state.said.get(path) : script()
          const text = value === undefined ? '' : stringifyJson(value as never)
          return { status: 200, contentType: 'application/json', text }
        },
      } satisfies Transport,
    }),
  }
  return state
}

function answer(state: ScriptedApi, address: Address, path: string, query: URLSearchParams): unknown {
  switch (path) {
    case '/height':
      return { height: state.height }
    case '/balance':
      return {
        amount: state.balance,
        token: ZERO_TOKEN_ID,
        ticker: 'DEV',
        decimals: 10,
        delegated: 0,
        reward: 0,
        transit: 0,
        undelegated: 0,
      }
    case '/macroblock_by_height':
      return macroblock(state, address, Number(query.get('height')))
    case '/macroblock':
      return {
        ...macroblock(state, address, heightOf(state, query.get('hash'))),
        kblock: { ...keyBlock(state, address, heightOf(state, query.get('hash'))), hash: query.get('hash') },
        snapshot_hash: null,
      }
    case '/mblock':
      return microblock(state, query.get('hash') as Hash)
    case '/account_rewards':
      return page(state, query, state.rewards, rewardRecord)
    case '/account_refreward':
      return page(
        state,
        query,
        state.rewards.filter(({ recordType }) => recordType === 'iref'),
        referralRecord,
      )
    case '/eindex_by_hash':
      return []
    case '/native_token':
      return nativeToken(address)
    case '/token_info':
      return [nativeToken(address)]
    case '/get_stake_limits':
      return { min_stake: 25, max_stake: 1_000_000, default_stake: 0 }
    case '/poa_nodes_online':
      return []
    case '/referrer_stake':
      return { referrer_stake: 1_000 }
    default:
      throw new Error(`the script does not know ${path}`)
  }
}

const nativeToken = (owner: Address) => ({
  hash: ZERO_TOKEN_ID,
  owner,
  fee_type: 0,
  fee_value: 1,
  fee_min: 0,
  ticker: 'DEV',
  decimals: 10,
  total_supply: '1000000',
  caption: 'Development',
  active: 0,
  reissuable: 0,
  minable: 1,
  referrer_stake: 1_000,
  ref_share: 1_000,
  max_supply: '1000000',
  txs_count: 1,
  block_reward: 5,
  min_stake: 25,
})

const keyBlock = (state: ScriptedApi, publisher: Address, height: number) => ({
  hash: keyBlockHash(height),
  n: height,
  time: state.originSecond + height,
  publisher,
  nonce: 0,
  link: keyBlockHash(height - 1),
  sprout: 'ENQGENESIS',
  m_root: '',
  leader_sign: null,
  reward: height < state.calculatedBelow ? 1 : null,
  target_diff: 10,
})

const macroblock = (state: ScriptedApi, publisher: Address, height: number) => ({
  kblock: keyBlock(state, publisher, height),
  mblocks: [],
  sblocks: [],
})

function microblock(state: ScriptedApi, hash: Hash) {
  const known = state.microblocks.get(hash)
  if (known === undefined) return { transactions: [] }
  const { publisher, referralAgent, height = 9 } = known
  return {
    transactions: [],
    header: {
      kblocks_hash: keyBlockHash(height),
      publisher,
      referrer: referralAgent,
      mblocks_hash: hash,
      reward: 5,
      nonce: 1,
      token: ZERO_TOKEN_ID,
    },
  }
}

const rewardRecord = (
  { index, recordType, amount, hash, time = 1_700_000_000 }: ScriptedReward,
  at: number,
) => ({
  i: index,
  irew: at,
  hash,
  time,
  rectype: recordType,
  amount,
  ticker: null,
})

const referralRecord = ({ index, amount, hash }: ScriptedReward) => ({
  i: index,
  hash,
  time: 1_700_000_000,
  refreward: amount,
})

function page(
  state: ScriptedApi,
  query: URLSearchParams,
  records: readonly ScriptedReward[],
  write: (record: ScriptedReward, at: number) => unknown,
) {
  const head = { balance: state.balance, id: query.get('id') }
  if (records.length === 0) return head
  const number = Number(query.get('page'))
  const newestFirst = records.map(write).reverse()
  return {
    ...head,
    records: newestFirst.slice(10 * number, 10 * number + 10),
    page_count: Math.ceil((records.length - 1) / 10),
  }
}
