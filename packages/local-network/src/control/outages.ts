import { isCloseCode, type Listener, type NetworkPart, parsePart } from '@hailstone/fault-injection'
import type { SettingKinds } from '@hailstone/runtime'
import { assertKinds } from '../assert-kinds.ts'
import type { Gateway } from '../gateway/create-gateway.ts'
import { controlRefused } from './control-refused.ts'

/** Part of the network that is cut off, and for how long. */
export type OutageOptions = {
  /** The part that is cut off: `gateway` or `api`. */
  readonly of: NetworkPart
  /** Time until connections are taken again, above 0. */
  readonly durationMs: number
  /** Code of the closing handshake, such as 1001 or 1012. @default connections are cut without one */
  readonly closeCode?: number | undefined
}

/** An outage that has begun. */
export type Outage = {
  /** Resolves when connections are taken again; rejects when the port is taken by somebody else. */
  readonly over: Promise<void>
}

/** Longest delay of a Node timer, in ms. */
const LONGEST_MS = 2 ** 31 - 1

const kinds: SettingKinds<OutageOptions> = { of: true, durationMs: 'number', closeCode: 'number' }

type Shutter = { readonly shut: (closeCode?: number) => Promise<void>; readonly reopen: () => Promise<void> }

/** Takes a part of the network away for a while. */
export function createOutages(parameters: {
  readonly gateway: Pick<Gateway, 'shut' | 'reopen'>
  readonly apiListener: () => Pick<Listener, 'shut' | 'reopen'> | undefined
  readonly later: (delayMs: number, action: () => void) => void
}): (options: OutageOptions) => Promise<Outage> {
  const { gateway, apiListener, later } = parameters
  const away = new Set<OutageOptions['of']>()
  const shutters = (): { readonly [Of in OutageOptions['of']]: Shutter | undefined } => ({
    gateway,
    api: apiListener(),
  })
  return async (options) => {
    assertKinds('of outage', options, kinds)
    const { of: named, durationMs, closeCode } = Object(options) as OutageOptions
    const of = parsePart('of', named)
    const shutter = shutters()[of]
    if (shutter === undefined || away.has(of)) throw controlRefused(`the ${of} is away already`)
    if (closeCode !== undefined && !isCloseCode(closeCode))
      throw controlRefused(`${closeCode} is no close code to send`)
    if (!(durationMs >= 0 && durationMs <= LONGEST_MS))
      throw controlRefused(`${durationMs} ms is no time to be away`)
    away.add(of)
    await shutter.shut(closeCode)
    const over = new Promise<void>((resolve, reject) => {
      later(durationMs, () => {
        away.delete(of)
        shutter.reopen().then(resolve, reject)
      })
    })
    // Whoever does not look at it must not be ended by it.
    over.catch(() => {})
    return { over }
  }
}
