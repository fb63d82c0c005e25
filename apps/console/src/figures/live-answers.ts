import { slotSentence } from '@hailstone/brand/tools'
import type { Client, TokenSlot } from '@hailstone/client'
import {
  type Answers,
  readAnswers,
  referralSentence,
  type Seen,
  seenSentence,
  shareSentence,
} from '@hailstone/mining-node/why'
import { type Address, formatAmount } from '@hailstone/protocol'
import type { ShownToken } from '../open-follower.ts'
import { ask, type Cell, type FigureContext } from './figure.ts'

/** One answer of the network in words, with the figures behind it. */
export type LiveVerdict = {
  readonly code: string
  readonly sentence: string
  readonly nextStep: string
  readonly evidence: Readonly<Record<string, Cell>>
}

const ONLY_THE_MINER = { why: 'only the miner itself counts it; hailstone why and the app show it' }
/** Newest days in which own microblocks are counted. */
const DAYS = 7

/**
 * Reads of one account whether the network lists it among the miners online, what its share of the rewards depends on, and
 * its referrer. What only the miner counts is unknown here.
 */
export const askAnswers = (
  client: Client,
  token: ShownToken,
  { address }: { readonly address: Address },
): Promise<Answers> =>
  readAnswers(client, { address, tokenId: token.id, work: ONLY_THE_MINER, onlineMs: ONLY_THE_MINER })

const seenCodes: { readonly [S in Seen['status']]: string } = {
  seen: 'LISTED',
  notSeen: 'NOT_LISTED',
  unknown: 'LISTED_UNKNOWN',
}

const ONE_ANSWER =
  'Ask again in some minutes: one answer is what one node knew. If it goes on, the miner should use another gateway.'

function seenVerdict(seen: Seen): LiveVerdict {
  const online = seen.status === 'unknown' ? null : seen.online
  return {
    code: seenCodes[seen.status],
    sentence: seenSentence(seen),
    nextStep: seen.status === 'notSeen' ? ONE_ANSWER : '',
    evidence: seen.status === 'unknown' ? { reason: seen.reason } : { online },
  }
}

/** Returns the figures of a part as cells; what is a sentence already stays away. */
function evidenceOf({
  code: _,
  why: __,
  ...figures
}: object & { code?: unknown; why?: unknown }): LiveVerdict['evidence'] {
  return Object.fromEntries(
    Object.entries(figures).flatMap(([name, value]): [string, Cell][] => {
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).map(([inner, one]) => [`${name} ${inner}`, String(one)])
      return [[name, typeof value === 'number' || value === null ? value : String(value)]]
    }),
  )
}

/** Own microblocks in blocks, which the index knows. */
async function inBlocks(context: FigureContext, address: Address): Promise<LiveVerdict> {
  const [row] = await ask(
    context,
    `select (select count(*)::int from microblock where token = $1 and height >= first.height
        and account = (select id from account where address = $2)) as own,
      (select coalesce(sum(blocks), 0)::int from token_day where token = $1 and day >= $3::int) as every
    from (select coalesce(min(height), 0) as height from block where day >= $3::int) as first`,
    [address, context.today - DAYS + 1],
  )
  const [own, every] = [Number(row?.own ?? 0), Number(row?.every ?? 0)]
  return {
    code: 'IN_BLOCKS',
    sentence: `In the newest ${DAYS} days ${own} of the ${every} microblocks in ${context.token.symbol} that came into blocks were its own.`,
    nextStep: '',
    evidence: { own, microblocks: every, days: DAYS },
  }
}

/** Returns the answers of the network about an account as verdicts, with the number of its microblocks from the index. */
export async function answerAccount(
  context: FigureContext,
  { address }: { readonly address: Address },
  { seen, share, referral }: Answers,
): Promise<{ readonly verdicts: readonly LiveVerdict[] }> {
  const { symbol, decimals } = context.token
  const verdictOf = <P extends { readonly code: string }>(part: P, sentence: string): LiveVerdict => ({
    ...{ code: part.code, sentence, nextStep: '', evidence: evidenceOf(part) },
  })
  return {
    verdicts: [
      seenVerdict(seen),
      ...share.map((part) => verdictOf(part, shareSentence(part, { symbol, decimals }))),
      await inBlocks(context, address),
      ...referral.map((part) => verdictOf(part, referralSentence(part, { symbol, decimals }))),
    ],
  }
}

/** Reads whether the network reserves places in each macroblock for microblocks of the token. */
export const askSlot = (client: Client, token: ShownToken): Promise<TokenSlot> =>
  client.getTokenSlot({ tokenId: token.id })

/** Returns the answer about the place of the token as a verdict with its figures. */
export function answerSlot(
  { token }: FigureContext,
  slot: TokenSlot,
): { readonly verdicts: readonly LiveVerdict[] } {
  const { hasSlot, places, minimumStake, owner, native } = slot
  const coins = (units: bigint | undefined): string | null =>
    units === undefined || native === null ? null : `${formatAmount(units, native)} ${native.symbol}`
  const verdict: LiveVerdict = {
    code: hasSlot === null ? 'SLOT_UNKNOWN' : hasSlot ? 'SLOT_YES' : 'SLOT_NO',
    sentence: slotSentence(slot, token.symbol).replace(/^slot: (yes, |no, |not found out\. )/, ''),
    nextStep: '',
    evidence: {
      places: places?.count ?? null,
      microblocksInEach: places?.size ?? null,
      ownerHasToExceed: coins(minimumStake ?? undefined),
      ownerHas: coins(owner?.amount),
      owner: owner?.address ?? null,
    },
  }
  return { verdicts: [verdict] }
}
