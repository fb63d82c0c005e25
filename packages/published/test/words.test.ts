import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/workspace.ts'

/** Files of the repository that are not generated, recorded or about the words themselves. */
const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => /\.(?:ts|tsx|mjs|cjs|js|jsx|md|css|html)$/.test(path))
  .filter(
    (path) =>
      !/^CHANGELOG\.md$|^docs\/glossary\.md$|\/(?:vectors|recorded)\/|test\/words\.test\.ts$/.test(path),
  )
  .filter((path) => existsSync(join(root, path)))
const sources = files.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Invented words and the field's words for them; docs/glossary.md has those in use. */
const invented: readonly (readonly [word: RegExp, instead: string])[] = [
  [/desk(?!top)/i, 'manager, controller, pool, actions'],
  [/\boffice\b|Office/, 'the tab that leads, its calls'],
  [/keeper/i, 'store'],
  [/crew/i, 'pool'],
  [/Patient\b|\bpatient\b|patiently/i, 'context; retries'],
  [/\bWeather\b/, 'FaultSchedule'],
  [/\btype People\b|\bSight\b|\bWishes\b/, 'accounts, observation, options'],
  [/happening(?!s to\b)/i, 'input'],
  [/\bTold\b|[a-z]Told\b|\b(?:const|let) told\b/, 'notification, reported'],
  [/[a-z]Standing\b|\bStanding[s]?\b|(?:gateway|node)-standing/, 'score, status, stake'],
  [/\btwins?\b|[a-z]Twin|twin[A-Z]/i, 'malleated copy, malleatedHash'],
  [/pursu(?:e|it)/i, 'track'],
  [/obey/i, 'act on, stop'],
  [/\bremembering\b/, 'withMemory, with'],
  [/oneAfterTheOther|one-after-the-other/, 'serialQueue'],
  [/\b(?:MOST|LEAST)_[A-Z]|\b(?:most|least|fewest)[A-Z][a-zA-Z]+(?=[:?])/, 'MAX_, MIN_'],
  [/\bway out\b/, 'unsubscribe function; undelegated'],
  [/PATIENCE/, 'TIMEOUT_MS, …_AFTER'],
  [/house-?miner/i, 'fallbackMiner'],
  [/payment-?book|unknown-?payments/i, 'payment store, untracked payments'],
  [/\bdoors?\b|[a-z]Door\b|openDoor/i, 'listener, diagnostics'],
  [/crowd(?!ed)|turnstile/i, 'connection limit, reorder gate'],
  [/SessionFact|onFact/, 'SessionEvent, onEvent'],
]

/** Lines that use such a word as the language does. */
const allowed: readonly RegExp[] = [
  // The key of an account is derived from this name.
  /named\('house miner'\)/,
]

const linesWith = (word: RegExp): readonly string[] =>
  sources.flatMap(({ path, text }) => [
    ...(word.test(path) ? [path] : []),
    ...text
      .split('\n')
      .flatMap((line, at) =>
        word.test(line) && !allowed.some((one) => one.test(line))
          ? [`${path}:${at + 1}: ${line.trim()}`]
          : [],
      ),
  ])

describe('the words of the project', () => {
  it.each(invented)('has no %s: say %s', (word) => {
    expect(linesWith(word)).toStrictEqual([])
  })
})

describe('docstrings', () => {
  const code = sources.filter(({ path }) => /\.(?:ts|tsx|mjs)$/.test(path))

  it('begin with a verb or a noun, not with What, Whether, How or Who', () => {
    const wrong = code.flatMap(({ path, text }) =>
      [...text.matchAll(/\/\*\*[\s*]*(What|Whether|How|Who|Whom|Whose)\b[^\n]*/g)].map(
        ({ 0: line, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${line}`,
      ),
    )
    expect(wrong).toStrictEqual([])
  })
})
