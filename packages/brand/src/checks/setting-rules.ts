import { type Finding, finding, shown } from '../findings/finding.ts'
import { parsePath, valueAt } from '../layers/path.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { CheckContext, Rule, Target } from './check-context.ts'

/** Settings of the schema that this version of the app reads and ignores, with the values that ask for nothing. */
const idle: Readonly<Record<string, { readonly asksNothing: readonly unknown[]; readonly fix: string }>> = {
  'mining.thermalPause': {
    asksNothing: [false],
    fix: 'Remove it: no browser tells its temperature, only a package for Android that mines with the screen off does.',
  },
  'update.source': {
    asksNothing: ['none'],
    fix: 'Remove it: the app finds a new build at its own address.',
  },
  'update.url': { asksNothing: [], fix: 'Remove it: the app finds a new build at its own address.' },
  'update.mode': { asksNothing: ['prompt'], fix: 'Remove it: the app asks before it takes a new build.' },
}

/** Paths of the settings that change nothing in this version. */
export const idleSettings: readonly string[] = Object.keys(idle)

/** True if a build for a target has the service that mines with the screen off, and that knows how hot the device is. */
const minesWithScreenOff = ({ mining }: Pick<ResolvedBrand, 'mining'>, target: Target): boolean =>
  target === 'android' && mining.enabled && mining.screenOff === 'offer'

type Combination = {
  readonly path: string
  /** True if another setting takes this one its effect. */
  readonly isIdle: (brand: ResolvedBrand) => boolean
  readonly fix: string
}

/** Settings that have an effect only beside others. */
const combinations: readonly Combination[] = [
  {
    path: 'security.autoLockMin',
    isIdle: ({ security }) => security.lock !== 'always',
    fix: 'Remove it, or set security.lock to always: no other lock closes the app.',
  },
  {
    path: 'referral.defaultAgent',
    isIdle: ({ referral }) => !referral.enabled,
    fix: 'Remove it, or set referral.enabled to true: without invitations nobody has an agent.',
  },
  {
    path: 'links.buy',
    isIdle: ({ features, links }) => !features.buy && links.buy.length > 0,
    fix: 'Remove it, or set features.buy to true: the app shows no places to buy.',
  },
  {
    path: 'mining.quietHours',
    isIdle: ({ mining }) => mining.enabled && isWholeDay(mining.quietHours ?? []),
    fix: 'Leave a time of the day to mine, or set mining.enabled to false: the app would never mine.',
  },
]

const MINUTES_PER_DAY = 1_440

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** True if every minute of the day lies in a span; a span may end on the next day. */
const isWholeDay = (spans: readonly { readonly from: string; readonly to: string }[]): boolean => {
  const isQuiet = (minute: number): boolean =>
    spans.some((span) => {
      const [from, to] = [minutesOf(span.from), minutesOf(span.to)]
      return from < to ? minute >= from && minute < to : from > to && (minute >= from || minute < to)
    })
  return Array.from({ length: MINUTES_PER_DAY }, (_, minute) => minute).every(isQuiet)
}

/** Names what a brand asks for and does not get. */
export const settingRules: Rule = (context: CheckContext): readonly Finding[] => [
  ...idleFindings(context),
  ...combinations.flatMap(({ path, isIdle, fix }) => {
    const value = valueAt(context.given, parsePath(path))
    if (value === undefined || value === null || !isIdle(context.brand)) return []
    return [finding('setting-without-effect', { path, found: shown(value), fix })]
  }),
]

const idleFindings = (context: CheckContext): readonly Finding[] =>
  Object.entries(idle).flatMap(([path, { asksNothing, fix }]) => {
    if (path === 'mining.thermalPause' && minesWithScreenOff(context.brand, context.target)) return []
    const value = valueAt(context.given, parsePath(path))
    if (value === undefined || asksNothing.includes(value)) return []
    return [finding('setting-without-effect', { path, found: shown(value), fix })]
  })
