import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { hostNameOf, isAnswered, isOwnHost } from './answered-hosts.ts'

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

const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))

test('knows its own names: those of this machine, the bound one and allowed ones', () => {
  const rules = { bound: 'node.example', allowed: ['Test.Example', '203.0.113.5'] }
  for (const host of ['localhost', '127.0.0.1', '::1', 'node.example', 'test.example', '203.0.113.5'])
    expect(isOwnHost(host, rules, '10.0.0.7'), host).toBe(true)
  for (const host of ['', '203.0.113.9', 'other.example', '10.0.0.7'])
    expect(isOwnHost(host, rules, '10.0.0.7'), host).toBe(false)
})

test('listening on every address its own are those of this machine and of the connection', () => {
  for (const bound of ['0.0.0.0', '::']) {
    const rules = { bound, allowed: [] }
    for (const host of addresses)
      expect(isOwnHost(host.replace(/%.*/, ''), rules, undefined), host).toBe(true)
    expect(isOwnHost('198.51.100.7', rules, '198.51.100.7')).toBe(true)
    expect(isOwnHost('198.51.100.7', rules, '::ffff:198.51.100.7')).toBe(true)
    for (const host of ['203.0.113.9', '2001:db8::9', 'evil.example', ''])
      expect(isOwnHost(host, rules, '198.51.100.7'), host).toBe(false)
  }
})

test('takes no name for its own because every name is allowed', () => {
  const rules = { bound: '0.0.0.0', allowed: ['*'] }
  for (const host of ['evil.example', '203.0.113.9']) {
    expect(isAnswered(host, rules)).toBe(true)
    expect(isOwnHost(host, rules, '198.51.100.7')).toBe(false)
  }
})
