import { setTimeout } from 'node:timers/promises'
import type { Follower } from './open-follower.ts'

const POLL_MS = 2000

/** Reads what is new every two seconds until the signal; a failure is shown on the page and tried again. */
export async function follow(follower: Follower, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await follower.catchUp().catch(() => {})
    await setTimeout(POLL_MS, undefined, { signal }).catch(() => {})
  }
}
