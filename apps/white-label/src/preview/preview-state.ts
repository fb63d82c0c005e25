import type { RewardRow } from '@hailstone/react'
import type { EngineConfig } from '../engine/engine-config.ts'
import type { EngineState, PlainSnapshot } from '../engine/engine-state.ts'
import { nothingRead, rewardState } from './preview-rewards.ts'
import type { Previewed } from './previewed.ts'

const MINUTE_MS = 60_000
const HEIGHT = 48_210
const DECIMALS = 10

type Balance = NonNullable<PlainSnapshot['balance']>
type Token = NonNullable<NonNullable<PlainSnapshot['stakes']>['token']>

/** Facts of the account and its token in the preview. */
export type PreviewedAccount = Pick<Previewed, 'screen' | 'values'> & {
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
  maximumStake: null,
  referrerStake: null,
})

const wants = ({ screen, values = {} }: PreviewedAccount): boolean => values.isWanted ?? screen !== 'empty'

function snapshotOf(account: PreviewedAccount): PlainSnapshot {
  const { screen, address, config, rewards, nowMs, values = {} } = account
  const isOffline = screen === 'offline'
  // Offline since a while: what was read stays, with its age.
  const stamp = {
    source: config.apiUrl,
    height: HEIGHT,
    readAtMs: isOffline ? nowMs - 12 * MINUTE_MS : nowMs,
    isStale: isOffline,
  }
  const unreachable = {
    ...{
      status: 'waiting',
      reason: { kind: 'gatewayUnreachable' },
      attempt: 7,
      delayMs: 0,
      why: '',
      nextStep: '',
    },
  } as PlainSnapshot['state']
  const noAnswer = { error: { message: 'no answer' } } as PlainSnapshot['lastError']
  const isTooLow = values.balance !== undefined && BigInt(values.balance) < 25n * wholeOf(config)
  const earned = rewards.reduce((sum, { amount }) => sum + amount, 0n)
  const idle = { status: 'idle', why: '', nextStep: '' } as const
  const tooLow = {
    ...{ status: 'waiting', reason: { kind: 'stakeTooLow' }, attempt: 1, delayMs: 0, why: '', nextStep: '' },
  } as PlainSnapshot['state']
  const mining = { status: 'mining', published: 214, why: '', nextStep: '' } as const
  return {
    address,
    tokenId: config.tokenId,
    state: values.knowsNothing
      ? unreachable
      : !wants(account) || isOffline
        ? idle
        : isTooLow
          ? tooLow
          : mining,
    height: values.knowsNothing ? null : { ...stamp, value: HEIGHT },
    balance: values.knowsNothing
      ? null
      : {
          ...stamp,
          amount: (values.balance === undefined
            ? 100n * wholeOf(config) + earned
            : BigInt(values.balance)) as Balance['amount'],
          isKnown: true,
          decimals: decimalsOf(config),
        },
    publications: { published: 214, included: rewards.length, missed: 0, refused: 0 },
    connected: { beforeMs: 3_600_000, sinceMs: null },
    lastRefusal: null,
    othersMined: { microblocks: 0, miners: 0 },
    rewards: [],
    lastReward: null,
    rewardsReading: stamp,
    gateways: config.gatewayUrls.map((url, at) => ({ url, faults: 0, isInUse: at === 0 && !isOffline })),
    leaderCheck: { status: 'on', refused: 0 },
    api:
      isOffline || values.knowsNothing
        ? { status: 'unreachable', why: 'offline' }
        : { status: 'reachable', why: '' },
    stakes: values.knowsNothing
      ? null
      : { ...stamp, token: previewToken(config), agent: null, nativeTokenId: config.tokenId },
    seen: isOffline ? { status: 'unknown', reason: 'failed' } : { status: 'unknown', reason: 'notAsked' },
    warnings: [],
    lastError: values.knowsNothing ? noAnswer : null,
  }
}

/** Returns the state of an engine whose first run is done, as the screen needs it. */
export function previewState(account: PreviewedAccount): EngineState {
  const { screen, address, config, rewards, nowMs } = account
  const isWanted = wants(account)
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
      lastSignedAtMs:
        isWanted && !account.values?.knowsNothing
          ? nowMs - (screen === 'offline' ? 12 * MINUTE_MS : 20_000)
          : null,
    },
    rewards: account.values?.knowsNothing ? nothingRead : rewardState(rewards, nowMs),
    agent: config.defaultAgent,
    policy: config.policy,
    payments: [],
    log: isWanted ? [{ kind: 'started', atMs: nowMs - 145 * MINUTE_MS }] : [],
  }
}
