/** One end of a channel between a program and a worker, as browsers and Node have it. */
export type SignerPort = { postMessage(message: unknown): void } & (EventPort | EmitterPort)

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

export type Listeners = {
  readonly onMessage: (message: unknown) => void
  /** The other end is gone, or what came cannot be read. */
  readonly onEnd?: ((reason: string, cause: unknown) => void) | undefined
}

const endings = {
  messageerror: 'a message could not be read',
  error: 'the worker failed',
  exit: 'the worker ended',
  close: 'the channel was closed',
}

const isEventPort = (port: SignerPort): port is SignerPort & EventPort => 'addEventListener' in port

/** Listens at a port; the answer ends that. */
export function listen(port: SignerPort, { onMessage, onEnd }: Listeners): () => void {
  const ends = Object.entries(endings).map(
    ([type, reason]) => [type, (cause?: unknown) => onEnd?.(reason, cause)] as const,
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
