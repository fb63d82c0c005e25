import type { DevelopmentAccount, GenesisAccounts, LedgerView } from '@hailstone/ledger'
import {
  apiError,
  NodeError,
  parseTokenId,
  paymentError,
  type Token,
  type TokenId,
  type TokenPlan,
  toAmount,
  tokenOrder,
} from '@hailstone/protocol'
import { wordsOf } from '@hailstone/runtime'
import type { OrderOutcome, SendOrder, SendOrderOptions } from './create-orders.ts'

type Sender = {
  /** @default for a creation the first developer, else the owner of the token when it is one of the accounts */
  readonly from?: SendOrderOptions['from'] | undefined
  readonly signal?: AbortSignal | undefined
}

/** Parameters of minting and burning. */
export type SupplyChange = Sender & {
  /** 64 hex digits. */
  readonly tokenId: string
  /** Units. */
  readonly amount: bigint
}

/**
 * Creates tokens and changes their supply with ordinary transactions. Every call waits for the macroblock that
 * calculates its transaction and answers with the token as it is then.
 *
 * @throws {NodeError} `ORDER_REJECTED`, `CONFIGURATION_INVALID`, `TOKEN_UNKNOWN`, `TOKEN_ID_MALFORMED`,
 *   `AMOUNT_OUT_OF_RANGE`
 */
export type TokenActions = {
  /** Creates a token; its id is the hash of the transaction. */
  readonly create: (plan: TokenPlan & Sender) => Promise<Token>
  /** Adds units to a reissuable token; its owner gets them. */
  readonly mint: (change: SupplyChange) => Promise<Token>
  /** Takes units of a reissuable token out of the owner's balance. */
  readonly burn: (change: SupplyChange) => Promise<Token>
}

/** @throws {NodeError} `ORDER_REJECTED` */
function confirmed({ hash, status, refusal }: OrderOutcome): void {
  if (status === 'rejected')
    throw paymentError('ORDER_REJECTED', { hash, reason: wordsOf(refusal ?? 'aRuleWasBroken') })
}

const accountsOf = (accounts: GenesisAccounts): readonly DevelopmentAccount[] =>
  Object.values(accounts).flat()

export function createTokenActions(parts: {
  readonly accounts: GenesisAccounts
  readonly ledger: LedgerView
  readonly sendOrder: SendOrder
}): TokenActions {
  const { accounts, ledger, sendOrder } = parts
  const tokenOf = (tokenId: TokenId): Token => {
    const token = ledger.token(tokenId)
    if (token === undefined) throw apiError('TOKEN_UNKNOWN', { tokenId })
    return token
  }
  const ownerOf = (token: Token): DevelopmentAccount => {
    const owner = accountsOf(accounts).find(({ address }) => address === token.owner)
    if (owner !== undefined) return owner
    const expected = `the owner of ${token.symbol}, whose key is not known here`
    throw new NodeError('CONFIGURATION_INVALID', { path: 'from', expected, found: 'nobody' })
  }
  const change = (type: 'mint' | 'burn') => async (given: SupplyChange) => {
    const { amount, from, signal, ...named } = Object(given) as SupplyChange
    const tokenId = parseTokenId(named.tokenId)
    const sender = from ?? ownerOf(tokenOf(tokenId))
    confirmed(await sendOrder({ type, tokenId, amount: toAmount(amount) }, { from: sender, signal }))
    return tokenOf(tokenId)
  }
  return {
    async create(given) {
      const { from, signal, ...plan } = Object(given) as TokenPlan & Sender
      const order = tokenOrder(plan)
      const [developer] = accounts.developers
      const outcome = await sendOrder(order, { from: from ?? developer ?? accounts.tokenOwner, signal })
      confirmed(outcome)
      // A token is named after the transaction that creates it.
      return tokenOf(outcome.hash as string as TokenId)
    },
    mint: change('mint'),
    burn: change('burn'),
  }
}
