import { isNodeError } from '@hailstone/protocol'
import { CommandLineError } from '@hailstone/runtime/node'
import { expect, test } from 'vitest'
import { parseFlags } from './parse-flags.ts'

const options = (...args: string[]) => {
  const order = parseFlags(args)
  if (order.kind !== 'start') throw new Error('should start')
  return order.options
}

const ONE = '1'.padStart(64, '0')

test('has a default for everything', () => {
  expect(options()).toEqual({
    host: '127.0.0.1',
    apiPort: 4410,
    gatewayPort: 4411,
    blockTimeMs: 15_000,
    dataDirectory: '.hailstone/network',
    readDatabase: undefined,
    requireReplica: false,
    seed: undefined,
    reset: false,
    keepAlive: true,
    automine: false,
    fallbackMiner: true,
    control: false,
    mode: 'public',
    allowHosts: [],
    allowOrigins: [],
    newerData: false,
  })
})

test('reads every flag', () => {
  const args = `--port 0 --gateway-port 4000 --host ::1 --block-time 1.5s --data here --reset --seed x --native-token ${ONE}`
  expect(
    options(...args.split(' '), '--no-keep-alive', '--no-fallback-miner', '--control', '--automine'),
  ).toEqual({
    host: '::1',
    apiPort: 0,
    gatewayPort: 4000,
    blockTimeMs: 1500,
    dataDirectory: 'here',
    readDatabase: undefined,
    requireReplica: false,
    seed: 'x',
    nativeTokenId: ONE,
    reset: true,
    keepAlive: false,
    automine: true,
    fallbackMiner: false,
    control: true,
    mode: 'public',
    allowHosts: [],
    allowOrigins: [],
    newerData: false,
  })
  expect(parseFlags(['--faults', 'trouble.json'])).toMatchObject({ faultsFile: 'trouble.json' })
  expect(options('--strict').mode).toBe('strict')
  expect(options('--newer-data').newerData).toBe(true)
  expect(options('--app-version', '1.2.0').appVersion).toEqual({ minimum: '1.2.0' })
  expect(options('--boot-node', '4000').bootNode).toEqual({ port: 4000 })
  expect(options('--allow-host', 'a.example', '--allow-host=b.example').allowHosts).toEqual([
    'a.example',
    'b.example',
  ])
  expect(options('--memory').dataDirectory).toBeUndefined()
  expect(options('--block-time', '500ms').blockTimeMs).toBe(500)
  expect(options('--block-time', '1m').blockTimeMs).toBe(60_000)
})

test('shows its help before it looks at anything else', () => {
  expect(parseFlags(['--help', '--port', 'x'])).toEqual({ kind: 'help' })
  expect(parseFlags(['-h'])).toEqual({ kind: 'help' })
  expect(parseFlags(['--version'])).toEqual({ kind: 'version' })
})

test.each([
  ['--port', '65536'],
  ['--port', '-1'],
  ['--gateway-port', '80a'],
  ['--boot-node', 'ws://127.0.0.1'],
  ['--block-time', '15'],
  ['--block-time', '0s'],
  ['--block-time', '99ms'],
  ['--block-time', '2h'],
  ['--seed', ' '],
  ['--host', ''],
  ['--native-token', 'DEV'],
  ['--faults', ''],
  ['--allow-host', ''],
  ['--allow-host', 'https://app.example'],
  ['--allow-origin', 'app.example'],
  ['--allow-origin', 'https://app.example/'],
  ['--load', '.'],
  ['--dump', '.'],
])('refuses %s %j and names the flag', (flag, value) => {
  try {
    options(`${flag}=${value}`)
    throw new Error('should be refused')
  } catch (error) {
    if (!isNodeError(error, 'CONFIGURATION_INVALID')) throw error
    expect(error.facts.path).toBe(flag)
  }
})

test('refuses a flag it does not know, and a word without one', () => {
  expect(() => parseFlags(['--blocktime', '2s'])).toThrow(
    new CommandLineError('There is no option --blocktime. Did you mean --block-time?'),
  )
  expect(() => parseFlags(['--memory', 'start'])).toThrow(CommandLineError)
  expect(() => parseFlags(['--port', '--memory'])).toThrow('The option --port needs a value.')
  for (const [sentence, ...words] of [
    ['--memory and --database name more', '--memory', '--database', 'postgres://db.example/chain'],
    ['--memory and --data name more', '--memory', '--data', 'here'],
    ['"--advertise" should be used with a database', '--advertise', 'a.example'],
    ['"--reset" should be used without --memory', '--memory', '--reset'],
  ] as const)
    expect(() => parseFlags(words)).toThrow(sentence)
  const database = 'postgres://db.example/chain'
  for (const words of [['--data', 'here'], ['--memory']])
    expect(() => parseFlags(words, { HAILSTONE_DATABASE: database })).toThrow('HAILSTONE_DATABASE name more')
  expect(() => parseFlags([], { HAILSTONE_READ_DATABASE: database })).toThrow(
    '"HAILSTONE_READ_DATABASE" should be used with a database on a server',
  )
})

test('a database takes the place of the folder; its password is in no complaint', () => {
  const url = 'postgres://user:secret@db.example:5432/chain'
  expect(options('--database', url, '--advertise', 'a.example')).toMatchObject({
    database: url,
    dataDirectory: undefined,
    advertise: 'a.example',
  })
  for (const wrong of ['user:secret@db.example', 'mysql://user:secret@db.example/chain', 'secret']) {
    let message = ''
    try {
      options('--database', wrong)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('database')
    expect(message).not.toContain('secret')
  }
})

test('reads origins of pages and the number of miners', () => {
  expect(options('--allow-origin', 'https://app.example', '--max-miners', '500')).toMatchObject({
    allowOrigins: ['https://app.example'],
    gateway: { maxMiners: 500 },
  })
  expect(() => options('--max-miners', '0')).toThrow(/--max-miners/)
})

test('a password of a database stays out of the list of processes, or somebody is warned', () => {
  const url = 'postgres://user:secret@db.example:5432/chain'
  const started = (args: readonly string[], environment = {}) => {
    const order = parseFlags(args, environment)
    if (order.kind !== 'start') throw new Error('it did not start')
    return { database: order.options.database, warnings: order.warnings }
  }
  const warned = started(['--database', url])
  expect(warned).toStrictEqual({ database: url, warnings: [expect.stringContaining('--database-file')] })
  expect(warned.warnings.join()).not.toContain('secret')
  expect(started(['--database', `${url.replace(':secret', '')}?password=secret`]).warnings).toHaveLength(1)
  expect(started(['--database', 'postgres://user@db.example/chain']).warnings).toStrictEqual([])
  expect(started([], { HAILSTONE_DATABASE: url })).toStrictEqual({ database: url, warnings: [] })
})
