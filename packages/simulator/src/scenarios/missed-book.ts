import type { Hash } from '@hailstone/protocol'
import type { MissedReferral } from '../real.ts'
import type { Run } from '../run/run.ts'
import { poorAgent } from '../world/accounts.ts'
import type { ClosedBlock, SimulatedChain } from '../world/simulated-chain.ts'

/** Referral rewards that an agent missed because it holds too little, as a program was told. */
export type MissedBook = {
  readonly closed: (block: ClosedBlock) => void
  /** A program begins, or ends. Nothing is kept from run to run, and nothing is told while none runs. */
  readonly begins: () => void
  /** The API has shown a height for the first time in this life. */
  readonly sees: (height: number) => void
  readonly missed: (missed: MissedReferral, forks: number) => void
  readonly lacking: (chain: SimulatedChain) => readonly string[]
}

type Booked = { readonly height: number; readonly amount: bigint; readonly reason: MissedReferral['reason'] }

function bookedIn({ microblocks, records, keyBlock }: ClosedBlock): readonly (readonly [Hash, Booked])[] {
  return microblocks.flatMap(({ hash, referralAgent }) => {
    if (referralAgent !== poorAgent.address) return []
    const paid = records.filter((record) => record.hash === hash && record.type === 'iref')
    const last = paid.at(-1)
    if (last === undefined || paid.some(({ account }) => account === poorAgent.address)) return []
    const isHalved = paid.length > 1
    const reason = isHalved ? 'stakeTooLow' : 'noBalance'
    return [
      [hash, { height: keyBlock.height, amount: isHalved ? last.value : last.value / 2n, reason }] as const,
    ]
  })
}

export function createMissedBook(run: Run): MissedBook {
  const ofBlock = new Map<ClosedBlock, ReturnType<typeof bookedIn>>()
  const all = new Map<Hash, Booked>()
  let told = new Set<Hash>()
  /** Null before the first height of this life. */
  let fromHeight: number | null = null
  const violate = (what: string): void => run.violate('I5', `missed referrals: ${what}`)

  return {
    closed: (block) => {
      const booked = bookedIn(block)
      ofBlock.set(block, booked)
      for (const [hash, one] of booked) all.set(hash, one)
    },
    begins: () => {
      told = new Set()
      fromHeight = null
    },
    sees: (height) => {
      fromHeight ??= height
    },
    missed: ({ microblockHash, height, amount, reason }, forks) => {
      run.note('missed', `told ${microblockHash.slice(0, 8)} of ${height}`)
      const booked = all.get(microblockHash)
      if (booked === undefined) return violate(`made up: ${microblockHash} paid its agent, or never was`)
      if (told.has(microblockHash) && forks === 0) violate(`told twice: ${microblockHash}`)
      told.add(microblockHash)
      const isRight = booked.height === height && booked.amount === amount && booked.reason === reason
      if (!isRight)
        violate(`wrong: ${reason} ${amount} of ${height}, and it is ${JSON.stringify(booked, asText)}`)
    },
    lacking: ({ blocks }) =>
      blocks.flatMap((block) => {
        if (fromHeight === null || block.keyBlock.height < fromHeight) return []
        return (ofBlock.get(block) ?? []).flatMap(([hash, { height }]) =>
          told.has(hash) ? [] : [`${hash.slice(0, 8)} of ${height}`],
        )
      }),
  }
}

const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
