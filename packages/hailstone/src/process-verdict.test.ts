import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isOfThisMachine } from './ask-health.ts'
import { judgeAnswer } from './process-verdict.ts'
import { serviceFolders } from './status.ts'

const url = 'http://127.0.0.1:1/status'
const answered = (status: number, body: object | string) => ({
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
})

it.each([
  [
    'a miner that is ready',
    answered(200, { health: { isReady: true, code: 'READY', why: '' } }),
    'ready',
    null,
  ],
  [
    'a miner that is not',
    answered(200, { health: { isReady: false, why: 'no beacon' } }),
    'notReady',
    'no beacon',
  ],
  ['a console', answered(503, { isReady: false, why: 'away' }), 'notReady', 'away'],
  ['a network', answered(200, { status: 'ok', reason: null }), 'ready', null],
  ['a stuck network', answered(503, { status: 'stuck', reason: 'no store' }), 'notReady', 'no store'],
  ['one that wants a token', answered(401, ''), 'unknown', 'Its health port wants a token.'],
  ['another program', answered(200, '<html>'), 'unknown', expect.stringContaining('answers 200, without')],
  ['silence', null, 'unknown', expect.stringContaining('does not answer')],
])('judges %s', (_, answer, state, why) => {
  expect(judgeAnswer(url, answer)).toMatchObject({ state, why })
})

it('does not know how a process without a health port is', () => {
  expect(judgeAnswer(null, null)).toMatchObject({ state: 'unknown', why: 'It has no health port.' })
})

it('looks into the data folders of services', async () => {
  const states = await mkdtemp(join(tmpdir(), 'hailstone-states-'))
  onTestFinished(() => rm(states, { recursive: true }))
  for (const folder of ['hailstone/first', 'hailstone-network', 'postgresql', 'hailstonefish'])
    await mkdir(join(states, folder), { recursive: true })
  const folders = (await serviceFolders(states)).map((path) => path.slice(states.length + 1)).sort()
  expect(folders).toEqual(['hailstone-network/running', 'hailstone/first/running', 'hailstone/running'])
  expect(await serviceFolders(join(states, 'none'))).toEqual([])
})

it('takes addresses of this machine alone for those that get the token', () => {
  const [first] = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const own = first === undefined ? [] : [first.family === 'IPv6' ? `[${first.address}]` : first.address]
  for (const host of ['127.0.0.1', 'localhost', '[::1]', ...own])
    expect([host, isOfThisMachine(host)]).toEqual([host, true])
  for (const host of ['192.0.2.1', 'collector.example', '[2001:db8::1]'])
    expect([host, isOfThisMachine(host)]).toEqual([host, false])
})
