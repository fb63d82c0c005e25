import type { Address, Hash, Token, TokenId } from '@hailstone/protocol'
import {
  type CalculatedAnswer,
  type CalculatedContent,
  createCalculatedTransactions,
} from './calculated-transactions.ts'
import {
  type Balance,
  type BalanceAttempt,
  type BalanceContent,
  type BalanceKey,
  type BalanceReading,
  createHeldBalances,
} from './held-balances.ts'
import type { Delegation, LedgerChanges, LedgerView, StakePool, Undelegation } from './ledger-view.ts'

/** A whole ledger as it is stored. */
export type LedgerContent = {
  /** `unknown`: each is read when it is needed. */
  readonly balances: BalanceContent
  readonly tokens: Iterable<Token>
  readonly stakePools?: Iterable<StakePool> | undefined
  readonly delegations?: Iterable<Delegation> | undefined
  readonly undelegations?: Iterable<Undelegation> | undefined
  /** Transactions that have a status. @default none */
  readonly calculated?: CalculatedContent | undefined
}

/** A ledger in memory: readable by the rules, changed by {@link LedgerChanges} alone. */
export type LedgerState = LedgerView & {
  /** @throws {Error} where not all are held */
  readonly balances: () => Iterable<Balance>
  /** All balances, or `unknown` where not all are held. */
  readonly heldBalances: () => BalanceContent
  readonly holdsBalance: (key: BalanceKey) => boolean
  /** Runs a step that changes nothing, and tells which balances it asked for that are not held. */
  readonly attempt: <T>(step: () => T) => BalanceAttempt<T>
  /** Another number after each change of the ledger. */
  readonly revision: () => number
  /** Takes balances that were read for a revision; once the ledger has changed they count for nothing. */
  readonly learnBalances: (revision: number, readings: readonly BalanceReading[]) => void
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

function store(rows: Rows, content: Omit<LedgerContent, 'balances' | 'calculated'>): void {
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

/** Every row of a ledger but its balances, copied. */
const contentOf = (ledger: LedgerState): Omit<LedgerContent, 'balances'> => ({
  tokens: [...ledger.tokens()],
  stakePools: [...ledger.stakePools()],
  delegations: Array.from(ledger.stakePools(), ({ id }) => [...ledger.delegations(id)]).flat(),
  undelegations: [...ledger.undelegations()],
  calculated: ledger.calculated(),
})

/**
 * Creates the state of a ledger at its genesis, in memory.
 *
 * @param options.maxBalances all balances are held up to this number, and about as many of more. @default no limit
 * @param options.maxCalculated the hashes of all transactions are held up to this number, and none of more. @default no
 * limit
 */
export function createLedgerState(
  content: LedgerContent,
  {
    maxBalances = Number.POSITIVE_INFINITY,
    maxCalculated,
  }: { readonly maxBalances?: number | undefined; readonly maxCalculated?: number | undefined } = {},
): LedgerState {
  const rows: Rows = {
    tokens: new Map(),
    stakePools: new Map(),
    delegations: new Map(),
    undelegations: new Map(),
    delegationsOf: new Map(),
    undelegationsOf: new Map(),
  }
  const balances = createHeldBalances(content.balances, maxBalances)
  const calculated = createCalculatedTransactions(content.calculated ?? [], maxCalculated)
  let revision = 0
  store(rows, content)
  const replaceWith = (other: LedgerState): void => {
    const copy = contentOf(other)
    const held = other.heldBalances()
    for (const table of Object.values(rows)) table.clear()
    store(rows, copy)
    balances.replaceWith(held)
    calculated.replaceWith(copy.calculated ?? [])
    revision++
  }
  return {
    replaceWith,
    balance: balances.get,
    holdsBalance: balances.holds,
    attempt: balances.attempt,
    heldBalances: balances.content,
    revision: () => revision,
    learnBalances(readAt, readings) {
      if (readAt === revision) balances.put(readings)
    },
    token: (tokenId) => rows.tokens.get(tokenId),
    stakePool: (poolId) => rows.stakePools.get(poolId),
    delegations: (poolId) => rows.delegations.get(poolId)?.values() ?? [],
    delegation: (poolId, delegator) => rows.delegations.get(poolId)?.get(delegator),
    undelegation: (id) => rows.undelegations.get(id),
    isCalculated: (transactionHash) => calculated.has(transactionHash),
    balances: balances.all,
    tokens: () => rows.tokens.values(),
    stakePools: () => rows.stakePools.values(),
    undelegations: () => rows.undelegations.values(),
    delegationsOf: (delegator) => rows.delegationsOf.get(delegator)?.values() ?? [],
    undelegationsOf: (delegator) => rows.undelegationsOf.get(delegator)?.values() ?? [],
    calculated: calculated.content,
    unasked: calculated.unasked,
    learnCalculated: calculated.learn,
    applyChanges(changes) {
      store(rows, changes)
      balances.put(
        changes.balances.map(({ account, tokenId, after }) => ({ account, tokenId, amount: after })),
      )
      calculated.add(changes.calculated)
      revision++
    },
  }
}
