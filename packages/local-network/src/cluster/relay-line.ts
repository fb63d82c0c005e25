import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** Address at which the leader accepts miners of other processes. */
export type Relay = { readonly host: string; readonly port: number }

const CONNECT_TIMEOUT_MS = 2000

/** Joins a connection to the one who leads, byte for byte; when either side ends, both do. */
export function relayLine(line: Duplex, { host, port }: Relay): void {
  const there = connect({ host, port, noDelay: true, keepAlive: true })
  const end = (): void => {
    line.destroy()
    there.destroy()
  }
  there.setTimeout(CONNECT_TIMEOUT_MS, end)
  there.once('connect', () => there.setTimeout(0))
  there.on('error', end)
  line.on('error', end)
  there.on('close', end)
  line.on('close', end)
  line.pipe(there)
  there.pipe(line)
}
