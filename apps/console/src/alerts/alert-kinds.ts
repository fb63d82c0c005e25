import { emissionForecast } from '../figures/emission.ts'
import type { FigureContext } from '../figures/figure.ts'
import { type HealthValues, healthValues } from '../figures/health.ts'
import { fallOfMiners } from '../figures/hours.ts'
import type { ChainStatus } from '../open-follower.ts'

export type AlertKindName =
  | 'minersFell'
  | 'notMined'
  | 'chainStill'
  | 'indexBehind'
  | 'ownerFees'
  | 'emissionEnds'
  | 'topShare'
  | 'rejectedShare'
  | 'unexplained'

export type AlertUnit = 'percent' | 'minutes' | 'days' | 'count'

export type AlertKind = {
  readonly title: string
  /** Sentence about the value, for people. */
  readonly summary: string
  readonly unit: AlertUnit
  /** True if values from the threshold on are bad; false if values down to it are. */
  readonly isUpper: boolean
  readonly threshold: number
  /** Minutes for which a value has to be bad before it is an alert. */
  readonly minutes: number
  /** Returns the value that page, API and export show: infinite for days without an end, null if it is not known. */
  readonly measure: (context: FigureContext, status: ChainStatus) => Promise<number | null>
}

const known = new WeakMap<FigureContext, Promise<HealthValues>>()

/** Several rules of one look share the values. */
function healthOf(context: FigureContext): Promise<HealthValues> {
  const values = known.get(context) ?? healthValues(context)
  known.set(context, values)
  return values
}

export const alertKinds: Readonly<Record<AlertKindName, AlertKind>> = {
  minersFell: {
    title: 'Fewer miners',
    summary: 'Per cent by which the newest whole hour has fewer miners than the same hour of 7 days.',
    ...{ unit: 'percent', isUpper: true, threshold: 50, minutes: 0 },
    measure: fallOfMiners,
  },
  notMined: {
    title: 'Token not mined',
    summary: 'Minutes of the chain since a macroblock with the token.',
    ...{ unit: 'minutes', isUpper: true, threshold: 60, minutes: 0 },
    measure: async (context) => (await healthOf(context)).minutesNotMined,
  },
  chainStill: {
    title: 'No macroblock',
    summary: 'Minutes since the newest macroblock of the tables.',
    ...{ unit: 'minutes', isUpper: true, threshold: 10, minutes: 0 },
    measure: async ({ tipAgeSeconds }) => (tipAgeSeconds === null ? null : Math.floor(tipAgeSeconds / 60)),
  },
  indexBehind: {
    title: 'Index does not follow',
    summary: '1 while the index does not follow the chain: the API is behind, away or says what cannot be.',
    ...{ unit: 'count', isUpper: true, threshold: 1, minutes: 5 },
    measure: async (_, { state }) => (state === 'following' ? 0 : 1),
  },
  ownerFees: {
    title: 'Fees of the owner',
    summary: 'Days that the native coins of the owner last, who pays a fee for each transfer.',
    ...{ unit: 'days', isUpper: false, threshold: 7, minutes: 0 },
    measure: async (context) => (await healthOf(context)).ownerDays,
  },
  emissionEnds: {
    title: 'Emission ends',
    summary: 'Days until nothing is left to be mined, at the rate of 7 days.',
    ...{ unit: 'days', isUpper: false, threshold: 30, minutes: 0 },
    measure: async (context) => (await emissionForecast(context)).daysOfWeek,
  },
  topShare: {
    title: 'Share of the largest holder',
    summary: 'Per cent of the supply that one account has.',
    ...{ unit: 'percent', isUpper: true, threshold: 50, minutes: 0 },
    measure: async (context) => (await healthOf(context)).shares[0],
  },
  rejectedShare: {
    title: 'Rejected transfers',
    summary: 'Per cent of the transfers in the newest 240 macroblocks.',
    ...{ unit: 'percent', isUpper: true, threshold: 20, minutes: 0 },
    measure: async (context) => (await healthOf(context)).rejectedOfNewest,
  },
  unexplained: {
    title: 'Unexplained amounts',
    summary: 'Amounts of the newest 240 macroblocks that are not as computed.',
    ...{ unit: 'count', isUpper: true, threshold: 1, minutes: 0 },
    measure: async (context) => (await healthOf(context)).unexplainedOfNewest,
  },
}

export const alertKindNames = Object.keys(alertKinds) as readonly AlertKindName[]
