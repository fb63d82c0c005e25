/**
 * Items in the order in which they came, with weights that change. An item is found by a place within the sum of the
 * weights, and a weight is changed, in a time that grows with the logarithm of their number.
 */
export type SumTree<Item> = {
  /** Sum of the weights of the items that take part. */
  readonly total: () => bigint
  /** Number of items that take part. */
  readonly count: () => number
  /** Number of items, those that take no part included. */
  readonly size: () => number
  /** Puts an item last. It takes no part until it has a weight. */
  readonly add: (item: Item) => void
  readonly remove: (item: Item) => void
  /** @param weight null if the item takes no part */
  readonly weigh: (item: Item, weight: bigint | null) => void
  /** Returns the item on which a place in [0, total) falls when each has a length of its weight. */
  readonly at: (place: bigint) => Item | undefined
  /** Returns the first item that takes part. */
  readonly first: () => Item | undefined
  readonly items: () => Iterable<Item>
}

const SMALLEST = 16

export const createSumTree = <Item>(): SumTree<Item> => new BinarySumTree<Item>()

/** Node 1 is the root, those below node n are 2n and 2n + 1, and the leaves begin at the capacity. */
class BinarySumTree<Item> implements SumTree<Item> {
  #capacity = SMALLEST
  #sums: bigint[] = []
  #counts = new Uint32Array(0)
  /** A leaf whose item is gone stays empty until all are moved up, so that the order stays. */
  #leaves: (Item | undefined)[] = []
  readonly #leafOf = new Map<Item, number>()

  constructor() {
    this.#clear(SMALLEST)
  }

  readonly total = (): bigint => this.#sums[1] ?? 0n

  readonly count = (): number => this.#counts[1] ?? 0

  readonly size = (): number => this.#leafOf.size

  readonly items = (): Iterable<Item> => this.#leafOf.keys()

  readonly add = (item: Item): void => {
    if (this.#leafOf.has(item)) return
    if (this.#leaves.length === this.#capacity) this.#moveUp()
    this.#leafOf.set(item, this.#leaves.length)
    this.#leaves.push(item)
  }

  readonly remove = (item: Item): void => {
    const leaf = this.#leafOf.get(item)
    if (leaf === undefined) return
    this.#set(leaf, null)
    this.#leaves[leaf] = undefined
    this.#leafOf.delete(item)
  }

  readonly weigh = (item: Item, weight: bigint | null): void => {
    const leaf = this.#leafOf.get(item)
    if (leaf !== undefined) this.#set(leaf, weight)
  }

  readonly at = (place: bigint): Item | undefined => {
    if (place < 0n || place >= this.total()) return undefined
    let rest = place
    let node = 1
    while (node < this.#capacity) {
      node *= 2
      const left = this.#sums[node] ?? 0n
      if (rest >= left) {
        rest -= left
        node++
      }
    }
    return this.#leaves[node - this.#capacity]
  }

  readonly first = (): Item | undefined => {
    if (this.count() === 0) return undefined
    let node = 1
    while (node < this.#capacity) {
      node *= 2
      if (this.#counts[node] === 0) node++
    }
    return this.#leaves[node - this.#capacity]
  }

  #set(leaf: number, weight: bigint | null): void {
    let node = this.#capacity + leaf
    const more = (weight ?? 0n) - (this.#sums[node] ?? 0n)
    const members = (weight === null ? 0 : 1) - (this.#counts[node] ?? 0)
    if (more === 0n && members === 0) return
    for (; node > 0; node >>= 1) {
      if (more !== 0n) this.#sums[node] = (this.#sums[node] ?? 0n) + more
      if (members !== 0) this.#counts[node] = (this.#counts[node] ?? 0) + members
    }
  }

  #clear(capacity: number): void {
    this.#capacity = capacity
    this.#sums = new Array<bigint>(2 * capacity).fill(0n)
    this.#counts = new Uint32Array(2 * capacity)
    this.#leaves = []
  }

  /** Makes room at the end: without the empty leaves, and with twice as many if most are taken. */
  #moveUp(): void {
    const { length } = this.#leaves
    const taking = Array.from(this.#leafOf, ([item, leaf]) => {
      const node = this.#capacity + leaf
      return { item, weight: this.#counts[node] === 0 ? null : (this.#sums[node] ?? 0n) }
    })
    this.#clear(taking.length > length / 2 ? 2 * length : length)
    this.#leafOf.clear()
    for (const { item, weight } of taking) {
      this.add(item)
      this.weigh(item, weight)
    }
  }
}
