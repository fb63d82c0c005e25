import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import type { Channel, OpenChannel } from '../session/channel.ts'

/** Error codes of a system that has no more files or ports. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS'])

export const isShortage = (detail: string): boolean => SHORTAGES.has(detail)

/** Kept back for everything that is not a session: the API, the health port, a log file. */
const RESERVE = 16
/** Pause before the system is asked for files again, in ms. */
const PAUSE_MS = 30_000

export type DescriptorGuard = {
  readonly openChannel: OpenChannel
  readonly open: () => number
  /** Returns the error code of the current shortage, null while descriptors are free. */
  readonly shortage: () => string | null
  readonly release: () => void
}

/**
 * Keeps a process that may not open more files alive: at the first refusal it gives back files it had set aside,
 * and until the pause is over no further socket is tried, so that what runs goes on running.
 */
export function createDescriptorGuard(parameters: {
  readonly openChannel: OpenChannel
  readonly now: () => number
  readonly onShortage: (code: string, openSockets: number) => void
}): DescriptorGuard {
  const { openChannel, now, onShortage } = parameters
  let reserve: number[] = []
  let open = 0
  let shortage: { readonly code: string; readonly until: number; readonly limit: number } | null = null
  setAside()

  function setAside(): void {
    try {
      while (reserve.length < RESERVE) reserve.push(openSync(devNull, 'r'))
    } catch {
      // There is nothing to set aside: sockets will say so themselves.
    }
  }

  function giveBack(): void {
    for (const descriptor of reserve) closeSync(descriptor)
    reserve = []
  }

  function refused(code: string): void {
    if (shortage === null) onShortage(code, open)
    shortage = { code, until: now() + PAUSE_MS, limit: open }
    giveBack()
  }

  function current(): typeof shortage {
    if (shortage !== null && now() >= shortage.until) {
      shortage = null
      setAside()
    }
    return shortage
  }

  const guarded: OpenChannel = (given) => {
    const short = current()
    if (short !== null && open >= short.limit) {
      queueMicrotask(() => given.handlers.failed(short.code))
      return deadChannel
    }
    open++
    const { handlers } = given
    return openChannel({
      ...given,
      handlers: {
        ...handlers,
        closed: (...given) => {
          open--
          handlers.closed(...given)
        },
        failed: (...given) => {
          open--
          const [detail] = given
          if (isShortage(detail)) refused(detail)
          handlers.failed(...given)
        },
      },
    })
  }
  return {
    openChannel: guarded,
    open: () => open,
    shortage: () => current()?.code ?? null,
    release: giveBack,
  }
}

const deadChannel: Channel = {
  send: () => {
    throw new Error('the socket is not open')
  },
  close: () => undefined,
  terminate: () => undefined,
}
