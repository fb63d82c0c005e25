import {
  type Address,
  type Amount,
  apiError,
  type ContractOrder,
  contractPricesEndpoint,
  formatAmount,
  NodeError,
  nativeTokenEndpoint,
  networkInfoEndpoint,
  parseAmount,
  paymentError,
  type TokenAnswer,
  type TokenId,
  type TransactionAnswer,
  tokenEndpoint,
  tokenOrder,
  transactionEndpoint,
} from '@hailstone/protocol'
import { openSecretWarning } from '@hailstone/runtime/node'
import { systemRandomness } from '../../system-randomness.ts'
import { type OrderTerms, signOrder } from '../../tokens/sign-order.ts'
import { askNetwork, postTransaction } from './ask-network.ts'
import { parseTokenFlags, TOKEN_HELP, type TokenCommand, type TokenOrder } from './parse-token-flags.ts'
import { readKey } from './read-key.ts'

export type TokenSurroundings = {
  readonly say: (text: string) => void
  readonly stdin: AsyncIterable<Buffer | string>
}

const POLL_MS = 500

const refused = (path: string, expected: string, found: string): NodeError =>
  new NodeError('CONFIGURATION_INVALID', { path, expected, found })

async function tokenAt(url: string, tokenId: TokenId): Promise<TokenAnswer> {
  const [token] = (await askNetwork(url, tokenEndpoint, { tokenId })) ?? []
  if (token === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
  return token
}

/** Reads the network's price of a contract. */
async function termsAt(url: string): Promise<OrderTerms> {
  const native = await askNetwork(url, nativeTokenEndpoint, {})
  const info = await askNetwork(url, networkInfoEndpoint, {})
  const prices = await askNetwork(url, contractPricesEndpoint, {})
  if (native === undefined || info === undefined)
    throw apiError('RESPONSE_INVALID', {
      path: '/native_token',
      reason: 'the network has no native token',
    })
  const nativeToken = { ...native, feeMinimum: native.feeMinimum ?? (0n as Amount) }
  return { nativeToken, genesis: info.origin.publisher, prices: prices ?? {} }
}

/** The network would reject it without a reason, a macroblock later. */
function assertReissuableBy({ owner, isReissuable, symbol }: TokenAnswer, from: Address): void {
  if (!isReissuable) throw refused('--token', 'a reissuable token', `${symbol}, whose supply nobody changes`)
  if (owner !== from) throw refused('--token', `a token of ${from}, who signs`, `${symbol} of ${owner}`)
}

async function contractOf(url: string, order: TokenOrder, from: Address): Promise<ContractOrder> {
  if (order.kind === 'create') return tokenOrder(order.plan)
  const token = await tokenAt(url, order.tokenId)
  assertReissuableBy(token, from)
  const { decimals } = token
  return { type: order.kind, tokenId: order.tokenId, amount: parseAmount(order.amount, { decimals }) }
}

/** @throws {NodeError} `TRANSACTION_TIMEOUT` */
async function settled(url: string, hash: string, timeoutMs: number): Promise<TransactionAnswer> {
  const end = performance.now() + timeoutMs
  while (performance.now() < end) {
    const answer = await askNetwork(url, transactionEndpoint, { hash: hash as never })
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw paymentError('TRANSACTION_TIMEOUT', { hash, waitedMs: timeoutMs, isPending: null })
}

const kindOf = ({ isMineable, isReissuable }: TokenAnswer): string => {
  if (isMineable) return 'mineable'
  return isReissuable ? 'reissuable' : 'fixed supply'
}

function describeToken(token: TokenAnswer): string {
  const { decimals, symbol } = token
  return [
    `token        ${token.id}`,
    `  symbol     ${symbol}${token.caption ? ` (${token.caption})` : ''}`,
    `  kind       ${kindOf(token)}, ${decimals} decimals`,
    `  supply     ${formatAmount(token.totalSupply, { decimals })} ${symbol}`,
    `  owner      ${token.owner}`,
  ].join('\n')
}

const REJECTED =
  'a rule was broken. The network does not say which: a balance below price and fee, or a supply out of its limits'

async function carryOut(command: TokenCommand, { say, stdin }: TokenSurroundings): Promise<void> {
  const { url, order, timeoutMs } = command
  const terms = await termsAt(url)
  const from = await readKey(command.key, terms.genesis, stdin)
  const warning = command.key.kind === 'file' ? openSecretWarning(command.key.path, 'key') : null
  if (warning !== null) say(warning)
  const contract = await contractOf(url, order, from.address)
  const { transaction, hash } = signOrder({ from, order: contract, terms, random: systemRandomness })
  // Before it is sent: an answer that does not come leaves nothing else to look for.
  say(`transaction  ${hash}`)
  say(`  from       ${from.address}`)
  say(`  pays       ${formatAmount(transaction.amount, { decimals: 10 })} native coins, fee included`)
  await postTransaction(url, transaction, hash)
  say('waiting for the macroblock that holds it …')
  const answer = await settled(url, hash, timeoutMs)
  if (answer.status !== 'confirmed') throw paymentError('ORDER_REJECTED', { hash, reason: REJECTED })
  say(`confirmed in macroblock ${answer.keyBlockHash}`)
  say(
    describeToken(await tokenAt(url, order.kind === 'create' ? (hash as string as TokenId) : order.tokenId)),
  )
}

/** `hailstone-network token …`. Speaks to the network over HTTP alone, like any other program. */
export async function runToken(args: readonly string[], surroundings: TokenSurroundings): Promise<void> {
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) return surroundings.say(TOKEN_HELP)
  await carryOut(parseTokenFlags(args), surroundings)
}
