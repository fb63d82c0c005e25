import { expect, test } from 'vitest'
import { hostNameOf, isAnswered } from './answered-hosts.ts'

test.each([
  ['localhost:4410', 'localhost'],
  ['LOCALHOST.', 'localhost'],
  ['[::1]:4410', '::1'],
  ['[::1]', '::1'],
  ['127.0.0.1', '127.0.0.1'],
  ['evil.example:80', 'evil.example'],
  ['a:b:c', 'a:b:c'],
])('the name in %j is %j', (authority, name) => {
  expect(hostNameOf(authority)).toBe(name)
})

test('answers for this machine, whatever it is called there', () => {
  const rules = { bound: '127.0.0.1', allowed: [] }
  for (const host of ['localhost', 'network.localhost', '127.0.0.1', '127.9.9.9', '::1'])
    expect(isAnswered(host, rules)).toBe(true)
})

test('answers for no other name: neither a rebound one nor one that only looks like this machine', () => {
  const rules = { bound: '127.0.0.1', allowed: [] }
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '',
    'xlocalhost',
  ]
  for (const host of foreign) expect(isAnswered(host, rules)).toBe(false)
})

test('answers for the bound host and for allowed names', () => {
  expect(isAnswered('192.168.1.5', { bound: '192.168.1.5', allowed: [] })).toBe(true)
  expect(isAnswered('192.168.1.6', { bound: '192.168.1.5', allowed: [] })).toBe(false)
  expect(isAnswered('test.example', { bound: '127.0.0.1', allowed: ['Test.Example'] })).toBe(true)
  expect(isAnswered('any.example', { bound: '127.0.0.1', allowed: ['*'] })).toBe(true)
})

test('listening on every address it answers for addresses, which nobody can rebind, and for no names', () => {
  for (const bound of ['0.0.0.0', '::']) {
    expect(isAnswered('192.168.1.5', { bound, allowed: [] })).toBe(true)
    expect(isAnswered('fe80::1', { bound, allowed: [] })).toBe(true)
    expect(isAnswered('evil.example', { bound, allowed: [] })).toBe(false)
  }
})
