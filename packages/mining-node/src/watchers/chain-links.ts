import type { Hash } from '@hailstone/protocol'

/** A key block by place and name. */
export type ChainLink = { readonly height: number; readonly hash: Hash }

const LINKS_KEPT = 256

/** A key block with a digest of what it held: after a fork the same key block can hold something else. */
type FilledLink = ChainLink & { readonly content: string }

/** The newest calculated key blocks of the chain as it was last seen. */
export type ChainLinks = {
  readonly hashAt: (height: number) => Hash | undefined
  readonly contentAt: (height: number) => string | undefined
  readonly heightOf: (hash: Hash) => number | undefined
  readonly add: (link: FilledLink) => void
  /** Takes away everything above a height and gives it back, the newest first. */
  readonly cutAbove: (height: number) => readonly ChainLink[]
}

export function createChainLinks(): ChainLinks {
  const byHeight = new Map<number, FilledLink>()
  const byHash = new Map<Hash, number>()
  const remove = (height: number): void => {
    const link = byHeight.get(height)
    byHeight.delete(height)
    if (link !== undefined) byHash.delete(link.hash)
  }
  return {
    hashAt: (height) => byHeight.get(height)?.hash,
    contentAt: (height) => byHeight.get(height)?.content,
    heightOf: (hash) => byHash.get(hash),
    add: (link) => {
      byHeight.set(link.height, link)
      byHash.set(link.hash, link.height)
      const [lowest] = byHeight.keys()
      if (byHeight.size > LINKS_KEPT && lowest !== undefined) remove(lowest)
    },
    cutAbove: (height) => {
      const cut = [...byHeight.values()].filter((link) => link.height > height)
      for (const link of cut) remove(link.height)
      return cut.reverse().map(({ height: at, hash }) => ({ height: at, hash }))
    },
  }
}
