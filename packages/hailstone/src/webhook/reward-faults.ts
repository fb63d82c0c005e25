import { isNodeError, type NodeError } from '@hailstone/protocol'
import type { WebhookFaults } from './webhook-faults.ts'

/** Where what keeps rewards from being told is reported. */
export type RewardFaults = Pick<WebhookFaults, 'begin'>

/** A failure that was not repeated for this long is over: a reading that fails is tried again within half a minute. */
const OVER_AFTER_MS = 120_000

/**
 * Returns a function that reports why rewards are not read, and are read again later. What the data folder does not take
 * is reported where it is kept.
 */
export const unreadRewards =
  (faults: RewardFaults) =>
  (error: NodeError): void => {
    const isUnkept = isNodeError(error, 'CURSOR_STORE_FAILED') && error.cause !== undefined
    if (isUnkept || isNodeError(error, 'LISTENER_FAILED')) return
    const why = 'rewards cannot be read'
    const message = `Rewards cannot be read for webhooks, and are asked for again: ${error.message}`
    faults.begin('rewards', { why, message }, OVER_AFTER_MS)
  }
