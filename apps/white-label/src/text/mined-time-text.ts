import type { MinedTime } from '../engine/mined-time.ts'
import type { Texts } from '../i18n/texts.ts'
import { durationText } from './time-text.ts'

/** Less than this, in ms, is what a start and a change of the connection take. */
const UNMENTIONED_MS = 60_000
/** Each new text is a frame to draw. */
const STEP_MS = 5_000

/** Says how long mining was wanted, and how much of it was mined if the browser or the network took more than a minute. */
export function minedTimeText(
  { openMs, minedMs, atMs, isMining }: MinedTime,
  nowMs: number,
  { text, language }: Texts,
): string {
  const sinceMs = Math.max(0, nowMs - atMs)
  const inSteps = (ms: number): string => durationText(ms - (ms % STEP_MS), language)
  const open = inSteps(openMs + sinceMs)
  if (openMs - minedMs + (isMining ? 0 : sinceMs) < UNMENTIONED_MS) return open
  return text('mine.openAndMined', {
    open,
    mined: inSteps(minedMs + (isMining ? sinceMs : 0)),
  })
}
