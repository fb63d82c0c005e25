import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, openFileJournal, type Wallet } from '@hailstone/client'
import {
  type ConfirmedReceiver,
  decidePayout,
  type Payout,
  type PayoutFault,
  type PayoutObstacle,
  type PayoutReadings,
  type PayoutRule,
} from '@hailstone/mining-node/amounts'
import { type Amount, isNodeError, parseAmount, type TokenId } from '@hailstone/protocol'
import { systemFaultOf } from '@hailstone/runtime/node'
import { stampText } from '../clock-text.ts'
import { coinsText } from '../coins.ts'
import { isOver } from '../payment-outcome.ts'
import type { Terminal } from '../terminal.ts'
import { attemptPayout } from './attempt-payout.ts'
import type { PayoutOptions } from './payout-options.ts'

const sentences: { readonly [W in PayoutObstacle | PayoutFault]: string } = {
  receiverNotConfirmed: 'nobody has confirmed the receiver',
  receiverIsMiner: 'the receiver is the account that mines: name another one',
  chainNotProved: 'the height of the chain is not known at the moment',
  balanceUnknown: 'the balance is not known yet',
  balanceStale: 'the balance could not be read lately',
  stakeUnknown: 'the minimum stake is not known yet',
  feesUnknown: 'the network does not know the token',
  paymentUnderWay: 'an earlier payment is not settled yet',
  paidThisPeriod: 'paid in this period; the next one begins later',
  rejectedThisPeriod: 'the network did not execute the payment of this period; the next one begins later',
  tooLittle: 'too little is above what stays in the account',
  feeTakesAll: 'the fee would take all of it',
  differs: 'what would be signed is not what was decided',
  lacksFunds: 'the balances do not bear it',
  belowStake: 'the account would be below the minimum stake',
  paidElsewhere:
    'the account has payments that the journal of this machine does not have. Look at its history, then start once with --payout-confirm',
}

/** Reasons that are no news to a person. Programs get them all. */
const USUAL: ReadonlySet<string> = new Set<PayoutObstacle>([
  'balanceUnknown',
  'stakeUnknown',
  'chainNotProved',
  'tooLittle',
  'paidThisPeriod',
])

/** Accounts of a fleet that are looked at at the same time: each has a journal open. */
const AT_A_TIME = 16

const NO_FEES = { feeType: 0, feeValue: 0n as Amount, feeMinimum: 0n as Amount } as const

type Denomination = { readonly decimals: number; readonly symbol: string }

/** Account that pays out, with what its miner knows of it. */
export type PayoutAccount = {
  readonly wallet: Wallet
  readonly confirmed: ConfirmedReceiver
  /** Returns null as long as token or decimals are not known. */
  readonly read: () => {
    readonly tokenId: TokenId
    readonly coin: Denomination
    readonly readings: PayoutReadings
  } | null
}

export type WatchPayoutsParameters = {
  readonly options: PayoutOptions
  readonly accounts: readonly PayoutAccount[]
  readonly client: Client
  /** Folder of the journals of `hailstone send`, which are these. */
  readonly folder: string
  /** Pause between two rounds, in ms. */
  readonly pauseMs: number
  readonly terminal: Terminal
  /** Writes a line for people where it does not disturb the screen. */
  readonly say: (line: string) => void
}

type Watching = WatchPayoutsParameters & { readonly signal: AbortSignal }

/** Returns a function that pays out of one account once if the rule says so, and reports what it did. */
function watchAccount(account: PayoutAccount, watching: Watching): () => Promise<void> {
  const { options, accounts, client, folder, terminal, say, signal } = watching
  const { wallet, confirmed, read } = account
  const { address } = wallet
  const { to, everyMs } = options
  const whose = accounts.length > 1 ? ` of ${address}` : ''
  let told = ''
  /** True while the journal may have a payment that is not settled. */
  let isOpen = true

  function tell(status: string, sentence: string, facts: object = {}): void {
    if (terminal.manner === 'json') terminal.tell({ event: 'payout', status, from: address, to, ...facts })
    else say(`${stampText()}  payout${whose} ${sentence}`)
  }

  function wait(why: string, sentence: string): void {
    if (told !== why && !(USUAL.has(why) && terminal.manner !== 'json'))
      tell('waiting', `waits: ${sentence}`, { why, message: sentence })
    told = why
  }

  function tellDue({ amount, fee, net }: Payout, coin: Denomination): void {
    const [paid, taken, arriving] = [amount, fee, net].map((units) => coinsText(units, coin))
    tell('due', `pays ${paid} to ${to}: fee ${taken}, ${arriving} arrive`, { amount, fee, net })
  }

  async function look(): Promise<void> {
    const known = read()
    if (known === null) return wait('stakeUnknown', sentences.stakeUnknown)
    const { coin, tokenId, readings } = known
    const units = (text: string): bigint => parseAmount(text, coin)
    const [above, least] = [units(options.above), units(options.least)]
    const most = options.most === null ? undefined : units(options.most)
    const rule: PayoutRule = { to, tokenId, above, least, most, everyMs }
    const facts = { address, nowMs: Date.now(), confirmed: confirmed.to, fees: NO_FEES, payments: [] }
    const early = decidePayout(rule, { ...readings, ...facts })
    if (!early.isDue && !isOpen) return wait(early.why, sentences[early.why])
    const outcome = await attemptPayout({
      ...{ client, wallet, rule, decimals: coin.decimals, confirmed, readings, signal },
      openJournal: () => openFileJournal({ path: join(folder, `${address}.journal`) }),
      onDue: (payout) => tellDue(payout, coin),
    })
    isOpen = outcome.status === 'paid' ? !isOver(outcome.payment) : outcome.why === 'paymentUnderWay'
    if (outcome.status === 'waits') return wait(outcome.why, sentences[outcome.why])
    told = ''
    const { hash, state } = outcome.payment
    tell(state.status, `is ${state.status}: ${hash ?? ''}`.trimEnd(), { hash, ...state })
  }

  function onFault(error: unknown): void {
    if (signal.aborted) return
    const message = isNodeError(error) ? error.message : (systemFaultOf(error) ?? String(Object(error).name))
    wait(isNodeError(error) ? error.code : message, message)
  }

  return () => look().catch(onFault)
}

/** Pays out by a rule while miners run. */
export function watchPayouts(parameters: WatchPayoutsParameters): { readonly stop: () => Promise<void> } {
  const { options, accounts, pauseMs, terminal, say } = parameters
  const ending = new AbortController()
  const { signal } = ending
  const looks = accounts.map((account) => watchAccount(account, { ...parameters, signal }))

  async function takeTurns(turns: Iterator<() => Promise<void>>): Promise<void> {
    for (let next = turns.next(); !next.done && !signal.aborted; next = turns.next()) await next.value()
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      const turns = looks.values()
      await Promise.all(Array.from({ length: AT_A_TIME }, () => takeTurns(turns)))
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }

  const { to, above, least, most, everyMs } = options
  if (terminal.manner === 'json')
    terminal.tell({ event: 'payout', status: 'on', to, above, least, most, everyMs })
  else {
    const each = accounts.length > 1 ? ` in each of ${accounts.length} accounts` : ''
    const limit = most === null ? '' : `, at most ${most}`
    say(
      `${stampText()}  payout is on: what is above ${above} coins${each} goes to ${to}, at least ${least} at a time${limit}`,
    )
  }
  const followed = follow()
  return {
    stop: () => {
      ending.abort()
      return followed
    },
  }
}
