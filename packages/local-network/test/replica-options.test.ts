import { CommandLineError } from '@hailstone/runtime/node'
import { expect, test } from 'vitest'
import { parseFlags } from '../src/command/parse-flags.ts'
import { startLocalNetwork } from '../src/serve.ts'

test('a copy for reads belongs to a database on a server', async () => {
  const readDatabase = 'postgres://db2.example/chain'
  await expect(startLocalNetwork({ readDatabase })).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    facts: { path: 'readDatabase' },
  })
  expect(() => parseFlags(['--read-database', readDatabase])).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ path: '--read-database' }) }),
  )
  const database = ['--database', 'postgres://db1.example/chain']
  const environment = { HAILSTONE_READ_DATABASE: readDatabase }
  for (const order of [
    parseFlags([...database, '--read-database', readDatabase]),
    parseFlags(database, environment),
  ])
    expect(order).toMatchObject({ options: { readDatabase }, warnings: [] })
  expect(() => parseFlags([], environment)).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ path: 'HAILSTONE_READ_DATABASE' }) }),
  )
  const open = parseFlags([...database, '--read-database', 'postgres://reader:secret@db2.example/chain'])
  expect(open).toMatchObject({ warnings: [expect.stringContaining('HAILSTONE_READ_DATABASE')] })
})

test('a replica is required of a server alone', async () => {
  await expect(startLocalNetwork({ requireReplica: true })).rejects.toMatchObject({
    code: 'CONFIGURATION_INVALID',
    facts: { path: 'requireReplica' },
  })
  expect(() => parseFlags(['--memory', '--require-replica'])).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ path: '--require-replica' }) }),
  )
  expect(() => parseFlags(['--require-replicas'])).toThrow(CommandLineError)
  expect(parseFlags(['--require-replica', '--database', 'postgres://db.example/chain'])).toMatchObject({
    options: { requireReplica: true },
  })
})
