import { type Finding, finding, shown } from '../findings/finding.ts'
import { parsePath, valueAt } from '../layers/path.ts'
import type { CheckContext, Rule } from './check-context.ts'

/** Settings of the schema that this version of the app reads and ignores, with the values that ask for nothing. */
const idle: Readonly<Record<string, { readonly asksNothing: readonly unknown[]; readonly fix: string }>> = {
  'features.multiAccount': { asksNothing: [false], fix: 'Remove it: the app has one account.' },
  'mining.thermalPause': { asksNothing: [false], fix: 'Remove it: no browser tells its temperature.' },
  'update.source': {
    asksNothing: ['none'],
    fix: 'Remove it: the app finds a new build at its own address.',
  },
  'update.url': { asksNothing: [], fix: 'Remove it: the app finds a new build at its own address.' },
  'update.mode': { asksNothing: ['prompt'], fix: 'Remove it: the app asks before it takes a new build.' },
}

/** Paths of the settings that change nothing in this version. */
export const idleSettings: readonly string[] = Object.keys(idle)

/** Names what a brand asks for and does not get. */
export const settingRules: Rule = ({ given }: CheckContext): readonly Finding[] =>
  Object.entries(idle).flatMap(([path, { asksNothing, fix }]) => {
    const value = valueAt(given, parsePath(path))
    if (value === undefined || asksNothing.includes(value)) return []
    return [finding('setting-without-effect', { path, found: shown(value), fix })]
  })
