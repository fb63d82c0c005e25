import { type Address, encodeReferralCode, formatAmount } from '@hailstone/protocol'
import type { Unknown } from './share.ts'

/** What the newest own microblocks in the chain say about the referral agent. */
export type NamedAgent =
  /** They name it since this height and time. @param isAtLeast true if older ones were not read */
  | { readonly status: 'named'; readonly sinceMs: number; readonly isAtLeast: boolean }
  /** The newest names another agent, or none. */
  | { readonly status: 'other' }
  /** No microblock of this account is in the chain, as far as was read. */
  | { readonly status: 'none' }
  | ({ readonly status: 'unknown' } & Unknown)

/** What decides about referral rewards of a miner and its agent. Amounts are units of the mined token. */
export type ReferralFacts = {
  readonly token: {
    /** Short name of the mined token. */
    readonly symbol: string
    /** Decimals of the mined token, 0 to 10. */
    readonly decimals: number
  }
  /** Null without an agent. */
  readonly agent: Address | null | Unknown
  readonly own: Address
  readonly named: NamedAgent
  /** Units that the miner holds. */
  readonly balance: bigint | Unknown
  /** Units that a miner has to hold. */
  readonly minimumStake: bigint | Unknown
  readonly agentBalance: { readonly amount: bigint; readonly isKnown: boolean } | Unknown
  /** What the agent needs; null where the network has not set it. */
  readonly referrerStake: bigint | null | Unknown
}

/** Whose side a condition is on. */
export type ReferralSide = 'miner' | 'agent'

export type ReferralPart =
  | { readonly code: 'AGENT_UNKNOWN'; readonly why: string }
  /** Nobody is named: the token's owner gets the whole bonus. */
  | { readonly code: 'NO_AGENT' }
  | { readonly code: 'AGENT' | 'OWN_CODE'; readonly agent: Address }
  | { readonly code: 'SINCE'; readonly sinceMs: number; readonly isAtLeast: boolean }
  | { readonly code: 'SINCE_UNKNOWN'; readonly why: string }
  /** A condition, whose it is, and whether it is met; null where that is not known. */
  | {
      readonly code: 'OWN_STAKE' | 'AGENT_STAKE'
      readonly side: ReferralSide
      readonly isMet: boolean | null
      readonly have: bigint | null
      readonly need: bigint | null
      readonly why: string
    }
  /** The agent ever held the token. */
  | {
      readonly code: 'AGENT_BALANCE'
      readonly side: 'agent'
      readonly isMet: boolean | null
      readonly why: string
    }
  /** The newest own microblock in the chain names this agent. */
  | { readonly code: 'NAMED'; readonly side: 'miner'; readonly isMet: boolean | null; readonly why: string }
  | { readonly code: 'CHANGING' }

const whyOf = (value: unknown): string => {
  const { why } = Object(value) as { readonly why?: unknown }
  return typeof why === 'string' ? why : ''
}

/** Answers "who is my referrer, why no referral reward, can I change the code?", in this order. */
export function explainReferral(facts: ReferralFacts): readonly ReferralPart[] {
  const { agent, own, named } = facts
  if (agent === null) return [{ code: 'NO_AGENT' }, { code: 'CHANGING' }]
  if (typeof agent !== 'string') return [{ code: 'AGENT_UNKNOWN', why: agent.why }, { code: 'CHANGING' }]
  return [
    { code: agent === own ? 'OWN_CODE' : 'AGENT', agent },
    ...(named.status === 'named'
      ? [{ code: 'SINCE' as const, sinceMs: named.sinceMs, isAtLeast: named.isAtLeast }]
      : []),
    ...(named.status === 'unknown' ? [{ code: 'SINCE_UNKNOWN' as const, why: named.why }] : []),
    ownStake(facts),
    namedPart(named),
    ...agentParts(facts),
    { code: 'CHANGING' },
  ]
}

/** Without the least stake no microblock is taken, and there is nothing to get a bonus of. */
function ownStake({ balance, minimumStake }: ReferralFacts): ReferralPart {
  const known = typeof balance === 'bigint' && typeof minimumStake === 'bigint'
  return {
    ...{ code: 'OWN_STAKE', side: 'miner', isMet: known ? balance >= minimumStake : null },
    have: typeof balance === 'bigint' ? balance : null,
    need: typeof minimumStake === 'bigint' ? minimumStake : null,
    why: whyOf(balance) || whyOf(minimumStake),
  }
}

