import { expect, test } from 'vitest'
import { postgresAddress } from './postgres-address.ts'

test('shows where a database is, and no password of it, wherever it stands', () => {
  expect(postgresAddress('postgres://user:secret@db.example:5433/chain')).toBe(
    'postgres://user@db.example:5433/chain',
  )
  expect(postgresAddress('postgresql://db.example/chain?user=a&password=secret')).toBe(
    'postgresql://db.example/chain',
  )
})
