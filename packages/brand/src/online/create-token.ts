import { createClient } from '@hailstone/client'
import {
  type Address,
  formatAmount,
  grossForNet,
  isHash,
  parseTokenId,
  readContract,
  type TokenId,
} from '@hailstone/protocol'
import { isLoopbackHost } from '@hailstone/runtime'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { commandOfWish, dataOfWish, linesOfOrder, type TokenWish } from './token-wish.ts'

/** The payment that creates a token. Nobody has signed it. */
export type TokenPayment = {
  readonly to: Address
  /** Native units: the price of a token with the fee. */
  readonly amount: bigint
  /** The same in native coins. */
  readonly coins: string
  /** Short name of the native coin. */
  readonly symbol: string
  readonly data: string
  /** Sentences on the effect of the payment, decoded from its `data`. */
  readonly lines: readonly string[]
}

/** A token that was created, or the payment that creates it. */
export type TokenCreation =
  | { readonly kind: 'created'; readonly tokenId: TokenId }
  | { readonly kind: 'payment'; readonly payment: TokenPayment }

const REQUEST_MS = 60_000

/** True if the network of a brand is one for development on this machine, whose coins have no value. */
export const isOwnNetwork = ({ network }: Pick<ResolvedBrand, 'network'>): boolean =>
  network.preset === 'devnet' && isLoopbackHost(new URL(network.api).hostname)

/**
 * Creates a token at once on a network for development on this machine; for any other network, returns the payment that
 * creates it. Nothing is signed here.
 *
 * @throws {NodeError} what the wish has wrong, and what the network does not answer
 * @throws {Error} where the local network does not let programs create tokens, with the command that does
 */
export async function createToken(brand: ResolvedBrand, wish: TokenWish): Promise<TokenCreation> {
  const data = dataOfWish(wish)
  return isOwnNetwork(brand)
    ? { kind: 'created', tokenId: await orderedToken(brand, wish, data) }
    : { kind: 'payment', payment: await readTokenPayment(brand, data) }
}

const UNREACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT']

/** True for an order that no network got: nothing took the connection, or fetch opens none to the port. */
function wasNeverSent(error: unknown): boolean {
  const { code, message } = Object(Object(error).cause) as Partial<NodeJS.ErrnoException>
  return UNREACHED.includes(String(code)) || message === 'bad port'
}

const outcomeUnknown = ({ origin }: URL, { symbol }: TokenWish, cause?: unknown): Error =>
  new Error(
    `The network at ${origin} has not said whether it created ${symbol}: the token may be there. Look for it among the tokens of ${origin}/ before you create it again, and put its id into the settings if you find it.`,
    { cause },
  )

/** Sends the order to the control of a local network, whose token owner signs it. */
async function orderedToken({ network }: ResolvedBrand, wish: TokenWish, data: string): Promise<TokenId> {
  const url = new URL('/control/v1/order', network.api)
  const signal = AbortSignal.timeout(REQUEST_MS)
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ data }), signal }).catch(
    (cause: unknown) => {
      throw wasNeverSent(cause)
        ? new Error(`The network at ${url.origin} does not answer. Start it, then create the token.`, {
            cause,
          })
        : outcomeUnknown(url, wish, cause)
    },
  )
  const read = await answer.json().catch((cause: unknown) => {
    if (answer.ok) throw outcomeUnknown(url, wish, cause)
  })
  const { hash, message } = Object(read) as Readonly<Record<string, unknown>>
  if (answer.ok && isHash(hash)) return parseTokenId(hash)
  if (answer.ok) throw outcomeUnknown(url, wish)
  if (answer.status === 404)
    throw new Error(
      `The network at ${url.origin} lets no program create tokens. Start it with --control, or create the token with: ${commandOfWish(wish)}`,
    )
  throw new Error(typeof message === 'string' ? message : `The network answered ${answer.status}.`)
}

/** Asks the network what a token costs and who is paid. */
async function readTokenPayment({ network }: ResolvedBrand, data: string): Promise<TokenPayment> {
  await using client = createClient({ apiUrl: network.api, allowInsecure: true })
  const [native, { origin }, prices] = await Promise.all([
    client.getNativeToken(),
    client.getNetworkInfo(),
    client.getContractPrices(),
  ])
  const { create_token: price } = prices
  if (native === undefined || price === undefined)
    throw new Error('The network does not say what a token costs. Nothing can be prepared without that.')
  const amount = grossForNet({ ...native, feeMinimum: native.feeMinimum ?? native.feeValue }, price)
  const { symbol } = native
  const coins = formatAmount(amount, native)
  const reading = readContract(data)
  if (reading.kind !== 'contract' || reading.order?.type !== 'create_token')
    throw new TypeError('the data creates a token')
  const lines = [
    `It pays ${coins} ${symbol} to the network: ${formatAmount(price, native)} are the price of a token, the rest is the fee. More would be lost.`,
    ...linesOfOrder(reading.order),
    `Price and receiver are what ${network.api} says now.`,
    'Its hash becomes the id of the token. If the network rejects it, it costs nothing, and there is no token.',
  ]
  return { to: origin.publisher, amount, coins, symbol, data, lines }
}
