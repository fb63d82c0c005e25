import { createHash } from 'node:crypto'
import type { AlertEvent } from './next-alert.ts'

/** The same event has the same id for the same receiver, however often it is sent. */
export const deliveryId = (...identity: readonly (string | number)[]): string =>
  `evt-${createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)}`

export type EventFacts = {
  readonly event: AlertEvent | 'test'
  readonly rule: {
    readonly id: string
    readonly kind: string
    readonly name: string
    readonly threshold: number
    readonly minutes: number
    readonly episode: number
    readonly value: number | null
  }
  readonly token: { readonly id: string; readonly symbol: string }
  readonly tip: { readonly height: number; readonly hash: string } | null
  readonly sinceMs: number | null
  readonly nowMs: number
}

const types = {
  started: 'alertStarted',
  ended: 'alertEnded',
  withdrawn: 'alertWithdrawn',
  test: 'alertTest',
} as const

/** Returns the JSON that a receiver gets. */
export function writeEvent({ event, rule, token, tip, sinceMs, nowMs }: EventFacts): string {
  const { id, kind, name, value, threshold, minutes, episode } = rule
  return JSON.stringify({
    type: types[event],
    timestamp: new Date(nowMs).toISOString(),
    data: {
      isTest: event === 'test',
      // JSON has no infinite number.
      ...{ alert: id, kind, name, value, isEndless: value === Number.POSITIVE_INFINITY },
      ...{ threshold, minutes, episode },
      since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
      ...{
        token: { id: token.id, symbol: token.symbol },
        height: tip?.height ?? null,
        hash: tip?.hash ?? null,
      },
    },
  })
}

type Written = {
  readonly type: string
  readonly timestamp: string
  readonly data: Pick<EventFacts['rule'], 'name' | 'kind' | 'value' | 'threshold'> & {
    /** Not in messages that were written before it was known. */
    readonly isEndless?: boolean
    readonly token: { readonly symbol: string }
    readonly since: string | null
    readonly height: number | null
  }
}

const titles: Readonly<Record<string, string>> = {
  alertStarted: 'Alert started',
  alertEnded: 'Alert ended',
  alertWithdrawn: 'Alert withdrawn: the chain went back',
  alertTest: 'Test of an alert',
}

/** Returns subject and text of the mail about an event, from the JSON that a webhook has. */
export function mailOf(body: string): { readonly subject: string; readonly text: string } {
  const { type, timestamp, data } = JSON.parse(body) as Written
  const title = titles[type] ?? type
  const lines = [
    `${title}: ${data.name}`,
    '',
    `Token: ${data.token.symbol}`,
    `Kind: ${data.kind}`,
    `Value: ${data.value ?? (data.isEndless === true ? 'no end' : 'not known')}`,
    `Threshold: ${data.threshold}`,
    `Since: ${data.since ?? 'not known'}`,
    `Height: ${data.height ?? 'not known'}`,
    `Time of this message: ${timestamp}`,
  ]
  return { subject: `[${data.token.symbol}] ${title}: ${data.name}`, text: `${lines.join('\n')}\n` }
}
