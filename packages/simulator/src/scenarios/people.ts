import { type Address, isNodeError, type TokenId } from '@hailstone/protocol'
import type { JournalStore, PaymentHandle, Payments } from '../real.ts'
import type { Run } from '../run/run.ts'
import { stranger } from '../world/accounts.ts'
import { manifoldTokens } from '../world/chain-origin.ts'
import type { OrderLog } from './order-log.ts'
import { type Habits, type Order, orderOf } from './payer.ts'

/** What people can know of the world. */
export type Circumstances = {
  readonly isCalm: () => boolean
  readonly isRehearsal: () => boolean
  /** True if one journal alone has seen every payment of the account. */
  readonly isWhole: () => boolean
  /** True if everything was told, and only what is not settled is asked for. */
  readonly isOver: () => boolean
  /** True if an order is meant for the journal that is in use. */
  readonly isMeant: (memo: string) => boolean
  /** How often each order was executed on its chain until now. */
  readonly paid: () => ReadonlyMap<string, number>
  /** True if some node refused an order without saying when it can be sent again. */
  readonly wasRefusedForGood: (memo: string) => boolean
  /** Looks at the account's history, for what the journal does not have. Null if there is nothing to find. */
  readonly look: (() => void) | null
}

/** Codes after which the bytes of a payment may be stored. */
const UNSURE: ReadonlySet<string> = new Set(['TRANSACTION_UNCERTAIN'])

/** What the memo of a payment ends with that is made in the place of a refused one. */
export const AGAIN = ' again'

const inCapitals = (address: Address): Address => address.toUpperCase() as Address

/** People who give orders up, ask for them again, write addresses in capitals and confuse tokens. */
export function createPeople(
  run: Run,
  book: OrderLog,
  { isCalm, isRehearsal, isWhole, isOver, isMeant, paid, wasRefusedForGood, look }: Circumstances,
): Habits {
  const { chance } = run
  const asked = new Map<string, number>()
  const refused = new Map<string, number>()
  const given = new Set<string>()
  const confused = new Set<string>()
  const count = (counts: Map<string, number>, memo: string): void =>
    void counts.set(memo, (counts.get(memo) ?? 0) + 1)
  const hasNothingLeft = (memo: string): boolean =>
    asked.get(memo) === refused.get(memo) && !book.hasLeft(memo) && isWhole()

  const paidBefore = new WeakMap<Payments, ReadonlyMap<string, number>>()

  /**
   * Whoever calls a paid order hopeless is wrong where one journal has all payments of the account, where this journal has
   * the payment, and where the chain showed it when the journal was opened. What a journal that is compared with the chain
   * already does not have, other journals may pay later: their bytes are in a pool that was not asked, or come from another
   * machine.
   */
  function judgeHopeless(memo: string, payments: Payments): void {
    if (!isCalm() || !paid().has(memo)) return
    const isOwn = payments
      .list()
      .some((info) => info.memo === memo && info.hash !== null && !info.isOfOtherChain)
    if (isWhole() || isOwn || paidBefore.get(payments)?.has(memo))
      run.violate('I1', `${memo} is called hopeless and was paid`)
    else run.note('people', `cannot know that ${memo} was paid`)
  }

  function giveUp(memo: string): true {
    if (hasNothingLeft(memo)) {
      run.note('people', `give ${memo} up`)
      given.add(memo)
      book.isGivenUp(memo)
    }
    return true
  }

  return {
    isWanted: ({ memo }) => isMeant(memo) && !given.has(memo) && !(isOver() && book.cameToNothing(memo)),
    asks: (order) => {
      count(asked, order.memo)
      const asking = orderOf(order)
      return chance.is(0.15) ? { ...asking, to: inCapitals(stranger.address) } : asking
    },
    hasOpened: (payments) => {
      // Until then a node may be behind.
      if (isCalm()) paidBefore.set(payments, paid())
    },
    wasRefused: ({ memo }, error, payments) => {
      const { code } = error
      if (!UNSURE.has(code)) count(refused, memo)
      if (code === 'PAYMENT_CONFLICT' && !confused.has(memo)) {
        confused.add(memo)
        run.violate('I1', `${memo} is asked for again and called another order`)
      }
      // The history of a node that is behind does not reach what is known: then nothing is claimed, and it is asked again.
      const isClaimed = !isNodeError(error, 'JOURNAL_BEHIND') || error.facts.newest !== null
      if (code === 'JOURNAL_BEHIND' && isWhole()) {
        // Until then a node may deny the past, which strangers post again.
        if (isClaimed && (look === null || (isCalm() && book.hasGround())))
          run.violate('I4', `${memo}: JOURNAL_BEHIND with a whole journal`)
        look?.()
      }
      if (isCalm() && code === 'JOURNAL_BEHIND') return isClaimed || !isWhole()
      if (code === 'PAYMENT_HOPELESS') judgeHopeless(memo, payments)
      const isTooMuch = code === 'PAYMENT_HOPELESS' && memo.startsWith('large')
      if (isCalm() && isTooMuch) return giveUp(memo)
      const isLost =
        !isRehearsal() && hasNothingLeft(memo) && chance.is(code === 'JOURNAL_WRITE_FAILED' ? 0.7 : 0.05)
      return isLost && giveUp(memo)
    },
    wasSettled: async (order, handle, payments) => {
      const { state } = handle
      if (state.status === 'refused' && !wasRefusedForGood(order.memo))
        run.violate('I1', `${order.memo} is given up, and was refused for a while only`)
      if (state.status === 'refused') await replace(order, payments)
      if (chance.is(0.3)) await confuse(run, order, handle, payments)
    },
  }
}

/** Makes a payment in the place of one that came to nothing. */
async function replace(order: Order, payments: Payments): Promise<void> {
  try {
    const handle = await payments.pay(orderOf({ ...order, memo: `${order.memo}${AGAIN}` }))
    await handle.settled()
  } catch (error) {
    if (!isNodeError(error)) throw error
  }
}

/** Asks under a key that was used: for the same order, and for one of another token. */
async function confuse(run: Run, order: Order, handle: PaymentHandle, payments: Payments): Promise<void> {
  const { native, fixed } = manifoldTokens
  const own = order.tokenId ?? native.id
  const codeOf = async (tokenId: TokenId | undefined): Promise<string> => {
    try {
      const { tokenId: _, ...asking } = orderOf(order)
      const again = await payments.pay({ ...asking, ...(tokenId === undefined ? {} : { tokenId }) })
      return again.id === handle.id ? 'same' : 'other'
    } catch (error) {
      if (isNodeError(error)) return error.code
      throw error
    }
  }
  const other = own === native.id ? fixed.id : run.chance.pick([native.id, undefined])
  const answer = await codeOf(other)
  if (answer === 'same' || answer === 'other')
    run.violate('I1', `${order.memo}, asked for in another token, is called paid`)
  const repeated = await codeOf(own)
  if (repeated === 'PAYMENT_CONFLICT' || repeated === 'other')
    run.violate('I1', `${order.memo}, asked for again, is called ${repeated}`)
}

/** A journal over a store of somebody else's, whose errors say nothing of what was stored. */
export const failingStore =
  ({ chance, fault }: Run, isCalm: () => boolean) =>
  (store: JournalStore): JournalStore => ({
    ...store,
    append: async (json, options) => {
      const fails = !isCalm() && chance.is(0.15)
      const isStored = !fails || chance.is(0.5)
      if (isStored) await store.append(json, options)
      if (!fails) return
      fault('store', isStored ? 'fails after it stored' : 'fails')
      throw new Error('the connection to the store was lost')
    },
  })
