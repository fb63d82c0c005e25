import type { Client } from '@hailstone/client'
import { isNodeError, parseAddress, parseTokenId } from '@hailstone/protocol'
import { readStakeFacts, type StakeFacts } from '../readiness.ts'
import { readNamedAgent } from './read-named-agent.ts'
import { explainReferral, type ReferralPart } from './referral.ts'
import { readSeen, type Seen } from './seen.ts'
import { explainShare, NOT_ANSWERED, type ShareFacts, type SharePart, type Unknown } from './share.ts'

/** What the network says to the questions of one miner. */
export type Answers = {
  /** Of the amounts; null if the network does not know the token or did not answer. */
  readonly token: ShareFacts['token'] | null
  readonly seen: Seen
  readonly share: readonly SharePart[]
  readonly referral: readonly ReferralPart[]
}

export type AnswersQuestion = {
  /** The miner: 02 or 03 and 64 hex digits. */
  readonly address: string
  /** Token that it mines, 64 hex digits. */
  readonly tokenId: string
  /** Agent of the miner, null for none. @default the one that its newest microblocks name */
  readonly agent?: string | null | undefined
  /** What only the miner itself knows. */
  readonly work: ShareFacts['work']
  /** Time with a connection since the start, in ms. */
  readonly onlineMs: ShareFacts['onlineMs']
  readonly signal?: AbortSignal | undefined
}

const known = <T>(asked: Promise<T>): Promise<T | Unknown> =>
  asked.catch((error: unknown) => {
    if (isNodeError(error)) return NOT_ANSWERED
    throw error
  })

const isUnknown = <T extends object>(value: T | Unknown): value is Unknown => 'why' in value

/**
 * Asks the network everything that explains what a miner earns. What does not answer is unknown, with its reason.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_ID_MALFORMED`; the reason of the signal
 */
export async function readAnswers(client: Client, question: AnswersQuestion): Promise<Answers> {
  const { agent: given, signal = new AbortController().signal } = question
  // What is wrong with them is no silence of the API.
  const [address, tokenId] = [parseAddress(question.address), parseTokenId(question.tokenId)]
  const { agent, named } = await readNamedAgent(client, { address, agent: given })
  const [seen, facts, balance, slot] = await Promise.all([
    readSeen(client, { address, signal }),
    known(readStakeFacts(client, { tokenId, referralAgent: agent ?? undefined }, signal)),
    known(client.getBalance({ address, tokenId, signal })),
    client.getTokenSlot({ tokenId, signal }),
  ])
  const rules = rulesOf(facts)
  const { symbol, decimals, minimumStake, referrerStake, maximumStake } = rules
  const token = { symbol, decimals }
  const own = isUnknown(balance) ? balance : (balance.amount as bigint)
  const { work, onlineMs } = question
  return {
    token: symbol === '' ? null : token,
    seen,
    share: explainShare({ token, balance: own, minimumStake, maximumStake, work, onlineMs, slot }),
    referral: explainReferral({
      ...{ token, own: address, named, balance: own, minimumStake, referrerStake },
      agent: agent === undefined ? unknownAgent(named) : agent,
      agentBalance: isUnknown(facts) ? facts : (facts.agent ?? NOT_ANSWERED),
    }),
  }
}

const unknownAgent = (named: object): Unknown => ({
  why: 'why' in named ? String(named.why) : 'no microblock of this account is in the chain yet',
})

/** The network's rules for miners of the token, each unknown where it was not said. */
function rulesOf(facts: StakeFacts | Unknown) {
  const none = { symbol: '', decimals: 0 }
  if (isUnknown(facts)) return { ...none, minimumStake: facts, referrerStake: facts, maximumStake: facts }
  if (facts.token === null) {
    const unknown: Unknown = { why: 'the network knows no such token' }
    return { ...none, minimumStake: unknown, referrerStake: unknown, maximumStake: unknown }
  }
  const { maximumStake = NOT_ANSWERED } = facts.token
  return { ...facts.token, maximumStake }
}
