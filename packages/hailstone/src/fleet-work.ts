import type { FleetEvent } from '@hailstone/mining-node/fleet'
import type { Address, Hash } from '@hailstone/protocol'

/** Work of one account of a fleet, in the form of a miner's own `/status`. Times are Unix milliseconds. */
export type AccountWork = {
  readonly publications: {
    readonly published: number
    readonly included: number
    readonly missed: number
    readonly refused: number
    readonly late: number
  }
  readonly connected: { readonly beforeMs: number; readonly sinceMs: number | null }
}

/** Macroblocks after which a publication that is in none of them counts as left out, as for a single miner. */
const MISSED_AFTER = 10

/** Without an API no height comes, and none of them is ever over. */
const MOST_OPEN = 65_536

const NOTHING: AccountWork = {
  publications: { published: 0, included: 0, missed: 0, refused: 0, late: 0 },
  connected: { beforeMs: 0, sinceMs: null },
}

/** Counts the work of each account of a fleet from its events. */
export function createFleetWork(now: () => number = Date.now) {
  const works = new Map<Address, AccountWork>()
  /** Publications that are in no macroblock yet, with the height at which they were signed. */
  const open = new Map<Hash, { readonly address: Address; readonly height: number }>()
  let height = 0

  function add(address: Address, name: keyof AccountWork['publications']): void {
    const work = works.get(address) ?? NOTHING
    const publications = { ...work.publications, [name]: work.publications[name] + 1 }
    works.set(address, { ...work, publications })
  }

  function setConnected(address: Address, isNow: boolean): void {
    const work = works.get(address) ?? NOTHING
    const { beforeMs, sinceMs } = work.connected
    if (isNow === (sinceMs !== null)) return
    const passedMs = sinceMs === null ? 0 : Math.max(0, now() - sinceMs)
    const connected = { beforeMs: beforeMs + passedMs, sinceMs: isNow ? now() : null }
    works.set(address, { ...work, connected })
  }

  function noteHeight(reached: number): void {
    height = reached
    for (const [hash, { address, height: signedAt }] of open) {
      // Before the first height nothing is known of the age.
      if (signedAt === 0) open.set(hash, { address, height })
      else if (height - signedAt > MISSED_AFTER) {
        open.delete(hash)
        add(address, 'missed')
      }
    }
  }

  return {
    note: (event: FleetEvent): void => {
      if (event.type === 'published') {
        add(event.address, 'published')
        const [oldest] = open.keys()
        if (oldest !== undefined && open.size >= MOST_OPEN) open.delete(oldest)
        open.set(event.microblockHash, { address: event.address, height })
      } else if (event.type === 'included') {
        // One that came later than expected is not left out any more, and was counted as such: it stays there.
        if (open.delete(event.microblockHash)) add(event.address, 'included')
      } else if (event.type === 'beaconRefused') {
        add(event.address, 'refused')
        if (event.refusal === 'newerBeaconCame') add(event.address, 'late')
      } else if (event.type === 'hailed') setConnected(event.address, true)
      else if (event.type === 'disconnected' || event.type === 'stopped') setConnected(event.address, false)
      else if (event.type === 'heightChanged' && !event.isStale) noteHeight(event.height)
    },
    of: (address: Address): AccountWork => works.get(address) ?? NOTHING,
  }
}

export type FleetWork = ReturnType<typeof createFleetWork>
