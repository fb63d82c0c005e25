/** Memory that members take together. */
export type Shares<Member> = {
  /** Says what a member takes now; it becomes the newest one. */
  readonly set: (member: Member, bytes: number) => void
  readonly remove: (member: Member) => void
}

/** Keeps a sum below a bound: beyond it the members that were set least lately are given up. */
export function createShares<Member>(parameters: {
  readonly maxBytes: number
  readonly giveUp: (member: Member) => void
}): Shares<Member> {
  const bytesOf = new Map<Member, number>()
  let sum = 0
  const remove = (member: Member): void => {
    sum -= bytesOf.get(member) ?? 0
    bytesOf.delete(member)
  }
  return {
    remove,
    set(member, bytes) {
      remove(member)
      bytesOf.set(member, bytes)
      sum += bytes
      for (const [oldest] of bytesOf) {
        if (sum <= parameters.maxBytes) return
        remove(oldest)
        parameters.giveUp(oldest)
      }
    },
  }
}
