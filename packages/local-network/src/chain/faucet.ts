import type { DevelopmentAccount, GenesisAccounts, LedgerState } from '@hailstone/ledger'
import { type Address, grossForNet, type Token, type TokenId } from '@hailstone/protocol'
import { type Clock, hasPassed } from '../clock.ts'
import type { BalanceReader } from './balance-reader.ts'
import type { Mempool } from './mempool.ts'
import type { Random } from './selection.ts'
import { signPayment } from './sign-payment.ts'

/** Account that asks for test coins, and what for. */
export type FaucetRequest = {
  readonly address: Address
  /** Token to be mined. @default the native token */
  readonly tokenId?: TokenId | undefined
  /** `agent` gets the least balance of a referral agent. @default the minimum stake of a miner */
  readonly as?: 'agent' | undefined
}

/** `too soon`: the address was served a moment ago. `empty`: no account whose key is known holds enough. */
export type FaucetAnswer = 'sent' | 'too soon' | 'empty' | 'token unknown' | 'token not mineable'

/** Sends test coins with ordinary transactions (PROTOCOL 9.2). */
export type Faucet = (request: FaucetRequest) => Promise<FaucetAnswer>

export type FaucetParameters = {
  readonly accounts: GenesisAccounts
  readonly nativeToken: Token
  readonly ledger: Pick<LedgerState, 'balance' | 'holdsBalance' | 'token'>
  readonly balances: Pick<BalanceReader, 'whenHeld'>
  readonly mempool: Mempool
  readonly clock: Clock
  readonly random: Random
  /** @default 10 s; the public faucet asks for ten minutes */
  readonly waitMs?: number | undefined
}

/** Payments whose native fee comes with the stake of another token. */
const FEES = 10n
/** Longest wait for the balances of those who pay, in ms. */
const BALANCE_WAIT_MS = 2000

/** Units that arrive. */
const stakeOf = ({ mining }: Token, as: FaucetRequest['as']): bigint => {
  const { minimumStake = 0n, referrerStake = 0n } = mining ?? {}
  return as === 'agent' && referrerStake > minimumStake ? referrerStake : minimumStake
}

export function createFaucet(parameters: FaucetParameters): Faucet {
  const { accounts, nativeToken, ledger, balances, mempool, clock, random, waitMs = 10_000 } = parameters
  const served = new Map<Address, number>()
  const owners = new Map(
    Object.values(accounts)
      .flat()
      .map((account: DevelopmentAccount) => [account.address, account]),
  )
  const forgetOld = (): void => {
    const nowMs = clock.now()
    for (const [address, sinceMs] of served) if (hasPassed(waitMs, { sinceMs, nowMs })) served.delete(address)
  }

  /** The supply of a token is with its owner. A token of an unknown owner is given out once the faucet was sent some. */
  function payersOf({ id, owner }: Token): readonly DevelopmentAccount[] {
    const known = id === nativeToken.id ? undefined : owners.get(owner)
    return [accounts.faucet, ...(known === undefined ? [] : [known])]
  }

  /** True also for a balance that is not in memory: it is looked at when the payment is calculated. */
  const mayHold = (account: Address, tokenId: TokenId, units: bigint): boolean =>
    !ledger.holdsBalance({ account, tokenId }) || (ledger.balance(account, tokenId) ?? 0n) >= units

  const paymentOf = (token: Token, to: Address, net: bigint): ReturnType<typeof signPayment> | null => {
    const amount = grossForNet(token, net)
    // What an owner of a token needs to go on as a miner or an agent of it is not given out.
    const kept = (address: Address): bigint =>
      address === accounts.faucet.address ? 0n : stakeOf(token, 'agent')
    const from = payersOf(token).find(({ address }) =>
      mayHold(address, token.id, pendingOf(mempool, address, token.id) + amount + kept(address)),
    )
    // Each transfer of a token costs its owner a native fee, without which it would be rejected.
    const transfers = BigInt(mempool.ofAccount(from?.address ?? to, 'from').length) + 1n
    if (from === undefined || !mayHold(token.owner, nativeToken.id, transfers * nativeToken.feeValue))
      return null
    return signPayment({ from, to, amount, tokenId: token.id, random })
  }

  return async ({ address: to, tokenId = nativeToken.id, as }) => {
    const token = ledger.token(tokenId)
    if (token === undefined) return 'token unknown'
    if (token.mining === null) return 'token not mineable'
    const isNative = tokenId === nativeToken.id
    const payers = payersOf(token).map(({ address: account }) => ({ account, tokenId }))
    const ofFees = [token.owner, accounts.faucet.address].map((account) => ({
      account,
      tokenId: nativeToken.id,
    }))
    // Without the balances nobody knows whether a payment would be executed.
    if (!isNative && !(await balances.whenHeld([...payers, ...ofFees], BALANCE_WAIT_MS))) return 'empty'
    forgetOld()
    if (served.has(to)) return 'too soon'
    const fees = FEES * nativeToken.feeValue
    const payments = [
      paymentOf(token, to, stakeOf(token, as)),
      ...(isNative ? [] : [paymentOf(nativeToken, to, fees)]),
    ]
    if (payments.includes(null)) return 'empty'
    for (const [at, payment] of payments.entries()) {
      // Anybody can name thousands of addresses, so the pool's bounds hold for what strangers ask for.
      const isRefused = payment === null || mempool.refusal(payment.transaction, payment.hash) !== null
      if (isRefused && at === 0) return 'empty'
      // The stake is on its way; coins for fees are there for the next request.
      if (isRefused) break
      mempool.add(payment.transaction, payment.hash)
    }
    served.set(to, clock.now())
    return 'sent'
  }
}

const pendingOf = (mempool: Mempool, address: Address, tokenId: TokenId): bigint =>
  mempool
    .ofAccount(address, 'from')
    .reduce((sum, { transaction }) => (transaction.tokenId === tokenId ? sum + transaction.amount : sum), 0n)
