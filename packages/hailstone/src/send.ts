import { join } from 'node:path'
import {
  createPayments,
  type FeeCap,
  openFileJournal,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
} from '@hailstone/client'
import { parseAddress, parseAmount, type TokenId } from '@hailstone/protocol'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import { coinsText } from './coins.ts'
import type { Given } from './command-line.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { dataFolder, folderIn } from './data-folder.ts'
import { type Exit, exits } from './exit-codes.ts'
import { namedToken } from './named-token.ts'
import { required } from './option-values.ts'
import { watchSignals } from './signals.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'
import { walletOfOptions } from './wallet-of-options.ts'
import { openWebhooks } from './webhook/open-webhooks.ts'
import { type PaymentReports, reportPayments } from './webhook/report-payments.ts'
import { type AtEnd, withEndings } from './with-endings.ts'

/** Makes one payment and waits until nothing about it changes any more; or takes up those left unsettled. */
export async function send(loaded: LoadedConfig<Given<'send'>>, terminal: Terminal): Promise<Exit> {
  const { given } = loaded
  const chosen = chosenNetwork(given, terminal)
  if (given.resume !== true) {
    required('--to', given.to)
    required('--amount', given.amount)
  }
  const wallet = await walletOfOptions(given, terminal)
  return withEndings(async (atEnd) => {
    // What is stored goes on at the next start, so a signal loses nothing.
    const unsettled = (): never => process.exit(exits.paymentUnsettled.number)
    // A payment is settled whoever reads along.
    const interruption = watchSignals(unsettled, { endsWithOutput: false })
    atEnd(interruption.release)
    const client = clientOf(chosen, { takesNewerData: given.newerData })
    atEnd(client.close)
    const folder = await folderIn(dataFolder(given, terminal), 'payments')
    const journal = await openFileJournal({ path: join(folder, `${wallet.address}.journal`) })
    const acceptDamage = given.acceptLost === true
    const payments = await createPayments({ client, journal, wallet, acceptDamage })
    atEnd(payments.close)
    const reported = new Set<string>()
    payments.subscribe((event) => {
      if (event.type === 'changed') tellChange(event.payment, terminal, reported)
      else terminal.warn(`${event.type}: look at \`hailstone send --resume\`.`)
    })
    const reports = await openReports({ payments, loaded, address: wallet.address, terminal, atEnd })
    const before = new Set(payments.list().map(({ id }) => id))
    const resumed = await payments.resume()
    const handles = given.resume === true ? resumed : [await pay(payments, client, given, terminal)]
    for (const { id } of handles) if (!before.has(id)) await reports?.follow(id)
    const settled = await Promise.all(handles.map((handle) => settledOr(handle, interruption.signal)))
    // A payment that was settled by an earlier run changes no more: its result is printed again.
    for (const payment of settled)
      if (!reported.has(stateKey(payment))) tellChange(payment, terminal, reported)
    await reports?.report()
    return exitOfPayments(settled, terminal)
  })
}

/** Time for the webhooks of payments; what is left is delivered by whoever mines or pays next with this key. */
const DELIVERIES_MS = 5_000

const NOT_KEPT = 'A webhook for a payment cannot be kept in the data folder; the payments are not affected.'

/** Opens the webhooks of payments; null without any. A receiver that is away, or a full disk, changes no payment. */
async function openReports(parameters: {
  readonly payments: Payments
  readonly loaded: LoadedConfig<Given<'send'>>
  readonly address: string
  readonly terminal: Terminal
  readonly atEnd: AtEnd
}): Promise<PaymentReports | null> {
  const { payments, loaded, address, terminal, atEnd } = parameters
  const { webhook: target, given } = loaded
  if (target() === null) return null
  const quietly = (task: Promise<void>): Promise<void> => task.catch(() => terminal.warn(NOT_KEPT))
  try {
    const webhooks = await openWebhooks({ owner: address, given, terminal, target })
    atEnd(webhooks.delivery.stop)
    const reports = await reportPayments(webhooks, { payments, address })
    return {
      follow: (id) => quietly(reports.follow(id)),
      report: async () => {
        await quietly(reports.report())
        await webhooks.delivery.flush(DELIVERIES_MS)
      },
    }
  } catch {
    terminal.warn(NOT_KEPT)
    return null
  }
}

async function pay(
  payments: Payments,
  client: ReturnType<typeof clientOf>,
  given: Given<'send'>,
  terminal: Terminal,
): Promise<PaymentHandle> {
  const tokenId: TokenId =
    given.token === undefined ? await client.getNativeTokenId() : await namedToken(client, given.token)
  const token = await client.getToken({ tokenId })
  const decimals = token?.decimals ?? client.network.nativeDecimals
  return payments.pay({
    to: parseAddress(required('--to', given.to)),
    amount: parseAmount(required('--amount', given.amount), { decimals }),
    tokenId,
    memo: given.memo,
    feeCap: feeCapOf(given, decimals, client.network.nativeDecimals),
    idempotencyKey: given.idempotencyKey,
    consent: async (summary) => consent(summary, await nativeFeeText(client, summary), given, terminal),
  })
}

