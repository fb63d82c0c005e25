import { assertArgument } from '@hailstone/protocol'

/** One end of a channel between a program and a worker, as browsers and Node have it. */
export type SignerPort = {
  /** Sends a copy of the message to the other side. */
  postMessage(message: unknown): void
} & (EventPort | EmitterPort)

/** `Worker`, `self` and `MessagePort` of browsers, `MessagePort` of Node. */
type EventPort = {
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  start?(): void
}

/** `Worker` of Node. */
type EmitterPort = {
  on(type: string, listener: (value: unknown) => void): unknown
  off(type: string, listener: (value: unknown) => void): unknown
}

export type PortFault = {
  readonly reason: string
  readonly cause: unknown
  /** Nothing will ever come again. */
  readonly isLast: boolean
}

export type Listeners = {
  readonly onMessage: (message: unknown) => void
  /** Called when pending requests may never be answered. */
  readonly onFault?: ((fault: PortFault) => void) | undefined
}

/** A browser worker continues after an error, and emits no event when it ends. */
const faults = {
  messageerror: { reason: 'a message could not be read', isLast: false },
  error: { reason: 'the worker failed', isLast: false },
  exit: { reason: 'the worker ended', isLast: true },
  close: { reason: 'the channel was closed', isLast: true },
}

const isEventPort = (port: SignerPort): port is SignerPort & EventPort => 'addEventListener' in port

/**
 * Listens at a port; the answer ends that.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 */
export function listen(port: SignerPort, { onMessage, onFault }: Listeners): () => void {
  assertArgument(port?.postMessage, 'port', 'a worker or a message port', port)
  const ends = Object.entries(faults).map(
    ([type, fault]) => [type, (cause?: unknown) => onFault?.({ ...fault, cause })] as const,
  )
  if (!isEventPort(port)) {
    const all = [['message', onMessage] as const, ...ends]
    for (const [type, listener] of all) port.on(type, listener)
    return () => {
      for (const [type, listener] of all) port.off(type, listener)
    }
  }
  const onEvent = (event: Event): void => onMessage((event as MessageEvent).data)
  const all = [['message', onEvent] as const, ...ends]
  for (const [type, listener] of all) port.addEventListener(type, listener)
  port.start?.()
  return () => {
    for (const [type, listener] of all) port.removeEventListener(type, listener)
  }
}
