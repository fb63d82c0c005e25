import {
  type Balance,
  type ClientCore,
  getBalance,
  getMiningRules,
  getNativeTokenId,
  getReferrerStake,
  getStakeLimits,
} from '@hailstone/client'
import { type Address, type Amount, formatAmount, type TokenId } from '@hailstone/protocol'

/** Condition that may keep a miner from earning. The node keeps mining. */
export type MiningWarning = {
  readonly code:
    | 'TOKEN_UNKNOWN'
    | 'TOKEN_NOT_MINEABLE'
    | 'STAKE_TOO_LOW'
    | 'AGENT_WITHOUT_BALANCE'
    | 'AGENT_STAKE_TOO_LOW'
    /** Others named this account as their agent, and it holds too little to earn of them. */
    | 'REFERRER_STAKE_TOO_LOW'
    | 'NATIVE_TOKEN_DIFFERS'
    | 'GATEWAY_NOT_ENCRYPTED'
    /** Much of what was published did not come into the chain. */
    | 'PUBLICATIONS_NOT_INCLUDED'
    /** Verified beacons name key blocks that the API does not know, while its height stands. */
    | 'API_BEHIND'
    /** Connected, and left out of the list of the miners online by several answers over minutes. */
    | 'NOT_SEEN'
    /** Leaders' signatures are not verified, because the program said so. */
    | 'LEADER_CHECK_OFF'
    /** They cannot be verified here, so that a beacon that carries one is not signed. */
    | 'LEADER_CHECK_MISSING'
  /** A whole sentence. */
  readonly message: string
}

/** Requirements of the network for miners of one token and for their agent. */
export type StakeFacts = {
  /** Null for a token the network does not know. */
  readonly token: {
    readonly symbol: string
    readonly decimals: number
    readonly isMineable: boolean
    readonly minimumStake: Amount
    readonly referrerStake: Amount | null
    /** The most that counts, for the native token; null where all of it counts, absent where it was not read. */
    readonly maximumStake?: Amount | null | undefined
  } | null
  /** Null without an agent. */
  readonly agent: Pick<Balance, 'amount' | 'isKnown'> | null
  readonly nativeTokenId: TokenId
  /** Miners that named this account as their agent within a day; absent if it was not read. */
  readonly invitedMiners?: number | undefined
}

export type ReadinessQuestion = {
  readonly address: Address
  readonly tokenId: TokenId
  readonly referralAgent: Address | undefined
}

/** Answers without the account of an agent that prove that it never held the token: a node may be behind. */
const ANSWERS = 4

async function readAgent(client: ClientCore, asked: Parameters<typeof getBalance>[1]): Promise<Balance> {
  let agent = await getBalance(client, asked)
  for (let read = 1; read < ANSWERS && !agent.isKnown; read++) agent = await getBalance(client, asked)
  return agent
}

/**
 * Asks the network what it wants of this miner and its agent.
 *
 * @throws {NodeError} as the client's actions
 */
export async function readStakeFacts(
  client: ClientCore,
  { tokenId, referralAgent }: Omit<ReadinessQuestion, 'address'>,
  signal: AbortSignal,
): Promise<StakeFacts> {
  const nativeTokenId = await getNativeTokenId(client, { signal })
  // The native token's limits have endpoints of their own (PROTOCOL 3.5.10).
  const isNative = tokenId === nativeTokenId
  const [token, limits, nativeReferrerStake, agent = null] = await Promise.all([
    getMiningRules(client, { tokenId, signal }),
    isNative ? getStakeLimits(client, { signal }) : undefined,
    isNative ? getReferrerStake(client, { signal }) : undefined,
    referralAgent && readAgent(client, { address: referralAgent, tokenId, signal }),
  ])
  if (token === undefined) return { token: null, agent, nativeTokenId }
  const { symbol, decimals } = token
  const isMineable = isNative || token.isMineable
  const minimumStake = (limits ?? token).minimumStake ?? (0n as Amount)
  const referrerStake = (isNative ? nativeReferrerStake : token.referrerStake) ?? null
  const maximumStake = isNative ? limits?.maximumStake : null
  const rules = { symbol, decimals, isMineable, minimumStake, referrerStake, maximumStake }
  return { token: rules, agent, nativeTokenId }
}

/** Warnings that by themselves end mining, and their names as a reason. */
export const tokenRefusals: {
  readonly [C in MiningWarning['code']]?: 'unknownToken' | 'tokenNotMineable'
} = {
  TOKEN_UNKNOWN: 'unknownToken',
  TOKEN_NOT_MINEABLE: 'tokenNotMineable',
}

/** True if a token with these requirements cannot be mined. */
export const isRefusal = ({ token }: StakeFacts): boolean => token?.isMineable !== true

