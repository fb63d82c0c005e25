import type { Address, Hash } from '@hailstone/protocol'
import type { Purse } from './coverage.ts'
import type { PendingEntry } from './pending-entry.ts'

/** `covered`: the sender's balance pays for the transaction. `uncovered`: it would be rejected, and pay nothing. */
export type Lane = 'covered' | 'uncovered'

export const LANES: readonly Lane[] = ['covered', 'uncovered']

/** An entry of the pool and where it is filed. */
export type FiledEntry = PendingEntry & { readonly sender: Sender; lane: Lane }

/** Everything that waits of one sender. Replayed transactions have a sender of their own, whoever signed them. */
export type Sender = {
  readonly key: Address | typeof REPLAYED
  /** In the order of their arrival. */
  readonly entries: Map<Hash, FiledEntry>
  readonly counts: Record<Lane, number>
  /** Undefined until it is needed after a change of the ledger. */
  purse: Purse | undefined
}

/** The sender under which replayed transactions are filed, so that they take nobody's quota or turn. */
export const REPLAYED = 'replayed'

/** Senders of one lane by how many transactions of that lane they have. Every step takes constant time. */
class Ranking {
  readonly #bySize: Sender[][] = []
  readonly #places = new Map<Sender, number>()

  move(sender: Sender, from: number, to: number): void {
    this.#leave(sender, from)
    if (to === 0) return
    while (this.#bySize.length <= to) this.#bySize.push([])
    const peers = this.#bySize[to] ?? []
    this.#places.set(sender, peers.length)
    peers.push(sender)
  }

  /** A sender with the highest count; of several, one that reached it lately. */
  fullest(): Sender | undefined {
    while (this.#bySize.at(-1)?.length === 0) this.#bySize.pop()
    return this.#bySize.at(-1)?.at(-1)
  }

  #leave(sender: Sender, size: number): void {
    const place = this.#places.get(sender)
    const peers = this.#bySize[size]
    if (place === undefined || peers === undefined) return
    this.#places.delete(sender)
    const last = peers.pop()
    if (last === undefined || last === sender) return
    peers[place] = last
    this.#places.set(last, place)
  }
}

/**
 * The senders that wait, by lane and in the order of their turns: whoever was served goes to the end, and so does
 * whoever comes anew. A sender is never behind anybody that was served after it came.
 */
export class SenderLanes {
  readonly #senders = new Map<string, Sender>()
  readonly #turns: Record<Lane, Set<Sender>> = { covered: new Set(), uncovered: new Set() }
  readonly #rankings: Record<Lane, Ranking> = { covered: new Ranking(), uncovered: new Ranking() }

  get(key: string): Sender | undefined {
    return this.#senders.get(key)
  }

  all(): Iterable<Sender> {
    return this.#senders.values()
  }

  inTurn(lane: Lane): Iterable<Sender> {
    return this.#turns[lane]
  }

  fullest(lane: Lane): Sender | undefined {
    return this.#rankings[lane].fullest()
  }

  open(key: Sender['key']): Sender {
    const present = this.#senders.get(key)
    if (present !== undefined) return present
    const sender: Sender = {
      key,
      entries: new Map(),
      counts: { covered: 0, uncovered: 0 },
      purse: undefined,
    }
    this.#senders.set(key, sender)
    return sender
  }

  file(entry: FiledEntry): void {
    entry.sender.entries.set(entry.hash, entry)
    this.#count(entry.sender, entry.lane, 1)
  }

  unfile({ sender, hash, lane }: FiledEntry): void {
    sender.entries.delete(hash)
    this.#count(sender, lane, -1)
    if (sender.entries.size === 0) this.#senders.delete(sender.key)
  }

  refile(entry: FiledEntry, lane: Lane): void {
    if (entry.lane === lane) return
    this.#count(entry.sender, entry.lane, -1)
    entry.lane = lane
    this.#count(entry.sender, lane, 1)
  }

  /** Puts a sender that was served at the end of both lanes. */
  endTurn(sender: Sender): void {
    for (const lane of LANES) if (this.#turns[lane].delete(sender)) this.#turns[lane].add(sender)
  }

  #count(sender: Sender, lane: Lane, change: 1 | -1): void {
    const before = sender.counts[lane]
    const after = before + change
    sender.counts[lane] = after
    this.#rankings[lane].move(sender, before, after)
    if (after === 0) this.#turns[lane].delete(sender)
    else this.#turns[lane].add(sender)
  }
}
