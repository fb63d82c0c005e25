import type { Hash } from '@hailstone/protocol'

/** A key block by place and name. */
export type ChainLink = { readonly height: number; readonly hash: Hash }

const LINKS_KEPT = 256

/** The newest calculated key blocks of the chain as it was last seen. */
export type ChainLinks = {
  readonly hashAt: (height: number) => Hash | undefined
  readonly heightOf: (hash: Hash) => number | undefined
  readonly add: (link: ChainLink) => void
  /** Takes away everything above a height and gives it back, the newest first. */
  readonly cutAbove: (height: number) => readonly ChainLink[]
}

export function createChainLinks(): ChainLinks {
  const byHeight = new Map<number, Hash>()
  const byHash = new Map<Hash, number>()
  const remove = (height: number): void => {
    const hash = byHeight.get(height)
    byHeight.delete(height)
    if (hash !== undefined) byHash.delete(hash)
  }
  return {
    hashAt: (height) => byHeight.get(height),
    heightOf: (hash) => byHash.get(hash),
    add: ({ height, hash }) => {
      byHeight.set(height, hash)
      byHash.set(hash, height)
      const [lowest] = byHeight.keys()
      if (byHeight.size > LINKS_KEPT && lowest !== undefined) remove(lowest)
    },
    cutAbove: (height) => {
      const cut = [...byHeight].filter(([at]) => at > height).map(([at, hash]) => ({ height: at, hash }))
      for (const link of cut) remove(link.height)
      return cut.reverse()
    },
  }
}
