import { expect, it } from 'vitest'
import { misspeltName } from './misspelt-name.ts'

const names = { apiUrl: true, timeoutMs: true, retry: true, onReward: true } as const

it.each([
  [{ apiURL: '' }, 'apiURL', 'apiUrl'],
  [{ apiUrl: '', timeout: 1 }, 'timeout', 'timeoutMs'],
  [{ onRewards: 1 }, 'onRewards', 'onReward'],
])('finds the setting that was meant: %j', (settings, found, meant) => {
  expect(misspeltName(settings, names)).toStrictEqual({ found, meant })
})

it.each([
  ['names that are right', { apiUrl: '', retry: {} }],
  ['names of the program', { webhook: '', port: 1, toString: 1 }],
  ['short names', { api: '' }],
  ['inherited names', Object.create({ apiURL: '' })],
])('passes over %s', (_, settings) => {
  expect(misspeltName(settings, names)).toBeUndefined()
})
