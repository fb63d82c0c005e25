import type { Chance } from '../run/chance.ts'

/** Fault of one request; `none` is drawn if no other is. */
export type HttpFault =
  | 'none'
  /** Connection refused; nothing was sent. */
  | 'refused'
  /** Reset before the request arrived. */
  | 'request lost'
  /** Reset before the answer arrived; the request was executed. */
  | 'answer lost'
  /** No answer; the request was not executed. */
  | 'silence'
  /** No answer; the request was executed. */
  | 'silence after'
  /** Arrives long after the client gave up. */
  | 'late'
  /** Arrives twice. */
  | 'twice'
  | 'busy'
  | 'rate limit'
  | 'error page'
  | 'portal'
  | 'cut'
  | 'garbled'
  | 'wrong shape'
  /** Answered after seconds. */
  | 'slow'

export type HttpFaultRates = { readonly [F in Exclude<HttpFault, 'none'>]?: number }

export const NO_FAULTS: HttpFaultRates = {}

const faults = [
  'refused',
  'request lost',
  'answer lost',
  'silence',
  'silence after',
  'late',
  'twice',
  'busy',
  'rate limit',
  'error page',
  'portal',
  'cut',
  'garbled',
  'wrong shape',
  'slow',
] as const satisfies readonly HttpFault[]

/**
 * Draws the fault rates of a run; most runs have few kinds of faults.
 *
 * @param limits of which one is the highest rate of each kind
 */
export function drawFaultRates(
  chance: Chance,
  limits: readonly [number, ...number[]] = [0, 0.02, 0.08, 0.2],
): HttpFaultRates {
  const most = chance.pick(limits)
  const share = chance.pick([0.1, 0.3, 0.7])
  const faultRates: { [F in Exclude<HttpFault, 'none'>]?: number } = {}
  for (const fault of faults) if (chance.is(share)) faultRates[fault] = chance.next() * most
  return faultRates
}

export function drawFault(chance: Chance, faultRates: HttpFaultRates): HttpFault {
  let draw = chance.next()
  for (const fault of faults) {
    draw -= faultRates[fault] ?? 0
    if (draw < 0) return fault
  }
  return 'none'
}
