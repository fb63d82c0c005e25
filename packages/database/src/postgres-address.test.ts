import { isNodeError } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { hasPassword, parsePostgresHosts, postgresAddress, withSchema } from './postgres-address.ts'

const codeOf = (url: string): unknown => {
  try {
    return parsePostgresHosts(url)
  } catch (error) {
    return isNodeError(error) ? error.code : error
  }
}

test('shows where a database is, and no password of it, wherever it stands', () => {
  expect(postgresAddress('postgres://user:secret@db.example:5433/chain')).toBe(
    'postgres://user@db.example:5433/chain',
  )
  expect(postgresAddress('postgresql://db.example/chain?user=a&password=secret')).toBe(
    'postgresql://db.example/chain',
  )
  expect(postgresAddress('postgres://user:secret@a:5433,b,[::1]:5434/chain?sslmode=require')).toBe(
    'postgres://user@a:5433,b,[::1]:5434/chain',
  )
})

test('one address for each host, with user, database and all settings but the one that is ours', () => {
  expect(
    parsePostgresHosts(
      'postgres://u:p%40q@a:5433,b,[::1]:5434/n?target_session_attrs=read-write&sslmode=require',
    ),
  ).toStrictEqual({
    urls: ['a:5433', 'b', '[::1]:5434'].map((host) => `postgres://u:p%40q@${host}/n?sslmode=require`),
    mustTakeWrites: true,
  })
})

test('a socket of this machine, and a password with an @, are addresses of one host', () => {
  const socket = 'postgres:///n?host=%2Fvar%2Frun%2Fpostgresql'
  expect(parsePostgresHosts(socket).urls).toStrictEqual([socket])
  expect(parsePostgresHosts('postgres://u:p@ss@a,b/n').urls).toStrictEqual([
    'postgres://u:p@ss@a/n',
    'postgres://u:p@ss@b/n',
  ])
})

test('of several hosts one that takes writes is looked for; of a single one only where the address says so', () => {
  const mustTakeWrites = (url: string) => parsePostgresHosts(url).mustTakeWrites
  expect(mustTakeWrites('postgres://a,b/n')).toBe(true)
  expect(mustTakeWrites('postgres://a,b/n?target_session_attrs=any')).toBe(false)
  expect(mustTakeWrites('postgres://a/n')).toBe(false)
  expect(mustTakeWrites('postgres://a/n?target_session_attrs=primary')).toBe(true)
})

test.each([
  'mysql://a/n',
  'postgres://a,,b/n',
  'postgres://,a/n',
  'postgres://a:99999,b/n',
  'postgres://a:x/n',
  'a:5432,b:5432/n',
  'postgres://a,b/n?target_session_attrs=standby',
])('refuses %s', (url) => {
  expect(codeOf(url)).toBe('CONFIGURATION_INVALID')
})

test('a schema is looked in at all hosts, and a password is found wherever it stands', () => {
  expect(withSchema('postgres://u@a,b/n?sslmode=require&options=-c+work_mem%3D8MB', 'x')).toBe(
    'postgres://u@a,b/n?sslmode=require&options=-c+work_mem%3D8MB+-c+search_path%3Dx',
  )
  expect(new URL(withSchema('postgres://u@a/n', 'Some name-1')).searchParams.get('options')).toBe(
    '-c search_path="Some\\ name-1"',
  )
  expect(hasPassword('postgres://u:secret@a,b/n')).toBe(true)
  expect(hasPassword('postgres://a,b/n?password=secret')).toBe(true)
  expect(hasPassword('postgres://u@a,b/n')).toBe(false)
})
