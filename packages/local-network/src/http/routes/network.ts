import {
  type Amount,
  contractPricesEndpoint,
  type ExpectedReturn,
  minersOnlineEndpoint,
  minimumStakeEndpoint,
  type NetworkInfo,
  networkInfoEndpoint,
  peerMapEndpoint,
  referrerStakeEndpoint,
  returnOfStakeEndpoint,
  returnsEndpoint,
  sha256Hex,
  stakeLimitsEndpoint,
  statsEndpoint,
  type TokenId,
  transferLockEndpoint,
  versionEndpoint,
} from '@hailstone/protocol'
import { type MasterPublicKey, masterPublicKeyOf } from '@hailstone/protocol/leader'
import type { ApiParts } from '../api-parts.ts'
import { notFound } from '../api-refusal.ts'
import { createStatistics } from '../chain-statistics.ts'
import { createExpectedReturns, dailyRatio } from '../expected-returns.ts'
import { type Route, route } from '../route.ts'
import { tokenAnswer } from './tokens.ts'

const FULL_NODE = 0
const ACTIVITY_MINER = 2

/** Contracts in the order of the public list; the ones of exchanges and farms do not exist here. */
const CONTRACTS = [
  'create_token',
  'create_pos',
  'delegate',
  'undelegate',
  'transfer',
  'pos_reward',
  'mint',
  'burn',
  'custom',
] as const

/** There is no exchange here; programs that look for its settings find them empty. */
const NO_EXCHANGE = {
  DEX_COMMANDER_ADDRESS: '',
  DEX_BURN_ADDRESS: '',
  DEX_ENX_TOKEN_HASH: '',
  DEX_SPACE_STATION_ID: '',
  DEX_COMMANDER_FEE: 0n,
  DEX_POOL_FEE: 0n,
  DEX_TRUSTED_TOKENS: [],
}

/** Of a leader that, as on the public networks of today, signs no beacon. Some 50 ms of arithmetic, once. */
function leaderKeyOf({ seed }: ApiParts['network']): MasterPublicKey {
  const known =
    leaderKeys.get(seed) ?? masterPublicKeyOf(BigInt(`0x${sha256Hex(`hailstone leader of ${seed}`)}`))
  leaderKeys.set(seed, known)
  return known
}

const leaderKeys = new Map<string, MasterPublicKey>()

async function networkInfo({ store, network, blockTimeMs }: ApiParts): Promise<NetworkInfo> {
  const { ledger, microblockSlots } = network
  const native = await store.token(ledger.nativeTokenId)
  const origin = await store.keyBlockAt(0)
  if (origin === undefined) throw notFound('The chain has no block yet.')
  return {
    blockTimeSeconds: Math.max(1, Math.round(blockTimeMs / 1000)),
    rewardRatio: { ...ledger.rewardRatio, referralBps: network.informativeReferralBps },
    transferLockBlocks: network.transferLockBlocks,
    poolMinimumStake: network.poolMinimumStake,
    nativeToken: native && tokenAnswer(native),
    origin: {
      publisher: ledger.genesis,
      initialSupply: network.initialSupply,
      hash: origin.hash,
      link: origin.link,
      sprout: origin.sprout,
      time: origin.time,
    },
    feeShares: {
      genesisBps: ledger.feeShares.genesisBps,
      proofOfWorkBps: ledger.feeShares.keyBlockPublisherBps,
      leaderBps: ledger.feeShares.leaderBps,
      proofOfStakeBps: ledger.feeShares.proofOfStakeBps,
    },
    masterPublicKey: leaderKeyOf(network),
    exchange: NO_EXCHANGE,
    // Of newer nodes: there is nothing to bridge to.
    bridge: {},
    microblockSlots: {
      size: microblockSlots.size,
      count: microblockSlots.count,
      minimumStake: microblockSlots.minimumStake,
    },
  }
}

const prices = ({ network }: ApiParts): Record<string, Amount> =>
  Object.fromEntries(CONTRACTS.map((name) => [name, (network.ledger.contractPrices?.[name] ?? 0n) as Amount]))

/** Days that the four figures of a return are for. */
const PERIODS = [1, 7, 30, 365]

async function returnOfStake(
  returnsOf: ReturnType<typeof createExpectedReturns>,
  stakeText: string | undefined,
  tokenId: string,
): Promise<ExpectedReturn> {
  if (stakeText === undefined || stakeText === '') return { error: 1, message: 'Stake not specified' }
  const table = await returnsOf(tokenId)
  if (table.length === 0) throw notFound(`No returns are known for token ${tokenId}.`)
  const stake = Number(stakeText)
  const ratio = dailyRatio(table, stake)
  if (ratio === undefined) return { error: 1, message: 'Stake value is out of range' }
  return {
    tokenId: tokenId as TokenId,
    percent: PERIODS.map((days) => days * 100 * ratio),
    units: PERIODS.map((days) => ratio * stake * days),
  }
}

const peers = (miners: number) => {
  const place = { city: null, latitude: null, longitude: null }
  const node = { type: FULL_NODE, ...place, count: 1 }
  return miners === 0 ? [node] : [{ type: ACTIVITY_MINER, ...place, count: miners }, node]
}

async function nativeStakes({ store, network }: ApiParts) {
  const native = await store.token(network.ledger.nativeTokenId)
  return {
    minimumStake: (native?.mining?.minimumStake ?? 0n) as Amount,
    maximumStake: network.ledger.maximumNativeStake as Amount,
    defaultStake: 0n as Amount,
    referrerStake: native?.mining?.referrerStake ?? null,
  }
}

export function networkRoutes(parts: ApiParts): readonly Route[] {
  const nativeTokenId = parts.network.ledger.nativeTokenId
  const statistics = createStatistics(parts)
  const returnsOf = createExpectedReturns(parts)
  return [
    route(networkInfoEndpoint, () => networkInfo(parts)),
    route(statsEndpoint, statistics),
    route(versionEndpoint, () => {
      const { minimum, maximum, url } = parts.appVersion ?? {}
      return { minimumAppVersion: minimum, maximumAppVersion: maximum, appUrl: url }
    }),
    route(referrerStakeEndpoint, () => nativeStakes(parts)),
    route(minimumStakeEndpoint, () => nativeStakes(parts)),
    route(stakeLimitsEndpoint, () => nativeStakes(parts)),
    route(transferLockEndpoint, () => ({ transferLockBlocks: parts.network.transferLockBlocks })),
    route(returnsEndpoint, ({ tokenId }) => returnsOf(tokenId || nativeTokenId)),
    route(returnOfStakeEndpoint, ({ stake, tokenId }) =>
      returnOfStake(returnsOf, stake, tokenId || nativeTokenId),
    ),
    route(
      minersOnlineEndpoint,
      () => parts.minersOnline().map(({ address }) => ({ address, countryName: null, countryCode: null })),
      { longAnswerKeptMs: 1000 },
    ),
    route(peerMapEndpoint, () => peers(parts.minersOnline().length)),
    route(contractPricesEndpoint, () => prices(parts)),
  ]
}