/** True for a balance that is known to be below the minimum: publications of it are refused (PROTOCOL 5.8). */
export const isBelowStake = (
  token: Pick<KnownToken, 'minimumStake'> | null | undefined,
  balance: Pick<Balance, 'amount'> | null,
): boolean => balance !== null && balance.amount < (token?.minimumStake ?? 0n)

/** A warning to be spread among others, if it holds. */
export const warningIf = (
  isSo: boolean,
  code: MiningWarning['code'],
  message: string,
): readonly MiningWarning[] => (isSo ? [{ code, message }] : [])

/** Judges what is known. A balance that was not read yet warns of nothing. */
export function warningsOf(parameters: {
  readonly facts: StakeFacts
  readonly tokenId: TokenId
  readonly isTokenChosen: boolean
  readonly balance: Pick<Balance, 'amount'> | null
}): readonly MiningWarning[] {
  const { facts, tokenId, isTokenChosen, balance } = parameters
  const { token, agent, nativeTokenId } = facts
  const isOther = !isTokenChosen && tokenId !== nativeTokenId
  const other = `The native token of this network is ${nativeTokenId}: mine that one.`
  return [
    ...warningIf(isOther, 'NATIVE_TOKEN_DIFFERS', other),
    ...warningIf(token === null, 'TOKEN_UNKNOWN', `The network knows no token ${tokenId}.`),
    ...(token === null ? [] : stakeWarnings(token, balance)),
    ...(token === null ? [] : invitationWarnings(token, balance, facts.invitedMiners)),
    ...(token === null || agent === null ? [] : agentWarnings(token, agent)),
  ]
}

type KnownToken = NonNullable<StakeFacts['token']>

function stakeWarnings(token: KnownToken, balance: Pick<Balance, 'amount'> | null): readonly MiningWarning[] {
  const { symbol, isMineable, minimumStake } = token
  const stake = balance?.amount ?? minimumStake
  const least = `is below the minimum of ${coins(token, minimumStake)}.`
  return [
    ...warningIf(!isMineable, 'TOKEN_NOT_MINEABLE', `${symbol} cannot be mined.`),
    ...warningIf(
      isBelowStake(token, balance),
      'STAKE_TOO_LOW',
      `Your stake of ${coins(token, stake)} ${least}`,
    ),
  ]
}

function invitationWarnings(
  token: KnownToken,
  balance: Pick<Balance, 'amount'> | null,
  invitedMiners = 0,
): readonly MiningWarning[] {
  const least = token.referrerStake ?? (0n as Amount)
  const have = balance?.amount ?? least
  const message = `Miners name you as referral agent, but you earn nothing of those who mine ${token.symbol}: you hold ${coins(token, have)}, an agent needs ${coins(token, least)}.`
  return warningIf(invitedMiners > 0 && have < least, 'REFERRER_STAKE_TOO_LOW', message)
}

/** The three cases of PROTOCOL 6.4. */
function agentWarnings(
  token: KnownToken,
  { amount, isKnown }: NonNullable<StakeFacts['agent']>,
): readonly MiningWarning[] {
  const least = token.referrerStake ?? (0n as Amount)
  const none = `Your referral agent holds no ${token.symbol}: neither of you gets a referral reward.`
  const few = `Your referral agent holds less than ${coins(token, least)} and gets no referral reward.`
  return [
    ...warningIf(!isKnown, 'AGENT_WITHOUT_BALANCE', none),
    ...warningIf(isKnown && amount < least, 'AGENT_STAKE_TOO_LOW', few),
  ]
}

const coins = ({ symbol, decimals }: KnownToken, amount: bigint): string =>
  `${formatAmount(amount, { decimals })} ${symbol}`

/** A reward that nobody gets while a warning is true. */
const contradictedBy: { readonly [role: string]: MiningWarning['code'] } = {
  referral: 'AGENT_WITHOUT_BALANCE',
  agent: 'REFERRER_STAKE_TOO_LOW',
}

/** True if a reward shows that what a warning was made of has changed since it was read. */
export const isContradicted = (
  warnings: readonly MiningWarning[],
  { role, amount }: { readonly role: string; readonly amount: bigint },
): boolean => amount > 0n && warnings.some(({ code }) => code === contradictedBy[role])

/** The least stake in words, for sentences about why nothing happens. */
export const minimumStakeText = (facts: StakeFacts | null): string =>
  facts?.token ? coins(facts.token, facts.token.minimumStake) : 'the minimum'

/** The sentence goes on, so its first letter is small and its full stop gone. */
export const clause = (sentence: string): string =>
  sentence.slice(0, -1).replace(/^(Your|The)/, (word) => word.toLowerCase())
