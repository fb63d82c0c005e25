import type { Address, Hash, Token, TokenId } from '@hailstone/protocol'
import {
  type CalculatedAnswer,
  type CalculatedContent,
  createCalculatedTransactions,
} from './calculated-transactions.ts'
import type { Delegation, LedgerChanges, LedgerView, StakePool, Undelegation } from './ledger-view.ts'

/** Balance of an account in one token, in units. */
export type Balance = { readonly account: Address; readonly tokenId: TokenId; readonly amount: bigint }

/** A whole ledger as it is stored. */
export type LedgerContent = {
  readonly balances: Iterable<Balance>
  readonly tokens: Iterable<Token>
  readonly stakePools?: Iterable<StakePool> | undefined
  readonly delegations?: Iterable<Delegation> | undefined
  readonly undelegations?: Iterable<Undelegation> | undefined
  /** Transactions that have a status. @default none */
  readonly calculated?: CalculatedContent | undefined
}

/** A ledger in memory: readable by the rules, changed by {@link LedgerChanges} alone. */
export type LedgerState = LedgerView & {
  readonly balances: () => Iterable<Balance>
  readonly tokens: () => Iterable<Token>
  readonly stakePools: () => Iterable<StakePool>
  readonly undelegations: () => Iterable<Undelegation>
  /** At all stake pools. */
  readonly delegationsOf: (delegator: string) => Iterable<Delegation>
  /** Claimed ones too. */
  readonly undelegationsOf: (delegator: string) => Iterable<Undelegation>
  /** Transactions that have a status. */
  readonly calculated: () => CalculatedContent
  /** Those of which it is not known whether they have one; none where all are held. */
  readonly unasked: (hashes: readonly Hash[]) => readonly Hash[]
  /** Holds until the next changes. */
  readonly learnCalculated: (answer: CalculatedAnswer) => void
  readonly applyChanges: (changes: LedgerChanges) => void
  /** Forgets everything and holds what another ledger holds; for a chain that went back. */
  readonly replaceWith: (other: LedgerState) => void
}

type Rows = {
  readonly balances: Map<TokenId, Map<Address, bigint>>
  readonly tokens: Map<TokenId, Token>
  readonly stakePools: Map<Hash, StakePool>
  readonly delegations: Map<Hash, Map<Address, Delegation>>
  readonly undelegations: Map<Hash, Undelegation>
  /** The same rows by delegator: delegations by pool, undelegations by identifier. */
  readonly delegationsOf: Map<string, Map<Hash, Delegation>>
  readonly undelegationsOf: Map<string, Map<Hash, Undelegation>>
}

function inner<Key, InnerKey, Value>(outer: Map<Key, Map<InnerKey, Value>>, key: Key): Map<InnerKey, Value> {
  const present = outer.get(key)
  if (present !== undefined) return present
  const created = new Map<InnerKey, Value>()
  outer.set(key, created)
  return created
}

function* balancesOf(rows: Rows): Iterable<Balance> {
  for (const [tokenId, accounts] of rows.balances) {
    for (const [account, amount] of accounts) yield { account, tokenId, amount }
  }
}

function store(rows: Rows, content: LedgerContent): void {
  for (const { account, tokenId, amount } of content.balances) {
    inner(rows.balances, tokenId).set(account, amount)
  }
  for (const token of content.tokens) rows.tokens.set(token.id, token)
  for (const pool of content.stakePools ?? []) rows.stakePools.set(pool.id, pool)
  for (const delegation of content.delegations ?? []) {
    inner(rows.delegations, delegation.poolId).set(delegation.delegator, delegation)
    inner(rows.delegationsOf, delegation.delegator).set(delegation.poolId, delegation)
  }
  for (const undelegation of content.undelegations ?? []) {
    rows.undelegations.set(undelegation.id, undelegation)
    inner(rows.undelegationsOf, undelegation.delegator).set(undelegation.id, undelegation)
  }
}

/** Every row of a ledger, copied. */
const contentOf = (ledger: LedgerState): LedgerContent => ({
  balances: [...ledger.balances()],
  tokens: [...ledger.tokens()],
  stakePools: [...ledger.stakePools()],
  delegations: Array.from(ledger.stakePools(), ({ id }) => [...ledger.delegations(id)]).flat(),
  undelegations: [...ledger.undelegations()],
  calculated: ledger.calculated(),
})

/** Creates the state of a ledger at its genesis, in memory. */
export function createLedgerState(content: LedgerContent): LedgerState {
  const rows: Rows = {
    balances: new Map(),
    tokens: new Map(),
    stakePools: new Map(),
    delegations: new Map(),
    undelegations: new Map(),
    delegationsOf: new Map(),
    undelegationsOf: new Map(),
  }
  const calculated = createCalculatedTransactions(content.calculated ?? [])
  store(rows, content)
  const replaceWith = (other: LedgerState): void => {
    const copy = contentOf(other)
    for (const table of Object.values(rows)) table.clear()
    store(rows, copy)
    calculated.replaceWith(copy.calculated ?? [])
  }
  return {
    replaceWith,
    balance: (account, tokenId) => rows.balances.get(tokenId)?.get(account),
    token: (tokenId) => rows.tokens.get(tokenId),
    stakePool: (poolId) => rows.stakePools.get(poolId),
    delegations: (poolId) => rows.delegations.get(poolId)?.values() ?? [],
    delegation: (poolId, delegator) => rows.delegations.get(poolId)?.get(delegator),
    undelegation: (id) => rows.undelegations.get(id),
    isCalculated: (transactionHash) => calculated.has(transactionHash),
    balances: () => balancesOf(rows),
    tokens: () => rows.tokens.values(),
    stakePools: () => rows.stakePools.values(),
    undelegations: () => rows.undelegations.values(),
    delegationsOf: (delegator) => rows.delegationsOf.get(delegator)?.values() ?? [],
    undelegationsOf: (delegator) => rows.undelegationsOf.get(delegator)?.values() ?? [],
    calculated: calculated.content,
    unasked: calculated.unasked,
    learnCalculated: calculated.learn,
    applyChanges(changes) {
      store(rows, {
        ...changes,
        balances: changes.balances.map(({ account, tokenId, after }) => ({
          account,
          tokenId,
          amount: after,
        })),
      })
      calculated.add(changes.calculated)
    },
  }
}
