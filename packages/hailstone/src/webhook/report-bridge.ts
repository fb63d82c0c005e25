import type { Bridge, BridgeHealth } from '@hailstone/mining-node/bridge'
import type { Webhooks } from './open-webhooks.ts'
import { openReportedState } from './reported-state.ts'

const LOOK_EVERY_MS = 1_000

/** Reasons for which a bridge lets nobody in, with what helps. */
const troubles = {
  gateway_failed: ['GATEWAY_FAILED', 'No gateway answers.', 'Look at the gateways of --upstream.'],
  full: ['BRIDGE_FULL', 'It bears no more sessions.', 'Raise --max-sessions, or start another bridge.'],
} as const

type Trouble = keyof typeof troubles
const names = Object.keys(troubles) as readonly Trouble[]

/** Reports of a bridge, until they are stopped. */
export type BridgeReports = {
  /** Stores the event `stopped` and sends no further reports. Resolves once all events are on disk. */
  readonly stop: () => Promise<void>
}

type Admitted = Pick<BridgeHealth, 'opened' | 'refused'>

/**
 * Returns the trouble between two looks: since the first one somebody was turned away and nobody let in. What was before
 * stays while nobody comes.
 */
export function troubleSince(before: Admitted, now: Admitted, last: Trouble | null): Trouble | null {
  if (now.opened > before.opened) return null
  return names.find((name) => (now.refused[name] ?? 0) > (before.refused[name] ?? 0)) ?? last
}

/**
 * Turns what happens to a bridge into events for webhooks: that it lets pages in, that it turns all of them away for 20 s,
 * that it ended. Each is told once, also when the process was killed in between.
 */
export function reportBridge(
  webhooks: Pick<Webhooks, 'store' | 'outbox' | 'isWanted'>,
  bridge: Pick<Bridge, 'url' | 'health'>,
): BridgeReports {
  const state = openReportedState({ ...webhooks, owner: 'bridge' })
  let [before, trouble]: [BridgeHealth, Trouble | null] = [bridge.health(), null]
  const facts = () => ({ address: null, url: bridge.url, sessions: bridge.health().sessions })

  function look(): void {
    const now = bridge.health()
    trouble = troubleSince(before, now, trouble)
    before = now
    const [code, why, nextStep] = trouble === null ? ['READY', '', ''] : troubles[trouble]
    const whenNotReady = { ...facts(), code, why, nextStep }
    void state.inTurn(() =>
      state.lookAtReadiness({ isReady: code === 'READY', whenReady: { ...facts(), code }, whenNotReady }),
    )
  }
  look()
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    stop: async () => {
      clearInterval(timer)
      const why = 'It was asked to end.'
      await state.inTurn(() =>
        state.change('stopped', { ...facts(), reason: 'requested', why }, { readiness: null }),
      )
    },
  }
}
