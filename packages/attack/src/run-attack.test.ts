import { expect, test } from 'vitest'
import { type Attack, isKept } from './attack.ts'
import { attacks } from './attacks/index.ts'
import { isOutcomeKept, summaryOf, tableOf } from './report.ts'
import { runAttack } from './run-attack.ts'

const given = {
  seconds: 1,
  say: () => {},
  limitMs: 60_000,
  interrupted: new AbortController().signal,
}
const attackThat = (run: Attack['run']): Attack => ({ name: 'one', row: 'A-0', what: '', run })

test('each attack has a name and a row of its own kind, and no two have one name', () => {
  const names = attacks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, row } of attacks) expect([name, row].join(' ')).toMatch(/^[a-z0-9-]+ [AS]-\d+$/)
})

test('a bound is kept from either side, and never by what could not be measured', () => {
  const figure = { name: 'x', unit: 'ms' }
  expect(isKept({ ...figure, value: 5, atMost: 5 })).toBe(true)
  expect(isKept({ ...figure, value: 5.1, atMost: 5 })).toBe(false)
  expect(isKept({ ...figure, value: 4, atLeast: 5 })).toBe(false)
  expect(isKept({ ...figure, value: Number.NaN, atLeast: 5 })).toBe(false)
  expect(isKept({ ...figure, value: Number.NaN })).toBe(true)
})

test('clean-ups run when an attack ends, the last one first, also after a failure', async () => {
  const ended: string[] = []
  const outcome = await runAttack(
    attackThat(async ({ onEnd }) => {
      onEnd(() => ended.push('first'))
      onEnd(() => Promise.reject(new Error('a clean-up that fails')))
      onEnd(() => ended.push('last'))
      throw new Error('the network did not start')
    }),
    given,
  )
  expect(ended).toEqual(['last', 'first'])
  expect(outcome.error).toBe('the network did not start')
  expect(isOutcomeKept(outcome)).toBe(false)
})

test('an attack that does not end is given up, and counts as broken', async () => {
  const outcome = await runAttack(
    attackThat(() => new Promise(() => {})),
    { ...given, limitMs: 10 },
  )
  expect(outcome.error).toMatch(/not over within/)
  expect(summaryOf([outcome])).toContain('BROKEN')
})

test('the table names the figure that broke its bound', async () => {
  const figures = [
    { name: 'API p99', value: 1500.04, unit: 'ms', atMost: 1000 },
    { name: 'loop lag', value: 3, unit: 'ms' },
  ]
  const outcome = await runAttack(
    attackThat(async () => figures),
    given,
  )
  expect(tableOf(outcome)).toMatch(/API p99 +1500\.0 ms +≤ 1000 ms +BROKEN/)
  expect(summaryOf([outcome])).toMatch(/A-0 +one +BROKEN: API p99/)
})
