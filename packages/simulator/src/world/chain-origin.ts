import { createGenesis, createLedgerState, type Genesis, type LedgerState } from '@hailstone/ledger'
import {
  type Address,
  type Amount,
  type Hash,
  sha256Hex,
  type Token,
  type TokenId,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { friend, genesis, miner, payer, stranger } from './accounts.ts'

/** What a simulated chain begins with. */
export type ChainOrigin = {
  readonly genesis: Genesis
  /** Ledger before block 0. */
  readonly ledger: LedgerState
}

/** Units of the native coin that each account of the simulation begins with. */
const COINS_EACH = 1_000_000n * 10n ** 10n

const funded: readonly Address[] = [payer, miner, friend, stranger].map(({ address }) => address)

function originOf(given: Genesis, tokens: readonly Token[]): ChainOrigin {
  const { content } = given
  const { nativeTokenId } = given.parameters.ledger
  const coins = funded.map((account) => ({ account, tokenId: nativeTokenId, amount: COINS_EACH }))
  const held = tokens.map(({ id }) => ({ account: payer.address, tokenId: id, amount: COINS_EACH }))
  const ledger = createLedgerState({
    ...content,
    tokens: [...content.tokens.filter(({ id }) => !tokens.some((one) => one.id === id)), ...tokens],
    balances: [...content.balances, ...coins, ...held],
  })
  return { genesis: given, ledger }
}

/** The chain of one honest network. */
export const plainOrigin = originOf(genesis, [])

const manifold = createGenesis({
  seed: 'simulation',
  time: 1_700_000_000,
  nativeTokenId: '1'.padStart(64, '0') as TokenId,
})
const { native, fixed, reissuable } = manifold.tokens

/** Tokens of the chains of {@link manifoldOrigin} that the payer holds besides the native one. */
export const manifoldTokens = {
  native,
  /** Bears the name that clients take for native where a network does not say its own. Worth nothing. */
  zeros: { ...fixed, id: ZERO_TOKEN_ID, symbol: 'NIL', decimals: 10 },
  /** Of two decimals, with a fee in its own units. */
  fixed,
  /** Takes more than half of the payer's native coins for one transfer. */
  dear: {
    ...reissuable,
    id: sha256Hex('a dear token') as string as TokenId,
    feeValue: (6n * 10n ** 15n) as Amount,
  },
} as const satisfies { readonly [name: string]: Token }

/** A chain with several tokens whose native one is not the one of 64 zeros. */
export const manifoldOrigin = originOf(manifold, Object.values(manifoldTokens).slice(1))

/** Another chain of the same tokens and balances: bytes that are valid on one are valid on both. */
export const otherOrigin: ChainOrigin = {
  ...manifoldOrigin,
  genesis: { ...manifold, origin: { ...manifold.origin, hash: 'OTHERGENESIS' as Hash } },
}
