import type { RewardRow } from '@hailstone/react'
import type { EngineConfig } from '../engine/engine-config.ts'
import type { EngineState, PlainSnapshot } from '../engine/engine-state.ts'
import { rewardState } from './preview-rewards.ts'
import type { Previewed } from './previewed.ts'

const MINUTE_MS = 60_000
const HEIGHT = 48_210
const DECIMALS = 10

type Balance = NonNullable<PlainSnapshot['balance']>
type Token = NonNullable<NonNullable<PlainSnapshot['stakes']>['token']>

/** Facts of the account and its token in the preview. */
export type PreviewedAccount = Pick<Previewed, 'screen'> & {
  readonly address: PlainSnapshot['address']
  readonly config: EngineConfig
  readonly rewards: readonly RewardRow[]
  readonly nowMs: number
}

/** Returns the decimals of the token: those of the brand, or what the coin of the network has. */
export const decimalsOf = ({ tokenId, tokenDecimals }: EngineConfig): number =>
  tokenDecimals[tokenId] ?? DECIMALS

/** Returns the units of one whole token. */
export const wholeOf = (config: EngineConfig): bigint => 10n ** BigInt(decimalsOf(config))

/** The token as the network would describe it, where the brand leaves that to the network. */
const previewToken = (config: EngineConfig): Token => ({
  symbol: 'TOKEN',
  decimals: decimalsOf(config),
  isMineable: true,
  minimumStake: (25n * wholeOf(config)) as Token['minimumStake'],
  referrerStake: null,
})

function snapshotOf(account: PreviewedAccount): PlainSnapshot {
  const { screen, address, config, rewards, nowMs } = account
  const isOffline = screen === 'offline'
  // Offline since a while: what was read stays, with its age.
  const stamp = {
    source: config.apiUrl,
    height: HEIGHT,
    readAtMs: isOffline ? nowMs - 12 * MINUTE_MS : nowMs,
    isStale: isOffline,
  }
  const earned = rewards.reduce((sum, { amount }) => sum + amount, 0n)
  const idle = { status: 'idle', why: '', nextStep: '' } as const
  const mining = { status: 'mining', published: 214, why: '', nextStep: '' } as const
  return {
    address,
    tokenId: config.tokenId,
    state: screen === 'empty' || isOffline ? idle : mining,
    height: { ...stamp, value: HEIGHT },
    balance: {
      ...stamp,
      amount: (100n * wholeOf(config) + earned) as Balance['amount'],
      isKnown: true,
      decimals: decimalsOf(config),
    },
    publications: { published: 214, included: rewards.length, missed: 0, refused: 0 },
    lastRefusal: null,
    othersMined: { microblocks: 0, miners: 0 },
    rewards: [],
    lastReward: null,
    rewardsReading: stamp,
    gateways: config.gatewayUrls.map((url, at) => ({ url, faults: 0, isInUse: at === 0 && !isOffline })),
    leaderCheck: { status: 'on', refused: 0 },
    api: isOffline ? { status: 'unreachable', why: 'offline' } : { status: 'reachable', why: '' },
    stakes: { ...stamp, token: previewToken(config), agent: null, nativeTokenId: config.tokenId },
    warnings: [],
    lastError: null,
  }
}

/** Returns the state of an engine whose first run is done, as the screen needs it. */
export function previewState(account: PreviewedAccount): EngineState {
  const { screen, address, config, rewards, nowMs } = account
  const isWanted = screen !== 'empty'
  return {
    isLeader: true,
    tabLock: 'open',
    passkey: null,
    account: {
      status: 'open',
      address,
      isBackedUp: true,
      hasWords: false,
      isSealed: true,
      wasExposed: false,
    },
    snapshot: snapshotOf(account),
    run: {
      isWanted,
      minedTime: isWanted
        ? { openMs: 145 * MINUTE_MS, minedMs: 142 * MINUTE_MS, atMs: nowMs, isMining: screen !== 'offline' }
        : null,
      pause: screen === 'offline' ? 'offline' : null,
      lastSignedAtMs: isWanted ? nowMs - (screen === 'offline' ? 12 * MINUTE_MS : 20_000) : null,
    },
    rewards: rewardState(rewards, nowMs),
    agent: config.defaultAgent,
    policy: config.policy,
    payments: [],
    log: isWanted ? [{ kind: 'started', atMs: nowMs - 145 * MINUTE_MS }] : [],
  }
}
