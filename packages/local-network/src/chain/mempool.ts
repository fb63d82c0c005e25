import { type Hash, type TokenId, type Transaction, transactionHash } from '@hailstone/protocol'
import { hasPassed } from '../clock.ts'
import { type Coverage, coversEverything } from './coverage.ts'
import type { PendingEntry } from './pending-entry.ts'
import { type PoolLimits, type PoolOptions, type PoolRefusal, poolLimits } from './pool-limits.ts'
import { type FiledEntry, LANES, type Lane, REPLAYED, type Sender, SenderLanes } from './sender-lanes.ts'

export type TakeParameters = {
  readonly limit: number
  readonly nowMs: number
  /** Time a transaction is left to the miner it was offered to. */
  readonly pendingTimeoutMs: number
  /** Leaves out what arrived later. @default 0 */
  readonly minimumAgeMs?: number | undefined
  /** Transactions that need no offer, because a microblock of the open macroblock holds them. */
  readonly isSettled?: ((hash: Hash) => boolean) | undefined
}

export type AddOutcome = 'added' | 'alreadyInPool'

/**
 * The transactions that wait, in memory only, as on the public network.
 *
 * The public pool has no bounds. This one has: a quota for each sender, a cap in all and an expiry. When it is full,
 * the cheapest transaction makes room. The fee is no measure of that: it is inside the amount, in units of any token,
 * fixed by the token and not chosen by the sender (PROTOCOL 2.7), and a rejected transaction pays none (2.9). So the
 * cheapest is one that the balance of its sender does not cover, then the newest of the sender with the most.
 */
export type Mempool = {
  /** Adds a transaction of the network's own, over every bound but the expiry. */
  readonly add: (transaction: Transaction, hash: Hash) => AddOutcome
  /** Returns why a posted transaction would be refused as the pool is now, or null. Takes constant time. */
  readonly refusal: (transaction: Transaction, hash: Hash) => PoolRefusal | null
  /** Returns a waiting transaction by its hash. */
  readonly get: (hash: string) => PendingEntry | undefined
  /** Returns what waits of an account, as sender, receiver or both. */
  readonly ofAccount: (address: string, filter: 'from' | 'to' | 'both') => readonly PendingEntry[]
  /** Number of waiting transactions. */
  readonly size: number
  /**
   * Returns the transactions to offer next. Covered transactions come before others, and senders take turns; of one
   * sender the most-offered comes first, then the oldest (PROTOCOL 5.7). Does not count as an offer yet.
   */
  readonly take: (parameters: TakeParameters) => readonly PendingEntry[]
  /**
   * Returns the number of transactions that no microblock of the open macroblock holds; counts no further than
   * `atMost`.
   */
  readonly countWaiting: (isSettled: (hash: Hash) => boolean, atMost: number) => number
  /** @param offer time in Unix milliseconds, and token of the miner that they are offered to */
  readonly markOffered: (
    entries: readonly PendingEntry[],
    offer: {
      /** Unix milliseconds of the offer. */
      readonly nowMs: number
      readonly tokenId: TokenId
    },
  ) => void
  /** Takes back an offer that reached nobody: what was not offered to somebody else since may be offered again at once. */
  readonly withdrawOffer: (entries: readonly PendingEntry[], offeredAtMs: number) => void
  /** Offers them to nobody any more; they go on waiting. */
  readonly setAside: (entries: readonly PendingEntry[]) => void
  /** Removes transactions; hashes that do not wait are skipped. */
  readonly remove: (hashes: Iterable<Hash>) => void
  /** In the order of their arrival. */
  readonly entries: () => readonly PendingEntry[]
  /** Looks at all balances again before the next step. To be called when the ledger has changed. */
  readonly reconsider: () => void
}

/** The pool of one process, with its bounds. */
export type BoundedMempool = Mempool & {
  /** Adds a posted transaction if the bounds allow it. A full pool makes room for it with a cheaper one. */
  readonly post: (transaction: Transaction, hash: Hash) => AddOutcome | PoolRefusal
  /** Adds a transaction that another process accepted, over every bound. @param ageMs time it has waited so far */
  readonly adopt: (transaction: Transaction, hash: Hash, ageMs: number) => AddOutcome
  /** Returns the sender whose quota a waiting transaction uses, and that quota. */
  readonly quota: (hash: Hash) => { readonly sender: string; readonly limit: number } | undefined
  /** Files transactions that were calculated before under a sender of their own, within the quota of one. */
  readonly markReplayed: (hashes: Iterable<Hash>) => void
  /** Removes the cheapest transactions beyond the cap. */
  readonly trim: () => void
  /** Sets the one listener for transactions that expire or make room for others. */
  readonly onDropped: (listener: (hash: Hash) => void) => void
  /** Sets the one listener for transactions that come into the pool. */
  readonly onAdded: (listener: (hash: Hash) => void) => void
}

