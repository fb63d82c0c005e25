import { isNodeError } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { askWithRetries, isCollision, isConnectionLoss, orStoreFull } from './connection-loss.ts'

const failure = (code: string, message = ''): Error => Object.assign(new Error(message), { code })

test('a server that is away is told from one that refuses', () => {
  for (const code of ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P03', '08006', '53300', '25006'])
    expect(isConnectionLoss(failure(code))).toBe(true)
  expect(isConnectionLoss(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isConnectionLoss(new AggregateError([failure('ECONNREFUSED')]))).toBe(true)
  for (const code of ['23505', '42P01', '28P01']) expect(isConnectionLoss(failure(code))).toBe(false)
  expect(isConnectionLoss('57P01')).toBe(false)
  expect(isCollision(failure('40001'))).toBe(true)
  expect(isCollision(failure('23505'))).toBe(false)
})

test('a full disk is an error with a code of its own, which is not tried as if the server were away', () => {
  const said = failure('53100', 'could not extend file "base/1/2"')
  const full = orStoreFull(said)
  expect(full).toMatchObject({ code: 'STORE_FULL', cause: said })
  // Names of files are for who runs the server.
  expect(String(full)).not.toContain('base/1/2')
  expect(isConnectionLoss(full)).toBe(false)
  const other = failure('23505')
  expect(orStoreFull(other)).toBe(other)
})

test('a question is asked again until the server is back, and other failures are not repeated', async () => {
  let asked = 0
  const answer = await askWithRetries(5000, async () => {
    asked++
    if (asked < 3) throw failure('ECONNREFUSED')
    return 'here'
  })
  expect([answer, asked]).toEqual(['here', 3])
  let refused = 0
  const refusing = askWithRetries(5000, async () => {
    refused++
    throw failure('42P01', 'no such table')
  })
  await expect(refusing).rejects.toThrow('no such table')
  expect(refused).toBe(1)
})

test('when the patience is over, it is said that the database does not answer', async () => {
  const gone = askWithRetries(60, async () => {
    throw failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')
  })
  const error: unknown = await gone.catch((reason: unknown) => reason)
  expect(isNodeError(error) && error.code).toBe('STORE_UNREACHABLE')
})
