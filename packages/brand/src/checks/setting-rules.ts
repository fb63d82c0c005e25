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

/** Names what a brand asks for and does not get. */
export const settingRules: Rule = (context: CheckContext): readonly Finding[] =>
  Object.entries(idle).flatMap(([path, { asksNothing, fix }]) => {
    if (path === 'mining.thermalPause' && minesWithScreenOff(context.brand, context.target)) return []
    const value = valueAt(context.given, parsePath(path))
    if (value === undefined || asksNothing.includes(value)) return []
    return [finding('setting-without-effect', { path, found: shown(value), fix })]
  })
