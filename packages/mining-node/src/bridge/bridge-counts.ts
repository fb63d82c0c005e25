import type { RawData } from 'ws'
import { type Metric, metricsText } from '../health/metrics-text.ts'
import type { BridgeRefusal } from './admission.ts'

type Direction = 'to_gateway' | 'to_client'
type Side = 'client' | 'gateway'

/** Counters of a bridge since it started. */
export type BridgeCounts = {
  readonly opened: () => void
  readonly refused: (why: BridgeRefusal) => void
  readonly frame: (direction: Direction, data: RawData) => void
  readonly silent: (side: Side) => void
  readonly read: () => { readonly opened: number; readonly refused: Readonly<Record<string, number>> }
  readonly metrics: (now: BridgeNow) => string
}

/** Current state of a bridge. */
type BridgeNow = {
  readonly sessions: number
  readonly isDraining: boolean
  readonly uptimeMs: number
  /** Gateways that did not answer the last time. */
  readonly failing: number
}

/** Each counter is there from the start: an increase from nothing is none to Prometheus. */
const NONE_REFUSED: Readonly<Record<BridgeRefusal, number>> = {
  draining: 0,
  origin: 0,
  full: 0,
  address_full: 0,
  too_often: 0,
  unknown_gateway: 0,
  gateway_failed: 0,
}

const sizeOf = (data: RawData): number =>
  Array.isArray(data) ? data.reduce((sum, { byteLength }) => sum + byteLength, 0) : data.byteLength

export function createBridgeCounts(): BridgeCounts {
  let opened = 0
  const refused: Record<string, number> = {}
  const silent = { client: 0, gateway: 0 }
  const frames = { to_gateway: 0, to_client: 0 }
  const bytes = { to_gateway: 0, to_client: 0 }
  const by = (label: string, values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))

  const metrics = ({ sessions, isDraining, uptimeMs, failing }: BridgeNow): string => {
    const all: readonly Metric[] = [
      {
        name: 'hailstone_bridge_sessions',
        type: 'gauge',
        help: 'Sessions that are relayed now.',
        samples: [{ value: sessions }],
      },
      {
        name: 'hailstone_bridge_sessions_total',
        type: 'counter',
        help: 'Sessions that were opened.',
        samples: [{ value: opened }],
      },
      {
        name: 'hailstone_bridge_refused_total',
        type: 'counter',
        help: 'Sessions that were not opened, by reason.',
        samples: by('reason', { ...NONE_REFUSED, ...refused }),
      },
      {
        name: 'hailstone_bridge_silent_total',
        type: 'counter',
        help: 'Sessions given up because a side fell silent.',
        samples: by('side', silent),
      },
      {
        name: 'hailstone_bridge_frames_total',
        type: 'counter',
        help: 'Frames that came in.',
        samples: by('direction', frames),
      },
      {
        name: 'hailstone_bridge_bytes_total',
        type: 'counter',
        help: 'Bytes of these frames.',
        samples: by('direction', bytes),
      },
      {
        name: 'hailstone_bridge_draining',
        type: 'gauge',
        help: '1 while it lets nobody in and waits for the end.',
        samples: [{ value: isDraining ? 1 : 0 }],
      },
      {
        name: 'hailstone_bridge_failing_gateways',
        type: 'gauge',
        help: 'Gateways that did not answer the last time.',
        samples: [{ value: failing }],
      },
      {
        name: 'hailstone_uptime_seconds',
        type: 'gauge',
        help: 'Since the start of the process.',
        samples: [{ value: uptimeMs / 1_000 }],
      },
    ]
    return metricsText(all)
  }

  return {
    opened: () => {
      opened++
    },
    refused: (why) => {
      refused[why] = (refused[why] ?? 0) + 1
    },
    frame: (direction, data) => {
      frames[direction]++
      bytes[direction] += sizeOf(data)
    },
    silent: (side) => {
      silent[side]++
    },
    read: () => ({ opened, refused: { ...refused } }),
    metrics,
  }
}
