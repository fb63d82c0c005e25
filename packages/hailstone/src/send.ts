import { join } from 'node:path'
import {
  type Client,
  createPayments,
  type FeeCap,
  openFileJournal,
  type PaymentHandle,
  type PaymentInfo,
  type PaymentSummary,
  type Payments,
  type TokenInfo,
} from '@hailstone/client'
import { isNodeError, parseAddress, parseAmount } from '@hailstone/protocol'
import { assertAsTyped } from './as-typed.ts'
import { askAgain } from './ask-again.ts'
import { chosenNetwork, clientOf } from './chosen-network.ts'
import { coinsText } from './coins.ts'
import { CommandFailure } from './command-failure.ts'
import type { Given } from './command-line.ts'
import type { LoadedConfig } from './config/load-config.ts'
import { dataFolder, folderIn } from './data-folder.ts'
import { type Exit, exits } from './exit-codes.ts'
import { namedToken } from './named-token.ts'
import { required } from './option-values.ts'
import { exitOfPayments, isOver, stateKey, tellChange, tellOfOtherChain } from './payment-outcome.ts'
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
  const ofOne = { to: given.to, amount: given.amount, memo: given.memo, token: given.token }
  const [extra] = Object.entries({ ...ofOne, 'idempotency-key': given.idempotencyKey }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name]),
  )
  if (given.resume === true && extra !== undefined)
    throw new UsageError(`--resume settles the payments that are stored: leave --${extra} out.`)
  if (given.resume !== true) {
    required('--to', given.to)
    required('--amount', given.amount)
  }
  // An empty variable of a script would be the same key for every order.
  if (given.idempotencyKey?.trim() === '')
    throw new UsageError(
      '--idempotency-key is empty: give it a name of its own for each payment, or leave it out.',
    )
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
    const tell = (payment: PaymentInfo): void => {
      reported.add(stateKey(payment))
      tellChange(payment, terminal)
    }
    payments.subscribe((event) => {
      if (event.type === 'changed') tell(event.payment)
      else terminal.warn(`${event.type}: look at \`hailstone send --resume\`.`)
    })
    const reports = await openReports({ payments, loaded, address: wallet.address, terminal, atEnd })
    const before = new Set(payments.list().map(({ id }) => id))
    const resumed = await payments.resume()
    const handles = given.resume === true ? resumed : [await pay(payments, client, given, terminal)]
    for (const { id } of handles) if (!before.has(id)) await reports?.follow(id)
    const settled = await Promise.all(handles.map((handle) => settledOr(handle, interruption.signal)))
    // A payment that was settled by an earlier run changes no more: its result is printed again.
    for (const payment of settled) if (!reported.has(stateKey(payment))) tell(payment)
    await reports?.report()
    if (given.resume !== true) return exitOfPayments(settled, terminal)
    for (const payment of payments.list())
      if (payment.isOfOtherChain && !isOver(payment)) tellOfOtherChain(payment, terminal)
    return exitOfPayments(
      settled.filter(({ isOfOtherChain }) => !isOfOtherChain),
      terminal,
    )
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

/**
 * Reads the token to pay in. Its decimals turn what was typed into units, so none are assumed.
 *
 * @throws {CommandFailure} if the network does not know it
 */
async function tokenToPay(client: Client, given: Given<'send'>): Promise<TokenInfo> {
  const tokenId =
    given.token === undefined
      ? await askAgain(() => client.getNativeTokenId())
      : await namedToken(client, given.token)
  const token = await askAgain(() => client.getToken({ tokenId }))
  if (token !== undefined) return token
  throw new CommandFailure(
    `The network knows no token ${tokenId}. Nothing was signed.`,
    exits.tokenUnknown,
    'Check the token and the network. A node that is starting knows none: then try again in a minute.',
  )
}

const isTokenUnknown = (error: unknown): boolean => isNodeError(error, 'TOKEN_UNKNOWN')

async function pay(
  payments: Payments,
  client: Client,
  given: Given<'send'>,
  terminal: Terminal,
): Promise<PaymentHandle> {
  const { id: tokenId, decimals } = await tokenToPay(client, given)
  const order = {
    to: parseAddress(required('--to', given.to)),
    amount: parseAmount(required('--amount', given.amount), { decimals }),
    tokenId,
    memo: given.memo,
    feeCap: feeCapOf(given, decimals, client.network.nativeDecimals),
    idempotencyKey: given.idempotencyKey,
    consent: async (summary: PaymentSummary) => {
      assertAsTyped(summary, { decimals, token: given.token })
      return consent(summary, await nativeFeeText(client, summary), given, terminal)
    },
  }
  // Before it is signed, the token is read again.
  return askAgain(() => payments.pay(order), isTokenUnknown)
}

/** A limit that was named holds alone: a share of the amount would allow more. Unasked, nobody pays a whole coin. */
function feeCapOf(
  { maxFee, yes }: Given<'send'>,
  decimals: number,
  nativeDecimals: number,
): FeeCap | undefined {
  const coin = 10n ** BigInt(decimals)
  const nativeCoin = 10n ** BigInt(nativeDecimals)
  if (maxFee === undefined)
    return yes === true ? { units: coin / 10n, nativeUnits: nativeCoin / 10n } : undefined
  const units = parseAmount(maxFee, { decimals })
  // Some tokens take their fee in the native coin.
  return { shareBps: 0n, units, nativeUnits: (units * nativeCoin) / coin }
}

/**
 * The fee of a token that is paid in the native coin besides; empty for other tokens.
 *
 * @throws {CommandFailure} if the network does not name its native coin
 */
async function nativeFeeText(client: Client, { nativeFee }: PaymentSummary): Promise<string> {
  if (nativeFee === 0n) return ''
  const native = await askAgain(() => client.getNativeToken())
  if (native !== undefined) return `; and ${coinsText(nativeFee, native)}`
  throw new CommandFailure(
    `The fee is ${nativeFee} units of the native coin, which the network does not name. Nothing was signed.`,
    exits.answerInvalid,
    exits.answerInvalid.nextStep,
  )
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

/** Between two looks for whether the API serves the chain of a payment, in ms. */
const CHAIN_LOOK_MS = 1_000

/** The payment as it stands when it is settled, when a signal came, or when it turns out to be of another chain. */
async function settledOr(handle: PaymentHandle, interrupted: AbortSignal): Promise<PaymentInfo> {
  const elsewhere = new AbortController()
  const look = setInterval(() => {
    if (handle.info().isOfOtherChain) elsewhere.abort()
  }, CHAIN_LOOK_MS)
  const signal = AbortSignal.any([interrupted, elsewhere.signal])
  try {
    return await handle.settled({ signal })
  } catch (error) {
    if (signal.aborted) return handle.info()
    throw error
  } finally {
    clearInterval(look)
  }
}