/** A limit that was named holds alone: a share of the amount would allow more. Unasked, nobody pays a whole coin. */
function feeCapOf(
  { maxFee, yes }: Given<'send'>,
  decimals: number,
  nativeDecimals: number,
): FeeCap | undefined {
  const coin = 10n ** BigInt(decimals)
  if (maxFee === undefined) return yes === true ? { units: coin / 10n } : undefined
  const units = parseAmount(maxFee, { decimals })
  // Some tokens take their fee in the native coin.
  return { shareBps: 0n, units, nativeUnits: (units * 10n ** BigInt(nativeDecimals)) / coin }
}

/** The fee of a token that is paid in the native coin besides; empty when there is none. */
async function nativeFeeText(
  client: ReturnType<typeof clientOf>,
  { nativeFee }: PaymentSummary,
): Promise<string> {
  if (nativeFee === 0n) return ''
  const { nativeDecimals: decimals, nativeSymbol: symbol } = client.network
  return `; and ${coinsText(nativeFee, (await client.getNativeToken()) ?? { decimals, symbol })}`
}

const warningTexts: { readonly [K in PaymentSummary['warnings'][number]['kind']]: string } = {
  balanceTooLow: 'the balance is too low',
  feeExceedsAmount: 'the fee exceeds the amount',
  nativeBalanceTooLow: 'the native balance is too low for the fee',
  ownerCannotPayFee: 'the owner of the token cannot pay its fee',
  nothingArrives: 'nothing arrives: the fee is the whole amount',
  highFee: 'the fee is more than one percent of the amount',
  sentToSelf: 'sender and receiver are the same account',
  stakeBelowMinimum: 'the rest is below the minimum stake: mining this token stops',
  paidWithoutJournal: 'the account has payments that this journal does not have',
}

/** Returns the lines that a person agrees to, decoded from the bytes that will be signed. */
function summaryLines(summary: PaymentSummary, nativeFee: string): readonly string[] {
  const { to, amount, fee, net, symbol, decimals, areDecimalsKnown, memo, tokenId, warnings } = summary
  const coins = (units: bigint): string => coinsText(units, { decimals, symbol })
  return [
    `to        ${to}`,
    `amount    ${coins(amount)}`,
    // The API alone says how many decimals this token has; what is signed are the units.
    ...(areDecimalsKnown ? [] : [`units     ${amount}, by ${decimals} decimals as the API says`]),
    `fee       ${coins(fee)}, inside the amount${nativeFee}`,
    `arrives   ${coins(net)}`,
    `token     ${tokenId}`,
    ...(memo === '' ? [] : [`memo      ${memo}`]),
    ...warnings.map(({ kind }) => `warning   ${warningTexts[kind]}`),
  ]
}

async function consent(
  summary: PaymentSummary,
  nativeFee: string,
  given: Given<'send'>,
  terminal: Terminal,
): Promise<boolean> {
  const lines = summaryLines(summary, nativeFee)
  if (terminal.manner === 'json') terminal.tell({ event: 'prepared', ...summary })
  else for (const line of lines) terminal.say(line)
  if (given.yes === true) return true
  if (process.stdin.isTTY !== true) throw new UsageError('Nobody sits there to agree: say --yes.')
  const answer = await terminal.ask('Pay this? Type yes: ')
  return answer.trim() === 'yes'
}

/** Identifies a payment in one state, so that no state is printed twice. */
const stateKey = ({ hash, state }: PaymentInfo): string =>
  `${hash} ${state.status} ${'isFinal' in state && state.isFinal}`

/** Returns the reason in a payment's state; null if that state has no reason. */
function causeOf(state: PaymentInfo['state']): string | null {
  if ('reason' in state) return state.reason
  return 'message' in state ? state.message : null
}

function tellChange(payment: PaymentInfo, terminal: Terminal, reported: Set<string>): void {
  const { hash, state, to, amount } = payment
  reported.add(stateKey(payment))
  if (terminal.manner === 'json') terminal.tell({ event: 'payment', hash, to, amount, ...state })
  else {
    const isFinal = 'isFinal' in state && state.isFinal
    terminal.say(`${state.status.padEnd(10)} ${hash ?? ''}${isFinal ? '  for good' : ''}`.trimEnd())
    const cause = causeOf(state)
    if (cause !== null) terminal.say(`           ${cause}`)
  }
}

/** The payment as it stands when it is settled, or when a signal came. */
async function settledOr(handle: PaymentHandle, signal: AbortSignal): Promise<PaymentInfo> {
  try {
    return await handle.settled({ signal })
  } catch (error) {
    if (signal.aborted) return handle.info()
    throw error
  }
}

function exitOfPayment({ state }: PaymentInfo): Exit {
  if (state.status === 'withdrawn') return exits.paymentRefused
  if (!('isFinal' in state) || !state.isFinal) return exits.paymentUnsettled
  if (state.status === 'confirmed' || state.status === 'superseded') return exits.ok
  return state.status === 'refused' ? exits.paymentRefused : exits.paymentRejected
}

function exitOfPayments(payments: readonly PaymentInfo[], terminal: Terminal): Exit {
  const ends = payments.map(exitOfPayment)
  const worst = ends.reduce((one, other) => (other.number > one.number ? other : one), exits.ok as Exit)
  if (terminal.manner !== 'json') {
    if (payments.length === 0) terminal.say('Nothing is left to settle.')
    else if (worst !== exits.ok) terminal.say(`${worst.meaning} ${worst.nextStep}`)
  }
  return worst
}
