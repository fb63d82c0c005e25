import type { Consent } from '../app/consent.ts'
import type { OwnCampaigns } from '../app/own-campaigns.ts'

/** Invitation that a link brought. */
type Invitation = {
  /** Referral code of the agent. */
  readonly code: string
  /** Campaign as the link has it; null if it has none. Read as a name once the agent is taken. */
  readonly campaign: string | null
}

/** Display settings of this app in this browser. Not secret. */
export type Preferences = {
  readonly language: string | null
  /** `system`: as the brand chose, which may be the device's. `device`: the device's, whatever the brand chose. */
  readonly mode: 'system' | 'device' | 'light' | 'dark'
  readonly keepAwake: boolean | null
  readonly notify: boolean
  /** True if a package mines with the screen off, false for only while it is open. Undefined until the person has chosen. */
  readonly screenOff?: boolean | undefined
  /** True once a package has asked for notifications on account of it. */
  readonly wasAskedToNotify?: boolean | undefined
  /** End of the gap in mining for which the app asked last to be exempt from battery limits, in Unix milliseconds. */
  readonly askedForGapMs?: number | undefined
  /** False if amounts are not shown in US dollars. Undefined until the person has chosen. */
  readonly worth?: boolean | undefined
  /** False if the first reward does not make the device vibrate. Undefined until the person has chosen. */
  readonly vibrates?: boolean | undefined
  /** Undefined until something was accepted. */
  readonly consent?: Consent | undefined
  /** Invitation from a link, until its agent or another is chosen, or the person closes it. */
  readonly invitedBy: Invitation | null
  /** Campaign that the account of this address came by, with the code of the agent it took. Nobody is told. */
  readonly campaign?: { readonly address: string; readonly code: string; readonly name: string } | undefined
  /** The same by the address of each account, written since there can be several. */
  readonly cameBy?:
    | Readonly<Record<string, { readonly code: string; readonly name: string } | undefined>>
    | undefined
  /** Campaigns that accounts made as agents, by address. */
  readonly campaigns?: Readonly<Record<string, OwnCampaigns>> | undefined
  /** Address whose first reward has not come yet; null if none is expected. */
  readonly awaitsReward: string | null
  /**
   * Address whose card of the first reward was closed, which is when the app offers to be installed; false once somebody
   * has answered that. Undefined until then.
   */
  readonly offersInstall?: string | false | undefined
  /** Address whose first reward has come and whose card was not closed yet, or what is offered in its place. */
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
