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

/** Without an API nothing is said of any of them. */
const MOST_OPEN = 65_536

const NOTHING: AccountWork = {
  publications: { published: 0, included: 0, missed: 0, refused: 0, late: 0 },
  connected: { beforeMs: 0, sinceMs: null },
}

/** Counts the work of each account of a fleet from its events. */
export function createFleetWork(now: () => number = Date.now) {
  const works = new Map<Address, AccountWork>()
  /** Publications that were in no macroblock so far, and whether they were told to be missed. */
  const open = new Map<Hash, boolean>()

  function add(address: Address, name: keyof AccountWork['publications'], by: 1 | -1 = 1): void {
    const work = works.get(address) ?? NOTHING
    const publications = { ...work.publications, [name]: work.publications[name] + by }
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

  return {
    note: (event: FleetEvent): void => {
      if (event.type === 'published') {
        add(event.address, 'published')
        // Sent once more, it stays what it is.
        if (open.has(event.microblockHash)) return
        const [oldest] = open.keys()
        if (oldest !== undefined && open.size >= MOST_OPEN) open.delete(oldest)
        open.set(event.microblockHash, false)
      } else if (event.type === 'included') {
        if (open.get(event.microblockHash)) add(event.address, 'missed', -1)
        if (open.delete(event.microblockHash)) add(event.address, 'included')
      } else if (event.type === 'missed' && open.has(event.microblockHash)) {
        open.set(event.microblockHash, true)
        add(event.address, 'missed')
      } else if (event.type === 'beaconRefused') {
        add(event.address, 'refused')
        if (event.refusal === 'newerBeaconCame') add(event.address, 'late')
      } else if (event.type === 'hailed') setConnected(event.address, true)
      else if (event.type === 'disconnected' || event.type === 'stopped') setConnected(event.address, false)
    },
    of: (address: Address): AccountWork => works.get(address) ?? NOTHING,
  }
}

export type FleetWork = ReturnType<typeof createFleetWork>
