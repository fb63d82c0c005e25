import type { DevelopmentAccount, LedgerState } from '@hailstone/ledger'
import { type Address, looksLikeAddress, parseAddress, type Token, toAmount } from '@hailstone/protocol'
import { type Clock, hasPassed } from '../clock.ts'
import type { Mempool } from './mempool.ts'
import type { Random } from './selection.ts'
import { signPayment } from './sign-payment.ts'

/** `too soon`: the address was served a moment ago. */
type FaucetAnswer = 'sent' | 'too soon' | 'empty' | 'address malformed'

/** Sends test coins with an ordinary transaction (PROTOCOL 9.2). */
export type Faucet = (address: string) => FaucetAnswer

export type FaucetParameters = {
  readonly account: DevelopmentAccount
  readonly nativeToken: Token
  readonly ledger: Pick<LedgerState, 'balance' | 'holdsBalance'>
  readonly mempool: Mempool
  readonly clock: Clock
  readonly random: Random
  /** @default 10 s; the public faucet asks for ten minutes */
  readonly waitMs?: number | undefined
}

/** Coins that arrive: the minimum native stake of the public networks. */
const NET_COINS = 25n

export function createFaucet(parameters: FaucetParameters): Faucet {
  const { account, nativeToken, ledger, mempool, clock, random, waitMs = 10_000 } = parameters
  const served = new Map<Address, number>()
  const amount = toAmount(NET_COINS * 10n ** BigInt(nativeToken.decimals) + nativeToken.feeValue)
  const forgetOld = (): void => {
    const nowMs = clock.now()
    for (const [address, sinceMs] of served) if (hasPassed(waitMs, { sinceMs, nowMs })) served.delete(address)
  }
  const purse = { account: account.address, tokenId: nativeToken.id }
  // A balance that is not in memory is looked at when the payment is calculated.
  const isEmpty = (): boolean =>
    ledger.holdsBalance(purse) &&
    (ledger.balance(purse.account, purse.tokenId) ?? 0n) < pendingOf(mempool, purse.account) + amount
  return (text) => {
    if (!looksLikeAddress(text)) return 'address malformed'
    const to = parseAddress(text)
    forgetOld()
    if (served.has(to)) return 'too soon'
    if (isEmpty()) return 'empty'
    const payment = signPayment({ from: account, to, amount, tokenId: nativeToken.id, random })
    // Anybody can name thousands of addresses, so the pool's bounds hold for what strangers ask for.
    if (mempool.refusal(payment.transaction, payment.hash) !== null) return 'empty'
    mempool.add(payment.transaction, payment.hash)
    served.set(to, clock.now())
    return 'sent'
  }
}

const pendingOf = (mempool: Mempool, address: Address): bigint =>
  mempool.ofAccount(address, 'from').reduce((sum, { transaction }) => sum + transaction.amount, 0n)