type MempoolParameters = {
  /** Unix milliseconds. */
  readonly now: () => number
  /** @default every transaction is covered */
  readonly coverage?: Coverage | undefined
  readonly limits?: PoolOptions | undefined
}

/** Creates an empty pool with its bounds. */
export const createMempool = (parameters: MempoolParameters): BoundedMempool => new BoundedPool(parameters)

class BoundedPool implements BoundedMempool {
  readonly #now: () => number
  readonly #coverage: Coverage
  readonly #limits: PoolLimits
  /** A map keeps the order of arrival, so what expires next is in front. */
  readonly #entries = new Map<string, FiledEntry>()
  readonly #lanes = new SenderLanes()
  #isStale = false
  #dropped: (hash: Hash) => void = () => {}
  #added: (hash: Hash) => void = () => {}

  constructor({ now, coverage = coversEverything, limits }: MempoolParameters) {
    this.#now = now
    this.#coverage = coverage
    this.#limits = poolLimits(limits)
  }

  get size(): number {
    this.#expire()
    return this.#entries.size
  }

  readonly add = (transaction: Transaction, hash: Hash): AddOutcome => this.adopt(transaction, hash, 0)

  readonly adopt = (transaction: Transaction, hash: Hash, ageMs: number): AddOutcome => {
    this.#update()
    if (this.#entries.has(hash)) return 'alreadyInPool'
    const sender = this.#lanes.open(this.#keyOf(transaction, hash))
    const isMineable = fitsBlock(transaction, hash)
    const entry: FiledEntry = {
      hash,
      transaction,
      addedAtMs: this.#now() - ageMs,
      isMineable,
      offeredCount: 0,
      lastOfferedAtMs: null,
      lastOfferedIn: null,
      offeredBeforeIn: null,
      sender,
      lane: this.#laneOf(sender, transaction, hash, isMineable),
    }
    this.#entries.set(hash, entry)
    this.#lanes.file(entry)
    this.#added(hash)
    return 'added'
  }

  readonly post = (transaction: Transaction, hash: Hash): AddOutcome | PoolRefusal => {
    this.#update()
    if (this.#entries.has(hash)) return 'alreadyInPool'
    const room = this.#findRoom(transaction, hash)
    if ('kind' in room) return room
    if (room.victim !== null) this.#giveUp(room.victim)
    return this.add(transaction, hash)
  }

  readonly refusal = (transaction: Transaction, hash: Hash): PoolRefusal | null => {
    this.#update()
    const room = this.#findRoom(transaction, hash)
    return 'kind' in room ? room : null
  }

  readonly get = (hash: string): PendingEntry | undefined => {
    this.#expire()
    return this.#entries.get(hash)
  }

  readonly ofAccount = (address: string, filter: 'from' | 'to' | 'both'): readonly PendingEntry[] => {
    this.#expire()
    const sent = [address, REPLAYED].flatMap((key) => [...(this.#lanes.get(key)?.entries.values() ?? [])])
    const searched = filter === 'from' ? sent : [...this.#entries.values()]
    return searched.filter((entry) => concerns(entry, address, filter))
  }

  readonly take = (parameters: TakeParameters): readonly PendingEntry[] => {
    this.#update()
    const taken: FiledEntry[] = []
    for (const lane of LANES) {
      const limit = parameters.limit - taken.length
      if (limit > 0) taken.push(...takeTurns(this.#lanes.inTurn(lane), lane, { ...parameters, limit }))
    }
    return taken
  }

  readonly countWaiting = (isSettled: (hash: Hash) => boolean, atMost: number): number => {
    this.#expire()
    return countWaiting(this.#entries.values(), isSettled, atMost)
  }

  readonly markOffered: Mempool['markOffered'] = (entries, { nowMs, tokenId }) => {
    for (const entry of entries) {
      entry.offeredCount++
      entry.lastOfferedAtMs = nowMs
      entry.offeredBeforeIn = entry.lastOfferedIn
      entry.lastOfferedIn = tokenId
    }
  }

  readonly withdrawOffer = (entries: readonly PendingEntry[], offeredAtMs: number): void => {
    for (const entry of entries) {
      if (entry.lastOfferedAtMs !== offeredAtMs) continue
      entry.offeredCount--
      entry.lastOfferedAtMs = null
      entry.lastOfferedIn = entry.offeredBeforeIn
    }
  }

  readonly setAside = (entries: readonly PendingEntry[]): void => {
    for (const { hash } of entries) {
      const entry = this.#entries.get(hash)
      if (entry === undefined) continue
      entry.isMineable = false
      this.#lanes.refile(entry, 'uncovered')
    }
  }

  readonly remove = (hashes: Iterable<Hash>): void => {
    for (const hash of hashes) {
      const entry = this.#entries.get(hash)
      if (entry === undefined) continue
      this.#drop(entry)
      this.#lanes.endTurn(entry.sender)
    }
  }

  readonly entries = (): readonly PendingEntry[] => {
    this.#expire()
    return [...this.#entries.values()]
  }

  readonly reconsider = (): void => {
    this.#isStale = true
  }

  readonly quota = (hash: Hash): { readonly sender: string; readonly limit: number } | undefined => {
    const entry = this.#entries.get(hash)
    if (entry === undefined) return undefined
    const { maxPerSender, maxUncoveredPerSender } = this.#limits
    return {
      sender: entry.sender.key,
      limit: entry.lane === 'covered' ? maxPerSender : maxUncoveredPerSender,
    }
  }

  readonly markReplayed = (hashes: Iterable<Hash>): void => {
    for (const hash of hashes) {
      const entry = this.#entries.get(hash)
      if (entry === undefined || entry.sender.key === REPLAYED) continue
      const isFull = this.#countOf(REPLAYED) >= this.#limits.maxUncoveredPerSender
      if (isFull) this.#giveUp(entry)
      else this.#drop(entry)
      // What it paid has to be returned to the purse of its sender.
      this.#isStale = true
      if (isFull) continue
      const moved: FiledEntry = { ...entry, sender: this.#lanes.open(REPLAYED), lane: 'uncovered' }
      this.#entries.set(hash, moved)
      this.#lanes.file(moved)
    }
  }

  readonly trim = (): void => {
    this.#update()
    while (this.#entries.size > this.#limits.maxTransactions) {
      const victim = this.#cheapest('uncovered') ?? this.#cheapest('covered')
      if (victim === null) return
      this.#giveUp(victim)
    }
  }

  readonly onDropped = (listener: (hash: Hash) => void): void => {
    this.#dropped = listener
  }

  readonly onAdded = (listener: (hash: Hash) => void): void => {
    this.#added = listener
  }

  #keyOf({ from }: Transaction, hash: Hash): Sender['key'] {
    return this.#coverage.isReplayed(hash) ? REPLAYED : from
  }

  #laneOf(sender: Sender, transaction: Transaction, hash: Hash, isMineable: boolean): Lane {
    if (!isMineable || sender.key === REPLAYED) return 'uncovered'
    sender.purse ??= this.#coverage.openPurse()
    return sender.purse.pay(transaction, hash) ? 'covered' : 'uncovered'
  }

  #countOf(key: string, lane?: Lane): number {
    const sender = this.#lanes.get(key)
    return (lane === undefined ? sender?.entries.size : sender?.counts[lane]) ?? 0
  }

  /** Returns who has to make room for a transaction, nobody as a rule; or the reason why nobody can. */
  #findRoom(transaction: Transaction, hash: Hash): PoolRefusal | { readonly victim: FiledEntry | null } {
    const { maxTransactions, maxPerSender, maxUncoveredPerSender } = this.#limits
    const key = this.#keyOf(transaction, hash)
    const waiting = this.#countOf(key)
    if (waiting >= maxPerSender) return { kind: 'senderFull', limit: maxPerSender }
    if (waiting < maxUncoveredPerSender && this.#entries.size < maxTransactions) return { victim: null }
    const purse = this.#lanes.get(key)?.purse ?? this.#coverage.openPurse()
    // Nothing is refused for balances that have not been read.
    const isCovered =
      key !== REPLAYED && purse.covers(transaction, hash) !== false && fitsBlock(transaction, hash)
    if (!isCovered && waiting >= maxUncoveredPerSender)
      return { kind: 'uncovered', limit: maxUncoveredPerSender }
    if (this.#entries.size < maxTransactions) return { victim: null }
    const victim = this.#cheaper(key, isCovered ? 'covered' : 'uncovered')
    return victim === null ? { kind: 'poolFull', limit: maxTransactions } : { victim }
  }

  /**
   * Returns an entry that is cheaper to drop than one more transaction of a sender: any uncovered one, or one of a
   * sender with more.
   */
  #cheaper(key: string, lane: Lane): FiledEntry | null {
    const uncovered = this.#cheapest('uncovered')
    if (lane === 'covered' && uncovered !== null) return uncovered
    const most = this.#lanes.fullest(lane)?.counts[lane] ?? 0
    return most > this.#countOf(key, lane) + 1 ? this.#cheapest(lane) : null
  }

  /** The newest of the sender that has the most. */
  #cheapest(lane: Lane): FiledEntry | null {
    let newest: FiledEntry | null = null
    for (const entry of this.#lanes.fullest(lane)?.entries.values() ?? [])
      if (entry.lane === lane) newest = entry
    return newest
  }

  #drop(entry: FiledEntry): void {
    this.#entries.delete(entry.hash)
    this.#lanes.unfile(entry)
  }

  #giveUp(entry: FiledEntry): void {
    this.#drop(entry)
    this.#dropped(entry.hash)
  }

  #expire(): void {
    const oldest = this.#now() - this.#limits.expiryMs
    for (const entry of this.#entries.values()) {
      if (entry.addedAtMs > oldest) return
      this.#giveUp(entry)
    }
  }

  #update(): void {
    this.#expire()
    if (!this.#isStale) return
    this.#isStale = false
    for (const sender of this.#lanes.all()) {
      sender.purse = undefined
      for (const entry of sender.entries.values())
        this.#lanes.refile(entry, this.#laneOf(sender, entry.transaction, entry.hash, entry.isMineable))
    }
  }
}

const concerns = ({ transaction }: PendingEntry, address: string, filter: 'from' | 'to' | 'both'): boolean =>
  (filter !== 'to' && transaction.from === address) || (filter !== 'from' && transaction.to === address)

/**
 * POST takes some transactions that no block can hold: a nonce with a fraction is rounded when it is stored, so the
 * signature and the hash are of another one (PROTOCOL 2.4). In a block it would have the hash of what is stored: the
 * pool would never hear that it was mined, and go on offering it.
 */
const fitsBlock = (transaction: Transaction, hash: Hash): boolean => transactionHash(transaction) === hash

function countWaiting(
  entries: Iterable<PendingEntry>,
  isSettled: (hash: Hash) => boolean,
  atMost: number,
): number {
  let count = 0
  for (const entry of entries) {
    if (count >= atMost) return count
    if (entry.isMineable && !isSettled(entry.hash)) count++
  }
  return count
}

/**
 * Fills a microblock with transactions of one lane: the first of each sender in the order of their turns, then the
 * second of each, and so on. What a microblock or an offer holds already counts as a turn of its sender.
 */
function takeTurns(senders: Iterable<Sender>, lane: Lane, parameters: TakeParameters): readonly FiledEntry[] {
  const { limit, nowMs, pendingTimeoutMs, minimumAgeMs = 0, isSettled } = parameters
  const isOffered = ({ lastOfferedAtMs }: FiledEntry): boolean =>
    lastOfferedAtMs !== null && !hasPassed(pendingTimeoutMs, { sinceMs: lastOfferedAtMs, nowMs })
  const rounds: FiledEntry[][] = []
  for (const sender of senders) {
    const offerable: FiledEntry[] = []
    let round = 0
    for (const entry of sender.entries.values()) {
      if (entry.lane !== lane || !entry.isMineable) continue
      if (isOffered(entry) || isSettled?.(entry.hash) === true) round++
      else if (hasPassed(minimumAgeMs, { sinceMs: entry.addedAtMs, nowMs })) offerable.push(entry)
    }
    for (const entry of mostOffered(offerable, limit)) {
      rounds[round] ??= []
      rounds[round]?.push(entry)
      round++
    }
    if ((rounds[0]?.length ?? 0) >= limit) break
  }
  return rounds.flat().slice(0, limit)
}

/** The first few by number of offers, without sorting all: it is asked ten times a second. */
function mostOffered(entries: readonly FiledEntry[], limit: number): readonly FiledEntry[] {
  if (entries.length <= 1) return entries
  const byCount = new Map<number, FiledEntry[]>()
  for (const entry of entries) {
    const equals = byCount.get(entry.offeredCount)
    if (equals === undefined) byCount.set(entry.offeredCount, [entry])
    else if (equals.length < limit) equals.push(entry)
  }
  const descending = [...byCount].sort(([one], [other]) => other - one)
  return descending.flatMap(([, equals]) => equals).slice(0, limit)
}
