import type { EngineConnection } from './engine-connection.ts'
import { nativeBridge } from './is-package.ts'

/** The service of a package that mines with the screen off, as its plugin describes it. */
export type ServiceState = {
  readonly isRunning: boolean
  /** False if the WebView of this phone is too old. */
  readonly isPossible: boolean
  /** True if the person has stopped and the page of the service did not confirm it. */
  readonly isStopDue: boolean
  /** True if the app is exempt from battery optimisation. */
  readonly isExempt: boolean
  /** True if the person or the system has restricted the battery use of the app: no service may run. */
  readonly isRestricted: boolean
  /** Last sign of life of a service that did not end by itself, in Unix milliseconds. */
  readonly endedAtMs?: number
  readonly endedBy?: 'person' | 'memory' | 'crash' | 'system'
}

/** Words of the notification until the page of the service sends its own, and those of its buttons. */
export type ServiceWords = Readonly<
  Record<
    'title' | 'text' | 'stop' | 'pause' | 'continue' | 'channel' | 'stoppedChannel' | 'reopen' | 'hidden',
    string
  >
>

type Service = {
  /** Null until the plugin has answered. Hosts without the plugin keep null. */
  readonly state: ServiceState | null
  /** True while the person is asked how to mine. */
  readonly isAsking: boolean
}

let current: Service = { state: null, isAsking: false }
let followed: EngineConnection | null = null
let chosen: boolean | undefined
const listeners = new Set<() => void>()

function publish(next: Partial<Service>): void {
  current = { ...current, ...next }
  for (const listener of listeners) listener()
}

/** True while the service mines and this page only watches. */
const isWatching = (): boolean => current.state?.isRunning === true

/** Hands the lead to the service when it begins, and takes it back when it ends. */
function follow(state: ServiceState): void {
  const wasWatching = isWatching()
  publish({ state })
  if (state.isRunning && !wasWatching) followed?.send({ type: 'asleep' })
  // The stop comes first: the engine that leads next then has it before it is asked for anything else.
  carryOutStop()
  if (!state.isRunning && wasWatching) followed?.send({ type: 'awake' })
}

let isStopping = false
let lastLock: string | undefined

/** Stops mining for a service that ended without doing so itself. What fails is tried again when the lock opens. */
function carryOutStop(): void {
  const { state } = current
  if (followed === null || isStopping || state === null || state.isRunning || !state.isStopDue) return
  isStopping = true
  followed
    .call('stop')
    .then(() => nativeBridge()?.nativePromise('AppMiner', 'confirmStop'))
    .then(
      () => current.state && publish({ state: { ...current.state, isStopDue: false } }),
      () => undefined,
    )
    .finally(() => {
      isStopping = false
    })
}

/** Tries a stop again that failed, once the person has unlocked. */
function followLock(): void {
  const lock = followed?.state()?.tabLock
  if (lock === 'open' && lastLock !== 'open') carryOutStop()
  lastLock = lock
}

/** Returns the connection to the engine for a page that lets the service mine. Without the plugin it is the same. */
export function letServiceMine(engine: EngineConnection): EngineConnection {
  const native = nativeBridge()
  if (native === undefined) return engine
  followed = engine
  engine.subscribe(followLock)
  native.addListener('AppMiner', 'state', follow)
  native.nativePromise('AppMiner', 'state').then(
    (state) => follow(state as ServiceState),
    // A package without the plugin mines while it is open.
    () => undefined,
  )
  return {
    ...engine,
    // A page that comes back to the screen does not compete with the service.
    send: (message) => {
      if (message.type !== 'awake' || !isWatching()) engine.send(message)
    },
    // The service stops mining, and ends even if its page no longer answers.
    call: (name, ...given) =>
      name === 'stop' && isWatching() ? native.nativePromise('AppMiner', 'end') : engine.call(name, ...given),
  }
}

export const minerService = {
  snapshot: (): Service => current,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  /** Takes the choice that the person made about mining with the screen off; undefined before they made one. */
  setChoice: (choice: boolean | undefined): void => {
    chosen = choice
  },
  /** Opens the question of how to mine, and returns true, if the service can run and the person has not declined it. */
  askFirst: (): boolean => {
    const { state } = current
    if (state?.isPossible !== true || state.isRunning || state.isRestricted || chosen === false) return false
    publish({ isAsking: true })
    return true
  },
  setAsking: (isAsking: boolean): void => publish({ isAsking }),
  /** Starts the service. False if the system refuses it. */
  begin: async (passphrase: string | null, words: ServiceWords): Promise<boolean> => {
    const given = { words, ...(passphrase === null ? {} : { passphrase }) }
    const state = (await nativeBridge()?.nativePromise('AppMiner', 'begin', given)) as ServiceState
    follow(state)
    return state.isRunning
  },
  askForExemption: async (): Promise<void> => {
    await nativeBridge()?.nativePromise('AppMiner', 'askForExemption')
  },
  openBatterySettings: async (): Promise<void> => {
    await nativeBridge()?.nativePromise('AppMiner', 'openBatterySettings')
  },
}
