import type { Consent } from '../app/consent.ts'

/** Display settings of this app in this browser. Not secret. */
export type Preferences = {
  readonly language: string | null
  readonly mode: 'system' | 'light' | 'dark'
  readonly keepAwake: boolean | null
  readonly notify: boolean
  /** False if amounts are not shown in US dollars. Undefined until the person has chosen. */
  readonly worth?: boolean | undefined
  /** Undefined until something was accepted. */
  readonly consent?: Consent | undefined
  /** Referral code from a link, stored until the end of the first run. */
  readonly invitedBy: string | null
  /** Campaign of that link, with its code. Nobody is told. */
  readonly campaign?: { readonly code: string; readonly name: string } | undefined
  /** Campaigns of this account as an agent, and the one of each invited miner by address. */
  readonly campaigns?: readonly string[] | undefined
  readonly campaignOf?: Readonly<Record<string, string>> | undefined
  /** Address whose first reward has not come yet; null if none is expected. */
  readonly awaitsReward: string | null
  /** Address whose first reward has come and whose card was not closed yet. */
  readonly celebrates: string | null
}

const NONE: Preferences = {
  language: null,
  mode: 'system',
  keepAwake: null,
  notify: false,
  invitedBy: null,
  awaitsReward: null,
  celebrates: null,
}

export type PreferenceStore = {
  readonly snapshot: () => Preferences
  readonly subscribe: (listener: () => void) => () => void
  readonly set: (change: Partial<Preferences>) => void
}

function read(name: string): Preferences {
  try {
    return { ...NONE, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Preferences>) }
  } catch {
    // Browsers may refuse storage. The settings then last as long as the page.
    return NONE
  }
}

export function openPreferences(brandId: string): PreferenceStore {
  const name = `hailstone-${brandId}-preferences`
  const listeners = new Set<() => void>()
  let current = read(name)
  const publish = (next: Preferences): void => {
    current = next
    for (const listener of listeners) listener()
  }
  addEventListener('storage', ({ key }) => {
    if (key === name) publish(read(name))
  })
  return {
    snapshot: () => current,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    set: (change) => {
      publish({ ...current, ...change })
      try {
        localStorage.setItem(name, JSON.stringify(current))
      } catch {
        // Browsers may refuse storage.
      }
    },
  }
}
