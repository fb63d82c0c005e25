import type { Address, Hash, Token, TokenId } from '@hailstone/protocol'
import type {
  BalanceChange,
  Delegation,
  LedgerChanges,
  LedgerView,
  StakePool,
  Undelegation,
} from './ledger-view.ts'

/** True if a written row equals the row below; rows are written whole. */
const isUnchanged = (row: object, below: object | undefined): boolean =>
  below !== undefined &&
  Object.entries(row).every(([name, value]) => (below as Record<string, unknown>)[name] === value)

type BalanceRow = { readonly account: Address; readonly tokenId: TokenId; amount: bigint }

/**
 * A ledger being changed: what was written lies over the view it stands on, so a macroblock costs what it
 * touches and not what the ledger holds. Belongs to one macroblock; the view below must not change meanwhile.
 */
export class LedgerDraft implements LedgerView {
  readonly #base: LedgerView
  readonly #balances = new Map<TokenId, Map<Address, BalanceRow>>()
  readonly #tokens = new Map<TokenId, Token>()
  readonly #stakePools = new Map<Hash, StakePool>()
  readonly #delegations = new Map<Hash, Map<Address, Delegation>>()
  readonly #undelegations = new Map<Hash, Undelegation>()
  readonly #calculated = new Set<Hash>()
  /** Undo steps of the attempt in progress; null outside of attempts. */
  #undo: (() => void)[] | null = null

  constructor(base: LedgerView) {
    this.#base = base
  }

  /**
   * Runs a step that may fail half-way. When it answers anything but null, whatever it wrote is taken back.
   * Attempts do not nest.
   */
  attempt<Failure>(step: () => Failure | null): Failure | null {
    const undo: (() => void)[] = []
    this.#undo = undo
    const failure = step()
    this.#undo = null
    if (failure !== null) for (const takeBack of undo.reverse()) takeBack()
    return failure
  }

  balance(account: Address, tokenId: TokenId): bigint | undefined {
    const row = this.#balances.get(tokenId)?.get(account)
    return row === undefined ? this.#base.balance(account, tokenId) : row.amount
  }

  /** Adds units; the row is created if needed, also by zero units. */
  credit(account: Address, tokenId: TokenId, amount: bigint): void {
    this.#setBalance(account, tokenId, (this.balance(account, tokenId) ?? 0n) + amount)
  }

  /** Takes units away, or answers false when there are not enough. A missing row counts as zero. */
  debit(account: Address, tokenId: TokenId, amount: bigint): boolean {
    const balance = this.balance(account, tokenId) ?? 0n
    if (balance < amount) return false
    this.#setBalance(account, tokenId, balance - amount)
    return true
  }

  token(tokenId: TokenId): Token | undefined {
    return this.#tokens.get(tokenId) ?? this.#base.token(tokenId)
  }

  putToken(token: Token): void {
    this.#put(this.#tokens, token.id, token)
  }

  stakePool(poolId: Hash): StakePool | undefined {
    return this.#stakePools.get(poolId) ?? this.#base.stakePool(poolId)
  }

  putStakePool(pool: StakePool): void {
    this.#put(this.#stakePools, pool.id, pool)
  }

  *delegations(poolId: Hash): Iterable<Delegation> {
    const written = this.#delegations.get(poolId)
    for (const delegation of this.#base.delegations(poolId)) {
      yield written?.get(delegation.delegator) ?? delegation
    }
    for (const delegation of written?.values() ?? []) {
      if (this.#base.delegation(poolId, delegation.delegator) === undefined) yield delegation
    }
  }

  delegation(poolId: Hash, delegator: Address): Delegation | undefined {
    return this.#delegations.get(poolId)?.get(delegator) ?? this.#base.delegation(poolId, delegator)
  }

  putDelegation(delegation: Delegation): void {
    let delegators = this.#delegations.get(delegation.poolId)
    if (delegators === undefined) {
      delegators = new Map()
      this.#delegations.set(delegation.poolId, delegators)
    }
    this.#put(delegators, delegation.delegator, delegation)
  }

  undelegation(id: Hash): Undelegation | undefined {
    return this.#undelegations.get(id) ?? this.#base.undelegation(id)
  }

  putUndelegation(undelegation: Undelegation): void {
    this.#put(this.#undelegations, undelegation.id, undelegation)
  }

  isCalculated(transactionHash: Hash): boolean {
    return this.#calculated.has(transactionHash) || this.#base.isCalculated(transactionHash)
  }

  /** Stays, also when the transaction is rejected. */
  markCalculated(transactionHash: Hash): void {
    this.#calculated.add(transactionHash)
  }

  /** Returns the rows that differ from those below. */
  changes(): LedgerChanges {
    const base = this.#base
    const delegations = [...this.#delegations.values()].flatMap((delegators) => [...delegators.values()])
    return {
      balances: [...this.#changedBalances()],
      tokens: [...this.#tokens.values()].filter((token) => !isUnchanged(token, base.token(token.id))),
      stakePools: [...this.#stakePools.values()].filter(
        (pool) => !isUnchanged(pool, base.stakePool(pool.id)),
      ),
      delegations: delegations.filter((one) => !isUnchanged(one, base.delegation(one.poolId, one.delegator))),
      undelegations: [...this.#undelegations.values()],
      calculated: [...this.#calculated],
    }
  }

  *#changedBalances(): Iterable<BalanceChange> {
    for (const accounts of this.#balances.values()) {
      for (const { account, tokenId, amount } of accounts.values()) {
        const before = this.#base.balance(account, tokenId)
        if (before !== amount) yield { account, tokenId, before, after: amount }
      }
    }
  }

  #setBalance(account: Address, tokenId: TokenId, amount: bigint): void {
    let accounts = this.#balances.get(tokenId)
    if (accounts === undefined) {
      accounts = new Map()
      this.#balances.set(tokenId, accounts)
    }
    this.#put(accounts, account, { account, tokenId, amount })
  }

  #put<Key, Value>(rows: Map<Key, Value>, key: Key, value: Value): void {
    if (this.#undo !== null) {
      const before = rows.get(key)
      this.#undo.push(() => {
        if (before === undefined) rows.delete(key)
        else rows.set(key, before)
      })
    }
    rows.set(key, value)
  }
}
