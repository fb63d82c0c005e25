import { expect, it } from 'vitest'
import { type SettingKinds, type WrongSetting, wrongSetting } from './wrong-setting.ts'

type Settings = {
  readonly timeoutMs?: number | undefined
  readonly count?: number
  readonly isOpen?: boolean
  readonly onError?: (error: unknown) => void
  readonly urls?: readonly string[]
  readonly signal?: AbortSignal
  readonly amount?: bigint
  readonly memo?: string
  readonly clock?: object
}
const kinds: SettingKinds<Settings> = {
  timeoutMs: 'number',
  count: 'number',
  isOpen: 'boolean',
  onError: 'function',
  urls: 'list',
  signal: 'signal',
  amount: 'bigint',
  memo: 'string',
  clock: true,
}

const wrongIn = (settings: object): WrongSetting | undefined =>
  wrongSetting({ of: 'of open', settings, kinds, within: 'retry.' })

it('takes right values, those that are left to their defaults, and those that others check', () => {
  const { signal } = new AbortController()
  const right = { timeoutMs: 5, isOpen: false, onError: () => undefined, urls: [], signal, amount: 5n }
  expect(wrongIn({ ...right, memo: '', count: undefined, clock: 5 })).toBeUndefined()
  expect(wrongIn({})).toBeUndefined()
  expect(wrongSetting({ of: 'of open', settings: null, kinds })).toBeUndefined()
})

it.each([
  [{ timeoutMs: '5' }, 'a number of milliseconds'],
  [{ timeoutMs: null }, 'a number of milliseconds'],
  [{ count: Number.NaN }, 'a number'],
  [{ isOpen: 'false' }, 'true or false'],
  [{ onError: 'log' }, 'a function'],
  [{ urls: 'http://127.0.0.1' }, 'a list'],
  [{ signal: {} }, 'the signal of an AbortController'],
  [{ amount: 5 }, "a bigint, such as 25n or parseAmount('25', token)"],
  [{ memo: 5 }, 'a text'],
])('names what is wrong in %j', (settings, expected) => {
  const [[name, found] = []] = Object.entries(settings)
  expect(wrongIn(settings)).toStrictEqual({ name: `retry.${name}`, expected, found })
})

it.each([
  [{ timeoutMS: 5 }, 'timeoutMS', 'timeoutMs'],
  [{ memo: '', timeout: 1 }, 'timeout', 'timeoutMs'],
  [{ onErrors: 1 }, 'onErrors', 'onError'],
])('finds the setting that was meant: %j', (settings, found, meant) => {
  expect(wrongIn(settings)).toStrictEqual({ name: 'of open', expected: `named ${meant}`, found })
})

it.each([
  ['names of the program', { webhook: '', port: 1, toString: 1 }],
  ['short names', { mem: '' }],
  ['inherited names', Object.create({ timeoutMS: '' })],
])('passes over %s', (_, settings) => {
  expect(wrongIn(settings)).toBeUndefined()
})
