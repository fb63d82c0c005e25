import type { Balance } from '@hailstone/client'
import type { Amount } from '@hailstone/protocol'
import { type Moment, passedMs } from './moment.ts'

type Holding = Pick<Balance, 'amount' | 'isKnown'>

/** Answers that contradict a balance, counted once for each macroblock. */
type Denied = {
  readonly answers: number
  /** Milliseconds between the first and the last of them, by `passedMs`. */
  readonly overMs: number
  /** The newest of them. */
  readonly newest: Moment
}

/** A balance as it is believed, and what was said against it. */
export type HeldBalance = {
  /** Null before the first reading. */
  readonly last: Holding | null
  /** Amounts that others took the place of, the newest last: a node that is behind shows them again. */
  readonly superseded: readonly Amount[]
  /** The claim that it is less; null while nothing said so since the last change. */
  readonly denied: Denied | null
}

export const NOTHING_HELD: HeldBalance = { last: null, superseded: [], denied: null }

/** Answers in a row that prove a claim, within one reading: of three nodes at an address two may show the same from before. */
const AGREEING = 32
/** The same of a first claim, that the account is not known: no node but one that is starting says so by mistake. */
const AGREEING_AT_FIRST = 16
/**
 * Macroblocks and time that prove a claim that is contradicted by a node that stands still; one that is behind catches up
 * meanwhile.
 */
const LASTING = { answers: 4, overMs: 90_000 }
/** Macroblocks without denial after which earlier ones do not count. */
const DENIAL_LASTS = 4
const SUPERSEDED_KEPT = 8

const isSame = (one: Holding | null, other: Holding): boolean =>
  one?.amount === other.amount && one.isKnown === other.isKnown

/**
 * True for an answer that a node that is behind, or starts, may give as well: less than before, an account that is not
 * known, or an amount of before.
 */
const isClaim = ({ last, superseded }: HeldBalance, answer: Holding): boolean => {
  const { amount, isKnown } = answer
  if (last === null || isSame(last, answer)) return last === null && !isKnown
  return amount < last.amount || (last.isKnown && !isKnown) || superseded.includes(amount)
}

function taken(held: HeldBalance, { amount, isKnown }: Holding): HeldBalance {
  const { last, superseded } = held
  if (isSame(last, { amount, isKnown })) return held
  const before = last === null ? superseded : [...superseded, last.amount]
  return {
    last: { amount, isKnown },
    superseded: before.filter((one) => one !== amount).slice(-SUPERSEDED_KEPT),
    denied: null,
  }
}

/** An account that held the token is known for good: a node that is starting does not have it yet. */
const isAbsent = ({ last }: HeldBalance, { isKnown }: Holding): boolean => last?.isKnown === true && !isKnown

function denials(held: HeldBalance, claim: Holding, now: Moment): Denied | null {
  const { superseded, denied } = held
  if (!isAbsent(held, claim) && superseded.includes(claim.amount)) return denied
  if (denied === null || !isRecent(denied, now.height)) return { answers: 1, overMs: 0, newest: now }
  const { answers, overMs, newest } = denied
  if (now.height <= newest.height) return denied
  return { answers: answers + 1, overMs: overMs + passedMs(newest, now), newest: now }
}

/** A chain that began anew has heights far below: a denial of before says nothing of it, and would hold up those that follow. */
const isRecent = ({ newest }: Denied, height: number): boolean =>
  Math.abs(height - newest.height) <= DENIAL_LASTS

const isLasting = (denied: Denied | null): boolean =>
  denied !== null && denied.answers >= LASTING.answers && denied.overMs >= LASTING.overMs

/**
 * Decides between the answers of one reading, of which all but the last are claims.
 *
 * @returns the balance; null while the claims differ, or say that an account is unknown which was known
 */
export function believed<B extends Holding>(
  held: HeldBalance,
  answers: readonly [B, ...B[]],
  moment: Moment,
): { readonly balance: B | null; readonly held: HeldBalance } {
  const [first] = answers
  const newest = answers.at(-1) ?? first
  const isContradicted = isClaim(held, first) && isSame(held.last, newest)
  // Claims that differ are of several nodes, of which one may be behind and the other start.
  const isAgreed = !isClaim(held, newest) || answers.every((answer) => isSame(answer, newest))
  if (!isContradicted && isAgreed && !isAbsent(held, newest))
    return { balance: newest, held: taken(held, newest) }
  const denied = denials(held, first, moment)
  if (isLasting(denied)) return { balance: first, held: taken(held, first) }
  return { balance: isContradicted ? newest : null, held: { ...held, denied } }
}

/**
 * Reads a balance. A rise to a new amount is taken at once. Everything else is asked again until an answer contradicts it:
 * then the balance stays as it was, and the next macroblocks decide.
 */
export async function readBalance(
  held: HeldBalance,
  moment: Moment,
  ask: () => Promise<Balance>,
): Promise<{ readonly balance: Balance | null; readonly held: HeldBalance }> {
  const answers: [Balance, ...Balance[]] = [await ask()]
  const agreeing = held.last === null ? AGREEING_AT_FIRST : AGREEING
  for (let newest = answers[0]; isClaim(held, newest) && answers.length < agreeing; answers.push(newest)) {
    newest = await ask()
  }
  return believed(held, answers, moment)
}

/** True if the next macroblock has to tell whether the balance is less. */
export const isDisputed = ({ denied }: HeldBalance, height: number): boolean =>
  denied !== null && isRecent(denied, height)
