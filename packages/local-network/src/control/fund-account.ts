import type { DevelopmentAccount, GenesisAccounts, LedgerState } from '@hailstone/ledger'
import {
  type Address,
  type Amount,
  apiError,
  grossForNet,
  type Hash,
  parseAddress,
  type Token,
  type TokenId,
} from '@hailstone/protocol'
import type { BlockProducer } from '../chain/block-producer.ts'
import type { FallbackMiner } from '../chain/fallback-miner.ts'
import type { Mempool } from '../chain/mempool.ts'
import { signPayment } from '../chain/sign-payment.ts'
import type { ChainStore } from '../store/index.ts'
import { systemRandomness } from '../system-randomness.ts'
import { controlRefused } from './control-refused.ts'

export type FundParts = {
  readonly producer: BlockProducer
  readonly ledger: LedgerState
  readonly mempool: Mempool
  readonly store: Pick<ChainStore, 'balance' | 'transaction' | 'keyBlock'>
  readonly accounts: GenesisAccounts
  readonly nativeTokenId: TokenId
  readonly fallbackMiner: FallbackMiner
}

/** Place of the payment on the chain. */
export type Funding = {
  readonly hash: Hash
  /** Height of the macroblock that has the payment. */
  readonly height: number
}

/** The faucet holds the native coin, the token owner everything else that the network was born with. */
function payerOf({ accounts, nativeTokenId }: FundParts, token: Token): DevelopmentAccount {
  if (token.id === nativeTokenId) return accounts.faucet
  if (token.owner === accounts.tokenOwner.address) return accounts.tokenOwner
  throw controlRefused(`the key of the owner of ${token.symbol} is not known`)
}

function tokenOf({ ledger }: FundParts, tokenId: TokenId): Token {
  const token = ledger.token(tokenId)
  if (token === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
  return token
}

/**
 * Pays an account with an ordinary transaction, and closes the macroblock that holds it.
 *
 * @throws {NodeError} `ADDRESS_MALFORMED`, `TOKEN_UNKNOWN`, `AMOUNT_OUT_OF_RANGE`, `CONTROL_REFUSED`
 */
export async function fundAccount(
  parts: FundParts,
  parameters: {
    readonly address: string
    /** Amount that arrives, in units; the fee is added. */
    readonly amount: bigint
    readonly tokenId: TokenId
  },
): Promise<Funding> {
  const { store, mempool } = parts
  const token = tokenOf(parts, parameters.tokenId)
  const from = payerOf(parts, token)
  const amount: Amount = grossForNet(token, parameters.amount)
  if (((await store.balance(from.address, token.id)) ?? 0n) < amount)
    throw controlRefused(`${from.name} has less than that in ${token.symbol}`)
  const to: Address = parseAddress(parameters.address)
  const { transaction, hash } = signPayment({ from, to, amount, tokenId: token.id, random: systemRandomness })
  mempool.add(transaction, hash)
  return mineNow(parts, hash)
}

/** Closes macroblocks until one holds the payment: the one that is open may be closing already. */
async function mineNow(parts: FundParts, hash: Hash): Promise<Funding> {
  const { producer, mempool, fallbackMiner } = parts
  const entry = mempool.get(hash)
  const isWaiting = (): boolean => mempool.get(hash) !== undefined
  for (let attempt = 0; attempt < 3 && entry !== undefined && isWaiting(); attempt++) {
    await producer.closeNow({
      // Somebody else may have mined it while we waited for our turn.
      add: (open) =>
        open.holds(hash) || !isWaiting() ? null : fallbackMiner.publish(open.keyBlock, [entry]),
    })
  }
  return fundingOf(parts, hash)
}

async function fundingOf({ store }: FundParts, hash: Hash): Promise<Funding> {
  const copy = await store.transaction(hash)
  const keyBlock = copy === undefined ? undefined : await store.keyBlock(copy.keyBlockHash)
  if (copy === undefined || keyBlock === undefined) throw controlRefused('no macroblock took the payment')
  if (copy.status !== 'confirmed') throw controlRefused(`the payment was ${copy.status}`)
  return { hash, height: keyBlock.height }
}
