import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explanations } from '../src/explanations.ts'
import { outcomeOf } from '../src/outcome.ts'
import { pageText, type Run } from '../src/report.ts'

const page = readFileSync(new URL('../BENCHMARKS.md', import.meta.url), 'utf8')

const machine = { cpu: 'a processor', cores: 2, node: 'v24.0.0', system: 'Linux' }
const runOf = (ids: readonly string[], ofAll: number): Run => ({
  at: '2030-01-02T03:04:05.000Z',
  machine,
  outcomes: ids.map((id) =>
    outcomeOf({
      id,
      title: `Title of ${id}`,
      unit: 'ms',
      isMoreBetter: false,
      scores: [{ name: 'ours', samples: [ofAll, ofAll, ofAll] }],
      goals: [],
      pressures: [1],
      wasQuiet: true,
    }),
  ),
})
const headingsIn = (text: string): readonly string[] => text.match(/^### .*$/gm) ?? []

describe('the page', () => {
  it('has what was measured now in place of what was measured before, and the rest as it was', () => {
    const before = pageText(runOf(['P-1', 'P-2', 'P-10'], 3))
    const after = pageText(runOf(['P-2'], 5), before)
    expect(headingsIn(after)).toStrictEqual(headingsIn(before))
    expect(after.match(/[35]\.00 ms/g)).toStrictEqual(['3.00 ms', '5.00 ms', '3.00 ms'])
    expect(pageText(runOf(['P-2'], 3), before)).toBe(before)
  })

  it('has a new benchmark in the order of the numbers', () => {
    const after = pageText(runOf(['N-3', 'P-3'], 5), pageText(runOf(['P-2', 'P-10'], 3)))
    expect(headingsIn(after).map((heading) => heading.split(' ')[1])).toStrictEqual([
      'N-3',
      'P-2',
      'P-3',
      'P-10',
    ])
  })

  it('that is kept is written anew without a change of its sections', () => {
    const [, ...sections] = page.split(/^(?=### )/m)
    const [, ...again] = pageText(runOf([], 1), page).split(/^(?=### )/m)
    expect(again).toStrictEqual(sections)
    expect(sections.length).toBeGreaterThan(15)
  })
})

it('every goal of the kept page that is missed has its explanation there', () => {
  const missed = page.split(/^### /m).flatMap((section) => {
    const id = section.split(' ', 1)[0] ?? ''
    return [...section.matchAll(/^\| (.+?) \| .+ \| \*\*missed\*\* \|$/gm)].map(([, what = '']) => ({
      section,
      what,
      explanation: explanations[`${id} ${what}`],
    }))
  })
  expect(missed.length).toBeGreaterThan(0)
  const unexplained = missed.filter(
    ({ section, what, explanation }) => !section.includes(`\n- *${what}*: ${explanation}\n`),
  )
  expect(unexplained.map(({ what }) => what)).toStrictEqual([])
})
