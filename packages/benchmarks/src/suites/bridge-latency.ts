import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startChild } from '../child.ts'
import { type Goal, outcomeOf, type Score } from '../outcome.ts'
import { cpuPressure, isQuiet, quietMachine } from '../pressure.ts'
import { percentile } from '../statistics.ts'
import type { Suite } from '../suite.ts'

const SESSIONS = 2_000
/** Each of them sends a frame this often. */
const EVERY_MS = 5_000
const SAMPLES = 1_008
const FRAME = JSON.stringify({ publication: 'x'.repeat(380) })

type State = { readonly sessions: number; readonly cpuMs: number; readonly megabytes: number }

async function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  await once(socket, 'open')
  return socket
}

async function roundTripMs(socket: WebSocket): Promise<number> {
  const coming = once(socket, 'message')
  const begunAt = performance.now()
  socket.send(FRAME)
  const [answer] = await coming
  if (String(answer) !== FRAME) throw new Error('another frame came back')
  return performance.now() - begunAt
}

const goals: readonly Goal[] = [
  {
    what: `every one of ${SESSIONS} sessions is relayed`,
    over: 'sessions relayed',
    under: 'sessions opened',
    atLeast: 1,
  },
]

export const bridgeLatency: Suite = {
  name: 'bridge',
  what: `what a bridge with ${SESSIONS} sessions adds to a round trip`,
  run: async ({ settings, tell }) => {
    const children = ['echo-gateway', 'bridge', 'sessions'].map((file) => startChild(file))
    const [gateway, bridge, sessions] = children as [
      (typeof children)[0],
      (typeof children)[0],
      (typeof children)[0],
    ]
    const upstream = await gateway.ask<string>('listen')
    const url = await bridge.ask<string>('start', { upstream })
    await sessions.ask('start', { url, sessions: SESSIONS, everyMs: EVERY_MS })
    tell(`${SESSIONS} sessions are open`)
    const sockets = { 'through the bridge': await opened(url), 'direct, the echo': await opened(upstream) }
    const taken = { 'through the bridge': [] as number[], 'direct, the echo': [] as number[] }
    let wasQuiet = await quietMachine(settings)
    const pressures: (number | null)[] = [cpuPressure()]
    const before = await bridge.ask<State>('state')
    const begunAt = performance.now()
    for (let sample = 0; sample < SAMPLES; sample++) {
      const order =
        sample % 2 === 0
          ? (['through the bridge', 'direct, the echo'] as const)
          : (['direct, the echo', 'through the bridge'] as const)
      for (const way of order) taken[way].push(await roundTripMs(sockets[way]))
      await sleep(5)
    }
    const after = await bridge.ask<State>('state')
    const seconds = (performance.now() - begunAt) / 1_000
    pressures.push(cpuPressure())
    wasQuiet &&= pressures.every(isQuiet)
    for (const socket of Object.values(sockets)) socket.terminate()
    for (const child of children) await child.end()
    const scores: Score[] = [
      ...Object.entries(taken).map(([name, samples]) => ({
        name,
        samples,
        note: `p99 ${percentile(samples, 99).toFixed(2)} ms`,
      })),
      { name: 'sessions opened', samples: [SESSIONS] },
      { name: 'sessions relayed', samples: [after.sessions - 1] },
    ]
    const notes = [
      `added: ${(percentile(taken['through the bridge'], 50) - percentile(taken['direct, the echo'], 50)).toFixed(2)} ms in the median, ${(percentile(taken['through the bridge'], 99) - percentile(taken['direct, the echo'], 99)).toFixed(2)} ms at the 99th percentile`,
      `the bridge took ${((after.cpuMs - before.cpuMs) / seconds / 10).toFixed(1)} % of a processor and ${after.megabytes.toFixed(0)} MB for ${after.sessions} sessions and ${((2 * SESSIONS * 1_000) / EVERY_MS).toFixed(0)} frames a second`,
    ]
    return [
      outcomeOf({
        id: 'B-1',
        title: 'Round trip of 400 bytes',
        unit: 'ms',
        isMoreBetter: false,
        scores,
        goals,
        pressures,
        wasQuiet,
        notes,
      }),
    ]
  },
}
