import type { Hash } from '@hailstone/protocol'

const CAPACITY = 256
const FIRST_CAPACITY = 8

/** 52 bits of a hash: enough to tell apart what one miner signs in its life, and eight bytes instead of ninety. */
const numberOf = (hash: Hash): number => Number.parseInt(hash.slice(0, 13), 16)

/**
 * The newest 256 microblocks that one node of a fleet has signed, in at most 2 KB. An older one that is replayed
 * would be signed again with the same bytes, for a key block that closed long ago.
 */
export class AnsweredRing {
  #numbers = new Float64Array(0)
  #next = 0
  #count = 0

  has(hash: Hash): boolean {
    const number = numberOf(hash)
    for (let at = 0; at < this.#count; at++) if (this.#numbers[at] === number) return true
    return false
  }

  add(hash: Hash): void {
    if (this.#next === this.#numbers.length && this.#next < CAPACITY) this.#grow()
    this.#numbers[this.#next % CAPACITY] = numberOf(hash)
    this.#next = (this.#next + 1) % CAPACITY
    this.#count = Math.min(CAPACITY, Math.max(this.#count, this.#next === 0 ? CAPACITY : this.#next))
  }

  #grow(): void {
    const grown = new Float64Array(Math.max(FIRST_CAPACITY, this.#numbers.length * 2))
    grown.set(this.#numbers)
    this.#numbers = grown
  }
}
