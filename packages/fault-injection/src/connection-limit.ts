/**
 * Order in which connections are given up when there are too many: the lowest rank first, and of one rank the one
 * that has been in it longest.
 */
export const RANK = {
  /** Has asked for nothing yet. */
  new: 0,
  /** An upgraded connection of a miner that has not introduced itself. */
  silent: 1,
  /** Waits for the next request. */
  idle: 1,
  /** A request is being answered. */
  busy: 2,
  /** A miner that introduced itself, without enough stake to publish. */
  stranger: 2,
  /** A miner that could publish, or a connection that another process serves. */
  staked: 3,
  /** A miner of which a publication was accepted. Never given up. */
  proven: 4,
} as const

type Rank = (typeof RANK)[keyof typeof RANK]

const RANKS = RANK.proven + 1

/** Share of the places in which connections that have asked for nothing yet are safe from being given up first. */
const NEW_SHARE = 0.25

/** The connections of a port, of which there is a largest number. */
export type ConnectionLimit<Member> = {
  /** Makes room by giving up another connection where necessary. False if no connection can be given up. */
  readonly admit: (member: Member) => boolean
  readonly rank: (member: Member, rank: number) => void
  readonly leave: (member: Member) => void
  readonly size: () => number
}

/** @param parameters.giveUp ends a connection; it must not call `leave` before it returns */
export function createConnectionLimit<Member>(parameters: {
  readonly most: number
  readonly giveUp: (member: Member) => void
}): ConnectionLimit<Member> {
  const { most, giveUp } = parameters
  // Sets keep the order of insertion.
  const ranks: readonly Set<Member>[] = Array.from({ length: RANKS }, () => new Set<Member>())
  const rankOf = new Map<Member, number>()

  const leave = (member: Member): void => {
    ranks[rankOf.get(member) ?? 0]?.delete(member)
    rankOf.delete(member)
  }

  function oldest(): Member | undefined {
    const [fresh, ...others] = ranks
    const order = (fresh?.size ?? 0) > most * NEW_SHARE ? ranks : [...others, ...ranks.slice(0, 1)]
    for (const members of order) {
      if (members === ranks[RANK.proven]) continue
      for (const member of members) return member
    }
    return undefined
  }

  return {
    admit(member) {
      if (rankOf.size >= most) {
        const victim = oldest()
        if (victim === undefined) return false
        leave(victim)
        giveUp(victim)
      }
      rankOf.set(member, RANK.new)
      ranks[RANK.new]?.add(member)
      return true
    },
    rank(member, rank) {
      const present = rankOf.get(member)
      if (present === undefined) return
      ranks[present]?.delete(member)
      rankOf.set(member, rank as Rank)
      ranks[rank]?.add(member)
    },
    leave,
    size: () => rankOf.size,
  }
}
