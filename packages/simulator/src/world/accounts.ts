import { type Wallet, walletFromPrivateKey } from '@hailstone/client'
import { createGenesis } from '@hailstone/ledger'
import {
  type Address,
  type Ecdsa,
  sha256Hex,
  signingHash,
  type Transaction,
  type TransactionFields,
  toAmount,
  type VerifyText,
} from '@hailstone/protocol'
import { findAcceleratedEcdsa } from '@hailstone/protocol/accelerated'

/** Accounts and tokens of every simulated network. Created once, because creating keys is slow. */
export const genesis = createGenesis({ seed: 'simulation', time: 1_700_000_000 })

export const nativeTokenId = genesis.parameters.ledger.nativeTokenId

const accelerated = await findAcceleratedEcdsa()

/** An account of a program. I3 searches everything that leaves a program for its key. */
export type SimulatedAccount = { readonly wallet: Wallet; readonly address: Address; readonly canary: string }

function accountOf(name: string): SimulatedAccount {
  const canary = sha256Hex(`simulated person ${name}`)
  const wallet = walletFromPrivateKey(canary, { ecdsa: accelerated })
  return { wallet, address: wallet.address, canary }
}

export const payer = accountOf('payer')
export const miner = accountOf('miner')
export const friend = accountOf('friend')
/** An account that holds too little to earn as an agent, or nothing. */
export const poorAgent = accountOf('poor agent')
/** An account that no program watches or pays from. */
export const stranger = accountOf('stranger')

const shop = stranger.address

/** Caches verifications, since the same signatures recur in every run. */
export function cachingVerifier(verify: VerifyText): VerifyText {
  const answers = new Map<string, boolean>()
  return (parameters) => {
    const key = `${parameters.address} ${parameters.signature} ${parameters.text}`
    const known = answers.get(key)
    if (known !== undefined) return known
    const answer = verify(parameters)
    if (answers.size > 20_000) answers.clear()
    answers.set(key, answer)
    return answer
  }
}

const ecdsaOf = async (): Promise<Pick<Ecdsa, 'verifyText' | 'signText'>> => {
  if (accelerated !== undefined) return accelerated
  const { verifyText, signText } = await import('@hailstone/protocol')
  return { verifyText, signText }
}

const ecdsa = await ecdsaOf()

export const verify: VerifyText = cachingVerifier(ecdsa.verifyText)

/** An unsigned transfer for worlds that do not verify signatures; unique per number. */
export const gift = (number: number, to: Address): Transaction => ({
  amount: toAmount(20_000_000_000n + BigInt(number)),
  data: '',
  from: houseAccount.address,
  nonce: 1_000_000 + number,
  tokenId: nativeTokenId,
  to,
  signature: '00' as Transaction['signature'],
})

const [houseAccount] = genesis.accounts.keepAlive
const PAYMENTS_KEPT = 512
const smallPayments: Transaction[] = []

/** A small signed payment between other accounts; the same for the same number. */
export function smallPayment(number: number): Transaction {
  const at = number % PAYMENTS_KEPT
  const known = smallPayments[at]
  if (known !== undefined) return known
  const fields: TransactionFields = {
    amount: toAmount(10_000_000_000n),
    data: '',
    from: houseAccount.address,
    nonce: at + 1,
    tokenId: nativeTokenId,
    to: shop,
  }
  const made = { ...fields, signature: ecdsa.signText(signingHash(fields), houseAccount.privateKey) }
  smallPayments[at] = made
  return made
}
