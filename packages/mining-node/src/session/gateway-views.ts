import { faultsAt } from './gateway-score.ts'
import type { Session } from './state.ts'

/** One of several gateways as the session sees it. */
export type GatewayView = {
  /** `ws:` or `wss:` address. */
  readonly url: string
  /** Fault score, decaying; 0 without faults. */
  readonly faults: number
  /** True for the gateway that the session is at. */
  readonly isInUse: boolean
}

/** Returns the gateways of a session in the order of its settings. */
export const gatewayViews = ({ memory }: Session, now: number): readonly GatewayView[] =>
  memory.gateways.map((score) => ({
    url: score.url,
    faults: Math.round(faultsAt(score, now) * 10) / 10,
    isInUse: score.url === memory.gatewayUrl,
  }))
