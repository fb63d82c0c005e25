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

/** What may keep a miner from earning. The node mines on all the same. */
export type MiningWarning = {
  readonly code:
    | 'TOKEN_UNKNOWN'
    | 'TOKEN_NOT_MINEABLE'
    | 'STAKE_TOO_LOW'
    | 'AGENT_WITHOUT_BALANCE'
    | 'AGENT_STAKE_TOO_LOW'
    | 'NATIVE_TOKEN_DIFFERS'
    | 'GATEWAY_NOT_ENCRYPTED'
    /** Much of what was published did not come into the chain. */
    | 'PUBLICATIONS_NOT_INCLUDED'
    /** Leaders' signatures are not verified, because the program said so. */
    | 'LEADER_CHECK_OFF'
    /** They cannot be verified here, so that a beacon that carries one is not signed. */
    | 'LEADER_CHECK_MISSING'
  /** A whole sentence. */
  readonly message: string
}

/** What the network asks of a miner of one token, and of an agent. */
export type StakeFacts = {
  /** Null for a token the network does not know. */
  readonly token: {
    readonly symbol: string
    readonly decimals: number
    readonly isMineable: boolean
    readonly minimumStake: Amount
    readonly referrerStake: Amount | null
  } | null
  /** Null without an agent. */
  readonly agent: Pick<Balance, 'amount' | 'isKnown'> | null
  readonly nativeTokenId: TokenId
}

export type ReadinessQuestion = {
  readonly address: Address
  readonly tokenId: TokenId
  readonly referralAgent: Address | undefined
}

/**
 * Asks the network what it wants of this miner and its agent.
 *
 * @throws {NodeError} as the client's actions
 */
export async function readStakeFacts(
  client: ClientCore,
  { tokenId, referralAgent }: ReadinessQuestion,
  signal: AbortSignal,
): Promise<StakeFacts> {
  const nativeTokenId = await getNativeTokenId(client, { signal })
  const [token, agent] = await Promise.all([
    tokenId === nativeTokenId ? nativeRules(client, tokenId, signal) : customRules(client, tokenId, signal),
    referralAgent === undefined ? null : getBalance(client, { address: referralAgent, tokenId, signal }),
  ])
  return { token, agent, nativeTokenId }
}

/** The native token's limits have endpoints of their own (PROTOCOL 3.5.10). */
async function nativeRules(
  client: ClientCore,
  tokenId: TokenId,
  signal: AbortSignal,
): Promise<StakeFacts['token']> {
  const [token, limits, referrerStake] = await Promise.all([
    getMiningRules(client, { tokenId, signal }),
    getStakeLimits(client, { signal }),
    getReferrerStake(client, { signal }),
  ])
  if (token === undefined) return null
  const { symbol, decimals } = token
  const { minimumStake } = limits
  return { symbol, decimals, minimumStake, isMineable: true, referrerStake: referrerStake ?? null }
}

async function customRules(
  client: ClientCore,
  tokenId: TokenId,
  signal: AbortSignal,
): Promise<StakeFacts['token']> {
  const token = await getMiningRules(client, { tokenId, signal })
  if (token === undefined) return null
  const { symbol, decimals, isMineable, referrerStake } = token
  return { symbol, decimals, isMineable, referrerStake, minimumStake: token.minimumStake ?? (0n as Amount) }
}

/** Judges what is known. A balance that was not read yet warns of nothing. */
export function warningsOf(parameters: {
  readonly facts: StakeFacts
  readonly tokenId: TokenId
  readonly isTokenChosen: boolean
  readonly balance: Pick<Balance, 'amount'> | null
}): readonly MiningWarning[] {
  const { facts, tokenId, isTokenChosen, balance } = parameters
  const { token, agent, nativeTokenId } = facts
  const warnings: MiningWarning[] = []
  const warn = (code: MiningWarning['code'], message: string): void => {
    warnings.push({ code, message })
  }
  if (!isTokenChosen && tokenId !== nativeTokenId) {
    warn('NATIVE_TOKEN_DIFFERS', `The native token of this network is ${nativeTokenId}: pass it as tokenId.`)
  }
  if (token === null) {
    warn('TOKEN_UNKNOWN', `The network knows no token ${tokenId}.`)
    return warnings
  }
  if (!token.isMineable) warn('TOKEN_NOT_MINEABLE', `${token.symbol} cannot be mined.`)
  if (balance !== null && balance.amount < token.minimumStake)
    warn('STAKE_TOO_LOW', stakeSentence(token, balance))
  if (agent !== null) warnings.push(...agentWarnings(token, agent))
  return warnings
}

type KnownToken = NonNullable<StakeFacts['token']>

const coins = ({ symbol, decimals }: KnownToken, amount: bigint): string =>
  `${formatAmount(amount, { decimals })} ${symbol}`

const stakeSentence = (token: KnownToken, { amount }: { readonly amount: bigint }): string =>
  `Your stake of ${coins(token, amount)} is below the minimum of ${coins(token, token.minimumStake)}.`

/** The three cases of PROTOCOL 6.4. */
function agentWarnings(
  token: KnownToken,
  agent: Pick<Balance, 'amount' | 'isKnown'>,
): readonly MiningWarning[] {
  if (!agent.isKnown) {
    const message = `Your referral agent holds no ${token.symbol}: neither of you gets a referral reward.`
    return [{ code: 'AGENT_WITHOUT_BALANCE', message }]
  }
  if (token.referrerStake === null || agent.amount >= token.referrerStake) return []
  const message = `Your referral agent holds less than ${coins(token, token.referrerStake)} and gets no referral reward.`
  return [{ code: 'AGENT_STAKE_TOO_LOW', message }]
}

/** The least stake in words, for sentences about why nothing happens. */
export const minimumStakeText = (facts: StakeFacts | null): string =>
  facts === null || facts.token === null ? 'the minimum' : coins(facts.token, facts.token.minimumStake)
