import type { Balance } from '@hailstone/client'
import type { Amount } from '@hailstone/protocol'

type Holding = Pick<Balance, 'amount' | 'isKnown'>

/** A balance as it is believed, and what was said against it. */
export type HeldBalance = {
  /** Null before the first reading. */
  readonly last: Holding | null
  /** Amounts that others took the place of, the newest last: a node that is behind shows them again. */
  readonly superseded: readonly Amount[]
  /**
   * Number of macroblocks after which an answer said less, and the height of the newest of them; null while none did since
   * the last change.
   */
  readonly denied: { readonly times: number; readonly height: number } | null
}

export const NOTHING_HELD: HeldBalance = { last: null, superseded: [], denied: null }

/** Answers in a row that prove a claim, within one reading. */
const AGREEING = 10
/** Macroblocks that prove one that is contradicted, by a node that stands still; another one that is behind catches up. */
const DENIED_TIMES = 4
/** Macroblocks without denial after which earlier ones do not count. */
const DENIAL_LASTS = 8
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

function denials({ superseded, denied }: HeldBalance, claim: Holding, height: number): HeldBalance['denied'] {
  if (superseded.includes(claim.amount)) return denied
  if (denied === null || height - denied.height > DENIAL_LASTS) return { times: 1, height }
  return height > denied.height ? { times: denied.times + 1, height } : denied
}

/**
 * Decides between the answers of one reading, of which all but the last are claims.
 *
 * @param height of the newest macroblock
 */
export function believed<B extends Holding>(
  held: HeldBalance,
  answers: readonly [B, ...B[]],
  height: number,
): { readonly balance: B; readonly held: HeldBalance } {
  const [first] = answers
  const balance = answers.at(-1) ?? first
  const isContradicted = isClaim(held, first) && isSame(held.last, balance)
  if (!isContradicted) return { balance, held: taken(held, balance) }
  const denied = denials(held, first, height)
  const isProved = (denied?.times ?? 0) >= DENIED_TIMES
  return isProved ? { balance: first, held: taken(held, first) } : { balance, held: { ...held, denied } }
}

/**
 * Reads a balance. A rise to a new amount is taken at once. Everything else is asked again until an answer contradicts it:
 * then the balance stays as it was, and the next macroblocks decide.
 */
export async function readBalance(
  held: HeldBalance,
  height: number,
  ask: () => Promise<Balance>,
): Promise<{ readonly balance: Balance; readonly held: HeldBalance }> {
  const answers: [Balance, ...Balance[]] = [await ask()]
  for (let newest = answers[0]; isClaim(held, newest) && answers.length < AGREEING; answers.push(newest)) {
    newest = await ask()
  }
  return believed(held, answers, height)
}

/** True if the next macroblock has to tell whether the balance is less. */
export const isDisputed = ({ denied }: HeldBalance, height: number): boolean =>
  denied !== null && height - denied.height <= DENIAL_LASTS