function namedPart(named: NamedAgent): ReferralPart {
  const isMet = named.status === 'unknown' ? null : named.status === 'named'
  const none = named.status === 'none' ? 'no microblock that this account signed is in the chain yet' : ''
  const other = named.status === 'other' ? 'the newest microblock names another agent or none' : ''
  return { code: 'NAMED', side: 'miner', isMet, why: none || other || whyOf(named) }
}

/** The three cases of PROTOCOL 6.4. */
function agentParts({ agentBalance, referrerStake: need }: ReferralFacts): readonly ReferralPart[] {
  const why = whyOf(agentBalance) || whyOf(need)
  if ('why' in agentBalance) return [{ code: 'AGENT_BALANCE', side: 'agent', isMet: null, why }]
  const { amount: have, isKnown } = agentBalance
  if (!isKnown) return [{ code: 'AGENT_BALANCE', side: 'agent', isMet: false, why }]
  const isMet = need === null ? true : typeof need === 'bigint' ? have >= need : null
  const known = typeof need === 'bigint' ? need : null
  return [{ code: 'AGENT_STAKE', side: 'agent', isMet, have, need: known, why }]
}

/** True if a part is a condition that fails, or that may fail. */
export const isUnmet = (part: ReferralPart): boolean => 'isMet' in part && part.isMet === false

const dateText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

/** Says one part in English, for somebody who does not know how mining works. */
export function referralSentence(part: ReferralPart, { symbol, decimals }: ReferralFacts['token']): string {
  const coins = (units: bigint): string => `${formatAmount(units, { decimals })} ${symbol}`
  switch (part.code) {
    case 'AGENT_UNKNOWN':
      return `Who the referrer is, is not known: ${part.why}.`
    case 'NO_AGENT':
      return `No referrer is named: the referral reward goes to the owner of ${symbol}.`
    case 'AGENT':
      return `The referrer is ${part.agent}, with the code ${encodeReferralCode(part.agent)}.`
    case 'OWN_CODE':
      return `The referrer is the account itself, ${part.agent}: it gets both halves of the referral reward.`
    case 'SINCE':
      return `Its microblocks name this referrer since ${dateText(part.sinceMs)} UTC${part.isAtLeast ? ' at least; older ones were not read' : ''}.`
    case 'SINCE_UNKNOWN':
      return `Since when it names this referrer is not known: ${part.why}.`
    case 'NAMED':
      if (part.isMet === null) return `Whether its microblocks name this referrer is not known: ${part.why}.`
      return part.isMet
        ? 'Its newest microblock in the chain names this referrer: met.'
        : `Not met by the miner: ${part.why}, and only a microblock that names this referrer earns a referral reward.`
    case 'AGENT_BALANCE':
      if (part.isMet === null) return `What the referrer holds is not known: ${part.why}.`
      return `Not met by the referrer: it never held ${symbol}, so that neither side gets a referral reward.`
    case 'OWN_STAKE':
    case 'AGENT_STAKE':
      return stakeSentence(part, coins)
    case 'CHANGING':
      return 'The code can be changed at any time, at no cost: the next microblock names the new referrer. What was mined before stays with the earlier one, and nothing is paid afterwards.'
  }
}

type StakeCondition = Extract<ReferralPart, { readonly code: 'OWN_STAKE' | 'AGENT_STAKE' }>

function stakeSentence(part: StakeCondition, coins: (units: bigint) => string): string {
  const { side, isMet, have, need, why } = part
  const who = side === 'miner' ? 'the miner' : 'the referrer'
  if (isMet === null) return `Whether ${who} holds enough is not known: ${why}.`
  const holds = `${coins(have ?? 0n)}${need === null ? '' : ` of ${coins(need)}`}`
  if (isMet) return `Met by ${who}: it holds ${holds}.`
  const loss =
    side === 'miner'
      ? 'its work is refused, so that there is no reward to share'
      : 'the miner gets its half, the referrer gets nothing'
  return `Not met by ${who}: it holds ${holds}; ${loss}.`
}
