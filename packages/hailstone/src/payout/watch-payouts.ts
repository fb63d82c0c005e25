import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, openFileJournal, type Wallet } from '@hailstone/client'
import type { MiningNode, MiningSnapshot } from '@hailstone/mining-node'
import {
  decidePayout,
  type Payout,
  type PayoutFault,
  type PayoutObstacle,
  type PayoutRule,
} from '@hailstone/mining-node/amounts'
import { type Amount, isNodeError, parseAmount } from '@hailstone/protocol'
import { systemFaultOf } from '@hailstone/runtime/node'
import { stampText } from '../clock-text.ts'
import { coinsText } from '../coins.ts'
import { isOver } from '../payment-outcome.ts'
import type { Terminal } from '../terminal.ts'
import type { ConfirmedReceiver } from './confirmed-receiver.ts'
import { type Observed, payOut } from './pay-out.ts'
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

const NO_FEES = { feeType: 0, feeValue: 0n as Amount, feeMinimum: 0n as Amount } as const

/** Selects what a decision needs from what a miner knows. */
export function observedIn({ height, balance, stakes, api, warnings }: MiningSnapshot): Observed {
  const isBehind = warnings.some(({ code }) => code === 'API_BEHIND')
  return {
    isChainProved: height !== null && !height.isStale && api.status === 'reachable' && !isBehind,
    balance: balance && { amount: balance.amount, isStale: balance.isStale },
    minimumStake: stakes === null || stakes.isStale ? null : (stakes.token?.minimumStake ?? null),
  }
}

export type WatchPayoutsParameters = {
  readonly options: PayoutOptions
  readonly confirmed: ConfirmedReceiver
  readonly node: Pick<MiningNode, 'snapshot'>
  readonly client: Client
  readonly wallet: Wallet
  /** Folder of the journals of `hailstone send`, which are these. */
  readonly folder: string
  /** Pause between two decisions, in ms. */
  readonly pauseMs: number
  readonly terminal: Terminal
  /** Writes a line for people where it does not disturb the screen. */
  readonly say: (line: string) => void
}

type Denomination = { readonly decimals: number; readonly symbol: string }

/** Pays out by a rule while a miner runs. */
export function watchPayouts(parameters: WatchPayoutsParameters): { readonly stop: () => Promise<void> } {
  const { options, confirmed, node, client, wallet, folder, pauseMs, terminal, say } = parameters
  const { address } = wallet
  const { to, everyMs } = options
  const ending = new AbortController()
  let told = ''
  /** True while the journal may have a payment that is not settled. */
  let isOpen = true

  function tell(status: string, sentence: string, facts: object = {}): void {
    if (terminal.manner === 'json') terminal.tell({ event: 'payout', status, to, ...facts })
    else say(`${stampText()}  payout ${sentence}`)
  }

  function wait(why: string, sentence: string): void {
    if (told !== why && !(USUAL.has(why) && terminal.manner !== 'json'))
      tell('waiting', `waits: ${sentence}`, { why, message: sentence })
    told = why
  }

  function tellDue({ amount, fee, net }: Payout, coin: Denomination): void {
    const [paid, taken, arriving] = [amount, fee, net].map((units) => coinsText(units, coin))
    tell('due', `of ${paid} to ${to}: fee ${taken}, ${arriving} arrive`, { amount, fee, net })
  }

  async function look(): Promise<void> {
    const snapshot = node.snapshot()
    const { stakes, tokenId } = snapshot
    const coin = stakes?.token ?? null
    if (coin === null) return wait('stakeUnknown', sentences.stakeUnknown)
    const { decimals } = coin
    const [above, least] = [parseAmount(options.above, coin), parseAmount(options.least, coin)]
    const rule: PayoutRule = { to, tokenId, above, least, everyMs }
    const observed = observedIn(snapshot)
    const facts = { address, nowMs: Date.now(), confirmed: confirmed.to, fees: NO_FEES, payments: [] }
    const early = decidePayout(rule, { ...observed, ...facts })
    if (!early.isDue && !isOpen) return wait(early.why, sentences[early.why])
    const outcome = await payOut({
      ...{ client, wallet, rule, decimals, confirmed, observed },
      openJournal: () => openFileJournal({ path: join(folder, `${address}.journal`) }),
      onDue: (payout) => tellDue(payout, coin),
      signal: ending.signal,
    })
    isOpen = outcome.status === 'paid' ? !isOver(outcome.payment) : outcome.why === 'paymentUnderWay'
    if (outcome.status === 'waits') return wait(outcome.why, sentences[outcome.why])
    told = ''
    const { hash, state } = outcome.payment
    tell(state.status, `${state.status} ${hash ?? ''}`.trimEnd(), { hash, ...state })
  }

  function onFault(error: unknown): void {
    if (ending.signal.aborted) return
    const message = isNodeError(error) ? error.message : (systemFaultOf(error) ?? String(Object(error).name))
    wait(isNodeError(error) ? error.code : message, message)
  }

  async function follow(): Promise<void> {
    while (!ending.signal.aborted) {
      await look().catch(onFault)
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  }

  const { above, least } = options
  const rule = `what is above ${above} coins goes to ${to}, at least ${least} at a time`
  tell('on', `is on: ${rule}`, { above, least, everyMs })
  const followed = follow()
  return {
    stop: () => {
      ending.abort()
      return followed
    },
  }
}
