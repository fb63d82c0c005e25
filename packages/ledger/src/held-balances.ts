import type { Address, TokenId } from '@hailstone/protocol'

/** Names a balance. */
export type BalanceKey = { readonly account: Address; readonly tokenId: TokenId }

/** Balance of an account in one token, in units. */
export type Balance = BalanceKey & { readonly amount: bigint }

/** A balance as it was read from where all of them are; undefined when there is no such row. */
export type BalanceReading = BalanceKey & { readonly amount: bigint | undefined }

/** `unknown`: none is held yet, each is read when it is needed. */
export type BalanceContent = Iterable<Balance> | 'unknown'

/** Result of {@link HeldBalances.attempt}. */
export type BalanceAttempt<T> = {
  /** Counts for nothing if a balance is unread. */
  readonly result: T
  /** Balances that the step asked for and that are not held. */
  readonly unread: readonly BalanceKey[]
}

/**
 * Balances in memory: all of them, or the ones in use of more than that. To guess one would pay what nobody has:
 * whoever asks for a balance that is not held gets an error, unless it makes an attempt.
 */
export type HeldBalances = {
  /** Units; undefined when the account has no row in the token. */
  readonly get: (account: Address, tokenId: TokenId) => bigint | undefined
  readonly holds: (key: BalanceKey) => boolean
  /** Runs a step that changes nothing, and tells which balances it lacked. */
  readonly attempt: <T>(step: () => T) => BalanceAttempt<T>
  readonly put: (rows: Iterable<BalanceReading>) => void
  /** @throws {Error} where not all are held */
  readonly all: () => Iterable<Balance>
  readonly content: () => BalanceContent
  readonly replaceWith: (content: BalanceContent) => void
}

/** A row that is known not to be there. */
const ABSENT = null

class Rows {
  readonly #tokens = new Map<TokenId, Map<Address, bigint | typeof ABSENT>>()
  size = 0

  get({ account, tokenId }: BalanceKey): bigint | typeof ABSENT | undefined {
    return this.#tokens.get(tokenId)?.get(account)
  }

  set({ account, tokenId }: BalanceKey, amount: bigint | typeof ABSENT): void {
    let accounts = this.#tokens.get(tokenId)
    if (accounts === undefined) {
      accounts = new Map()
      this.#tokens.set(tokenId, accounts)
    }
    const before = accounts.size
    accounts.set(account, amount)
    this.size += accounts.size - before
  }

  *present(): Iterable<Balance> {
    for (const [tokenId, accounts] of this.#tokens)
      for (const [account, amount] of accounts) if (amount !== ABSENT) yield { account, tokenId, amount }
  }
}

const keyText = ({ account, tokenId }: BalanceKey): string => `${account} ${tokenId}`

/**
 * @param limit all rows are held up to this number; beyond it, about as many as were used last, and all that were put at
 * once
 */
export const createHeldBalances = (content: BalanceContent, limit: number): HeldBalances =>
  new BoundedBalances(content, limit)

/** Rows in two parts: whatever is used comes into the newer one. When that is full, the older one goes. */
class BoundedBalances implements HeldBalances {
  readonly #limit: number
  #newer = new Rows()
  #older = new Rows()
  #holdsAll = true
  #isAttempt = false
  /** Of the attempt that runs. */
  #unread: Map<string, BalanceKey> | null = null

  constructor(content: BalanceContent, limit: number) {
    this.#limit = limit
    this.replaceWith(content)
  }

  readonly get = (account: Address, tokenId: TokenId): bigint | undefined => {
    const key = { account, tokenId }
    const found = this.#find(key)
    if (found !== undefined) return found ?? undefined
    if (this.#holdsAll) return undefined
    if (!this.#isAttempt) throw new Error(`nobody read the balance of ${account} in ${tokenId}`)
    this.#unread ??= new Map()
    this.#unread.set(keyText(key), key)
    return undefined
  }

  readonly holds = (key: BalanceKey): boolean => this.#holdsAll || this.#find(key) !== undefined

  readonly attempt = <T>(step: () => T): BalanceAttempt<T> => {
    this.#isAttempt = true
    try {
      const result = step()
      return { result, unread: [...(this.#unread?.values() ?? [])] }
    } finally {
      this.#isAttempt = false
      this.#unread = null
    }
  }

  readonly put = (rows: Iterable<BalanceReading>): void => {
    this.#makeRoom()
    for (const { amount, ...key } of rows) this.#newer.set(key, amount ?? ABSENT)
  }

  readonly all = (): Iterable<Balance> => {
    if (!this.#holdsAll) throw new Error('not all balances are in memory')
    return this.#newer.present()
  }

  readonly content = (): BalanceContent => (this.#holdsAll ? [...this.#newer.present()] : 'unknown')

  readonly replaceWith = (content: BalanceContent): void => {
    this.#newer = new Rows()
    this.#older = new Rows()
    this.#holdsAll = content !== 'unknown'
    if (content !== 'unknown') this.put(content)
  }

  #find(key: BalanceKey): bigint | typeof ABSENT | undefined {
    const found = this.#newer.get(key)
    if (found !== undefined || this.#holdsAll) return found
    const older = this.#older.get(key)
    if (older !== undefined) this.#newer.set(key, older)
    return older
  }

  #makeRoom(): void {
    if (this.#newer.size <= this.#limit) return
    this.#holdsAll = false
    this.#older = this.#newer
    this.#newer = new Rows()
  }
}
