import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { explanations } from '../src/explanations.ts'
import { isWithin } from '../src/outcome.ts'
import type { Run } from '../src/report.ts'

const { outcomes } = JSON.parse(
  readFileSync(new URL('../results/latest.json', import.meta.url), 'utf8'),
) as Run

it('explains every goal of the page that is missed', () => {
  const missed = outcomes.flatMap(({ id, goals }) =>
    goals.filter((goal) => !isWithin(goal, goal.ratio)).map(({ what }) => `${id} ${what}`),
  )
  expect(missed.length).toBeGreaterThan(0)
  const unexplained = missed.filter((name) => explanations[name] === undefined)
  expect(unexplained).toStrictEqual([])
})
