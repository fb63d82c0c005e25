import type { DevelopmentAccount, Genesis, LedgerView } from '@hailstone/ledger'
import { type Address, grossForNet, type Token, type Transaction, toAmount } from '@hailstone/protocol'
import type { Random } from '../chain/selection.ts'
import { signPayment } from '../chain/sign-payment.ts'
import { isMember, type Moment } from './population-draw.ts'
import type { DaySpan, Person, PopulationPlan } from './population-people.ts'

/** Accounts of the partner and of those who take its coins. */
export type PopulationAccounts = {
  /** Owns the token, and pays the native fee of each of its transfers. */
  readonly owner: DevelopmentAccount
  /** Gives newcomers their stake and pays the weekly bonus. */
  readonly treasury: DevelopmentAccount
  readonly shop: DevelopmentAccount
  readonly exchange: DevelopmentAccount
}

/** Native coins that the owner gets when it has few, from the end of the days without any. */
const REFILL_COINS = 60n
const LOW_COINS = 20n
/** Whole days that pass between two bonuses. */
const WEEK = 7
const BONUS_COINS = 2n
/** Transfers of the treasury in one macroblock. */
const TREASURY_PACE = 40
/** Coins above its stake that somebody has before it buys anything. */
const SPARE_COINS = 20n

/** A payment before it is signed; `net` are the units that arrive. */
type PlannedPayment = { readonly from: DevelopmentAccount; readonly to: Address; readonly net: bigint }

export type PaymentParts = {
  readonly plan: PopulationPlan
  readonly accounts: PopulationAccounts
  readonly genesis: Genesis
  readonly ledger: LedgerView
  readonly token: Token
  /** Days on which the owner has no native coins, so that every transfer of the token is rejected. */
  readonly ownerSpent: DaySpan
  readonly random: Random
}

/** Makes the payments of people, of the partner and of the network, one macroblock after another. */
export type Payments = {
  /** Signed payments of a macroblock, before anything that fills it up. */
  readonly of: (moment: Moment & { readonly isNewDay: boolean }) => readonly Transaction[]
  /** A small native payment, so that a microblock has something to hold. */
  readonly filling: () => Transaction
  /** Notes that somebody has mined; who mined often enough in a week gets the bonus. */
  readonly noteMined: (publisher: Address) => void
}

/** @param parts.ledger as it is before each macroblock */
export function createPayments(parts: PaymentParts): Payments {
  const { plan, accounts, genesis, ledger, token, ownerSpent, random } = parts
  const { native } = genesis.tokens
  const coin = 10n ** BigInt(token.decimals)
  const minedInWeek = new Map<Address, number>()
  const treasuryPayments: PlannedPayment[] = []
  const leavers: PlannedPayment[] = []
  let fillers: readonly DevelopmentAccount[] = genesis.accounts.keepAlive
  const held = (address: Address): bigint => ledger.balance(address, token.id) ?? 0n
  const sign = ({ from, to, net }: PlannedPayment, of: Token): Transaction =>
    signPayment({ from, to, amount: grossForNet(of, net), tokenId: of.id, random }).transaction
  const people = new Map(plan.people.map((person) => [person.account.address, person]))

  /** A stake that was rejected while the owner's fees were spent is paid again. */
  function planStakes(day: number): void {
    for (const { account, spells, stakeCoins } of plan.people) {
      const [first] = spells
      const isNew = first?.from === day
      const isOwed =
        first !== undefined && first.from < day && ledger.balance(account.address, token.id) === undefined
      if (stakeCoins > 0 && (isNew || isOwed))
        treasuryPayments.push({
          from: accounts.treasury,
          to: account.address,
          net: BigInt(stakeCoins) * coin,
        })
    }
  }

  function planBonus(): void {
    for (const [to, count] of minedInWeek)
      if (count >= 3) treasuryPayments.push({ from: accounts.treasury, to, net: BONUS_COINS * coin })
    minedInWeek.clear()
  }

  /** The rest that somebody sends away on leaving, as far as it is worth its fee. */
  function leaving(day: number): readonly PlannedPayment[] {
    return plan.people.flatMap(({ account, spells, leavesWithCoins }): readonly PlannedPayment[] => {
      if (leavesWithCoins === null || spells.at(-1)?.to !== day) return []
      const net = held(account.address) - BigInt(leavesWithCoins) * coin - token.feeValue
      return net > 0n ? [{ from: account, to: accounts.exchange.address, net }] : []
    })
  }

  function shopping(day: number): readonly PlannedPayment[] {
    const buyers = plan.people.filter(
      (person) => isMember(person, day) && held(person.account.address) >= stakeWithSpare(person),
    )
    return [0, 1].flatMap((): readonly PlannedPayment[] => {
      const buyer = buyers[Math.floor(random() * buyers.length)]
      const coins = 1 + Math.floor(random() * 6)
      if (buyer === undefined) return []
      return [{ from: buyer.account, to: accounts.shop.address, net: BigInt(coins) * coin }]
    })
  }

  /** Those who hold just the least stake spend it too: that is how people fall below it. */
  const stakeWithSpare = ({ stakeCoins }: Person): bigint =>
    (stakeCoins < 105 ? 102n : BigInt(stakeCoins) + SPARE_COINS) * coin

  /** The owner sends its native coins away. Days later it gets some from the faucet, its own purse elsewhere, as often as needed. */
  function ownerPayments(day: number): readonly Transaction[] {
    const { owner, exchange } = accounts
    const held = ledger.balance(owner.address, native.id) ?? 0n
    if (day === ownerSpent.from && held > native.feeValue)
      return [sign({ from: owner, to: exchange.address, net: held - native.feeValue }, native)]
    const coin = 10n ** BigInt(native.decimals)
    if (day < ownerSpent.to || held >= LOW_COINS * coin) return []
    const net = REFILL_COINS * coin
    return [sign({ from: genesis.accounts.faucet, to: owner.address, net }, native)]
  }

  return {
    of({ day, hour, isNewDay }) {
      if (isNewDay) planStakes(day)
      if (isNewDay && day > 0 && day % WEEK === 0) planBonus()
      if (isNewDay) leavers.push(...leaving(day))
      const ownerPaid = isNewDay ? ownerPayments(day) : []
      // The owner pays for every transfer: one in the same macroblock would leave it too little for its own payment.
      if (ownerPaid.length > 0) return ownerPaid
      const isFunded = held(accounts.treasury.address) > 0n
      const paid = isFunded ? treasuryPayments.splice(0, TREASURY_PACE) : []
      const others = [...leavers.splice(0), ...(hour >= 7 ? shopping(day) : [])]
      return [...paid, ...others].map((one) => sign(one, token))
    },
    filling() {
      const [from, to] = fillers
      fillers = fillers.toReversed()
      if (from === undefined || to === undefined) throw new Error('two accounts pay one another')
      return sign({ from, to: to.address, net: toAmount(native.feeValue) }, native)
    },
    noteMined(publisher) {
      if (people.has(publisher)) minedInWeek.set(publisher, (minedInWeek.get(publisher) ?? 0) + 1)
    },
  }
}
