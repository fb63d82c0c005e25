/** Conditions of the device as the service of a package reads them. Charge is missing where the device says none. */
export type ServiceConditions = {
  readonly type: 'conditions'
  readonly isOnline: boolean
  readonly isMetered: boolean
  readonly isCharging?: boolean
  readonly battery?: number
  readonly isHot: boolean
  /** True if the person has paused in the notification. */
  readonly isHeld: boolean
}

/** Messages from the service to the page that mines. */
export type FromService =
  | ServiceConditions
  /** Sent once, after the first conditions. `isAgain`: the person has not started just now; go on with what was wanted. */
  | { readonly type: 'begin'; readonly passphrase?: string; readonly isAgain: boolean }
  | { readonly type: 'stop' }

/** Messages from the page that mines to the service. */
export type ToService =
  | { readonly type: 'ready' }
  /** Sign of life. `isHidden`: the WebView counts the page as hidden, and may pause it. */
  | { readonly type: 'beat'; readonly needsProcessor: boolean; readonly isHidden: boolean }
  /** Words of the notification. */
  | { readonly type: 'line'; readonly title: string; readonly text: string }
  /** Mining has ended; the service ends, too. `notice`: sentence for a notification that stays. */
  | { readonly type: 'done'; readonly notice: string | null }

/** The object that the service puts into its page. */
export type MinerHost = {
  readonly postMessage: (message: string) => void
  onmessage: ((event: { readonly data: string }) => void) | null
}
