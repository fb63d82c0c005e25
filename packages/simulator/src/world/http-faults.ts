import type { Chance } from '../run/chance.ts'

/** What can happen to one request. `none` is drawn where nothing else is. */
export type HttpFault =
  | 'none'
  /** Nobody listens: nothing of it left. */
  | 'refused'
  /** Reset on the way there. */
  | 'request lost'
  /** Reset on the way back: what was asked for has happened. */
  | 'answer lost'
  /** Nothing comes, and nothing happened. */
  | 'silence'
  /** Nothing comes, and what was asked for happened. */
  | 'silence after'
  /** It arrives long after the client gave up. */
  | 'late'
  /** It arrives twice. */
  | 'twice'
  | 'busy'
  | 'rate limit'
  | 'error page'
  | 'portal'
  | 'cut'
  | 'garbled'
  | 'wrong shape'
  /** The answer takes seconds. */
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

/** A run knows some kinds of trouble, each as often as it pleases; many runs know few. */
export function drawFaultRates(chance: Chance): HttpFaultRates {
  const most = chance.pick([0, 0.02, 0.08, 0.2])
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
