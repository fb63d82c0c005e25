import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isNodeError } from '@hailstone/protocol'
import { describe, expect, test } from 'vitest'
import { createFaults } from '../src/create-faults.ts'
import { type FaultScript, faultScriptSchema } from '../src/fault-script.ts'
import { parseFaultScript, readFaultScript } from '../src/parse-fault-script.ts'

/** Path and found text of the refusal, or null when there is none. */
function refusalOf(script: unknown) {
  try {
    parseFaultScript(script)
    return null
  } catch (error) {
    if (!isNodeError(error, 'CONFIGURATION_INVALID')) throw error
    return error.facts
  }
}

const http = (fault: unknown, match?: unknown) => ({ rules: [{ on: 'api', match, fault }] })
const socket = (fault: unknown, match?: unknown) => ({ rules: [{ on: 'gateway', match, fault }] })

describe('a script that is refused', () => {
  test.each([
    ['no object', [], 'the fault script', 'object'],
    ['no rules', {}, 'rules', 'array'],
    ['an unknown member', { rule: [] }, 'rules', 'array'],
    ['an unknown member besides', { rules: [], sead: 1 }, 'sead', 'did you mean "seed"?'],
    [
      'another place',
      { rules: [{ on: 'htpp', fault: { silent: true } }] },
      'rules[0].on',
      'one of api, gateway',
    ],
    [
      'the word for the wire',
      { rules: [{ on: 'socket', fault: { silent: true } }] },
      'rules[0].on',
      'did you mean "gateway"?',
    ],
    ['a number for a place', { rules: [{ on: 10n ** 20n }] }, 'rules[0].on', 'one of api, gateway'],
    ['an unknown fault', http({ dealy: { ms: 1 } }), 'rules[0].fault.dealy', 'did you mean "delay"?'],
    ['no fault', http({}), 'rules[0].fault', 'exactly one fault'],
    ['two faults', http({ silent: true, forgetPool: true }), 'rules[0].fault', 'exactly one fault'],
    [
      'a fault of the other place',
      http({ forge: { what: 'amount' } }),
      'rules[0].fault.forge',
      'one of delay',
    ],
    ['an unknown option', http({ delay: { mss: 1 } }), 'rules[0].fault.delay.ms', 'number'],
    ['an option too many', http({ delay: { ms: 1, off: 'request' } }), 'rules[0].fault.delay.off', '"of"?'],
    ['a negative delay', http({ delay: { ms: -1 } }), 'rules[0].fault.delay.ms', 'at least 0'],
    ['a delay in text', http({ delay: { ms: '100' } }), 'rules[0].fault.delay.ms', 'number'],
    ['a range the wrong way round', http({ delay: { ms: [9, 1] } }), 'rules[0].fault.delay.ms', 'smaller'],
    [
      'an unknown match',
      http({ silent: true }, { pth: '/tx' }),
      'rules[0].match.pth',
      'did you mean "path"?',
    ],
    ['an unknown path', http({ silent: true }, { path: '/balanse' }), 'rules[0].match.path', '"/balance"?'],
    ['a path that begins like none', http({ silent: true }, { path: '/x*' }), 'rules[0].match.path', 'path'],
    ['an unknown method', http({ silent: true }, { method: 'get' }), 'rules[0].match.method', '"GET"?'],
    ['no such occurrence', http({ silent: true }, { nth: 0 }), 'rules[0].match.nth', 'at least 1'],
    [
      'more than certain',
      http({ silent: true }, { probability: 2 }),
      'rules[0].match.probability',
      'at most 1',
    ],
    [
      'an unknown table entry',
      http({ wrongJson: 'nul1' }),
      'rules[0].fault.wrongJson',
      'did you mean "null"?',
    ],
    [
      'no member path',
      http({ rewrite: [{ path: 'a..b', value: 1 }] }),
      'rules[0].fault.rewrite[0].path',
      'such as',
    ],
    [
      'two changes at once',
      http({ rewrite: [{ path: 'a', value: 1, add: 1 }] }),
      'rules[0].fault.rewrite[0]',
      'one of',
    ],
    ['no lag', http({ otherNode: {} }), 'rules[0].fault.otherNode.blocksBehind', 'number'],
    [
      'a lag of nothing',
      http({ otherNode: { blocksBehind: 0 } }),
      'rules[0].fault.otherNode.blocksBehind',
      'at least 1',
    ],
    [
      'a lag of too much',
      http({ otherNode: { blocksBehind: 101 } }),
      'rules[0].fault.otherNode.blocksBehind',
      'at most 100',
    ],
    [
      'half a macroblock of lag',
      http({ otherNode: { blocksBehind: 1.5 } }),
      'rules[0].fault.otherNode.blocksBehind',
      'int',
    ],
    [
      'another node that takes posts',
      http({ otherNode: { blocksBehind: 3 } }, { method: 'POST' }),
      'rules[0].match.method',
      '"GET" or none',
    ],
    ['a wrong hash of anything', http({ wrongHash: true }), 'rules[0].match.path', '"/tx"'],
    [
      'an unknown message',
      socket({ drop: true }, { message: 'on_leader_becon' }),
      'rules[0].match.message',
      '"on_leader_beacon"?',
    ],
    ['an unknown forgery', socket({ forge: { what: 'ammount' } }), 'rules[0].fault.forge.what', '"amount"?'],
    [
      'a forgery of anything',
      socket({ forge: { what: 'amount' } }),
      'rules[0].match.message',
      'on_leader_beacon',
    ],
    [
      'a status of a message',
      socket({ status: { code: 429 } }, { message: 'hail' }),
      'rules[0].match.message',
      'upgrade',
    ],
    ['a dropped upgrade', socket({ drop: true }, { message: 'upgrade' }), 'rules[0].fault', 'at upgrade'],
    ['a code nobody may send', socket({ close: { code: 1006 } }), 'rules[0].fault.close.code', 'can be sent'],
    ['a frame of no size', socket({ oversized: {} }), 'rules[0].fault.oversized', 'bytes or transactions'],
    ['nothing to say', socket({ say: {} }), 'rules[0].fault.say', 'text or json'],
  ])('%s', (_, script, path, expected) => {
    const facts = refusalOf(script)
    expect(facts?.path).toBe(path)
    expect(facts?.expected).toContain(expected)
  })

  test('names the rule it is in, wherever that stands', () => {
    const fine = { on: 'api', fault: { silent: true } }
    expect(refusalOf({ rules: [fine, fine, { on: 'api', fault: { silnt: true } }] })?.path).toBe(
      'rules[2].fault.silnt',
    )
  })
})

describe('a script that is taken', () => {
  test('every kind of fault there is', () => {
    const faults = {
      api: [
        { delay: { ms: [1, 2], of: 'request' } },
        { cut: { of: 'request', afterBytes: 0, how: 'reset' } },
        { duplicate: { times: 2 } },
        { reorder: {} },
        { corrupt: {} },
        { wrongJson: 'html200' },
        { wrongBody: 'gzipBomb' },
        { status: { code: 429, retryAfter: 10 ** 9 } },
        { silent: true },
        { halfOpen: true },
        { drip: { everyMs: 500 } },
        { reset: { when: 'after' } },
        { redirect: { location: 'http://elsewhere.example/' } },
        { rewrite: [{ path: '[*].fee_value', value: 10n ** 30n }] },
        { records: 'endless' },
        { forgetPool: true },
        { otherNode: { blocksBehind: 3 } },
      ],
      gateway: [
        { delay: { ms: 5 } },
        { drop: true },
        { mute: true },
        { silent: true },
        { halfOpen: true },
        { duplicate: { times: 3 } },
        { reorder: { waitMs: 5 } },
        { corrupt: { of: 'frame' } },
        { wrongJson: 'proto' },
        { rewrite: [{ path: 'data', remove: true }] },
        { cut: {} },
        { close: { code: 1012 } },
        { reset: {} },
        { drip: { bytes: 1, everyMs: 1 } },
        { fragment: { bytes: 1 } },
        { peer: { host: '10.0.0.1', port: 80 } },
        { oversized: { bytes: 50 * 1024 * 1024 } },
        { say: { json: null } },
      ],
    }
    for (const on of ['api', 'gateway'] as const) {
      const rules = faults[on].map((fault) => ({ on, fault }))
      expect(parseFaultScript({ seed: 1, rules }).rules).toEqual(rules)
    }
  })

  test('those in SCRIPTS.md', async () => {
    const page = await readFile(new URL('../SCRIPTS.md', import.meta.url), 'utf8')
    const scripts = [...page.matchAll(/```json\n(.+?)```/gs)].map(([, text = '']) => text)
    expect(scripts.map((text) => parseFaultScript(JSON.parse(text)).rules.length)).toEqual([5, 1])
  })

  test('every fault of the table in SCRIPTS.md is one, and every fault is in it', async () => {
    const page = await readFile(new URL('../SCRIPTS.md', import.meta.url), 'utf8')
    const [, table = ''] = /\| `fault` \| on \| what happens \|\n(.+?)\n\n/s.exec(page) ?? []
    const reported = table
      .split('\n')
      .slice(1)
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-zA-Z]+)`/g)].map(([, name]) => name))
    const [http, socket] = faultScriptSchema.shape.rules.element.options.map((rule) => rule.shape.fault.shape)
    const known = new Set([...Object.keys(http ?? {}), ...Object.keys(socket ?? {})])
    expect(new Set(reported)).toEqual(known)
  })

  test('a path with and without its prefix, and with a star', () => {
    for (const path of ['/balance', '/api/v1/balance', '/account_*', '*'])
      expect(refusalOf(http({ silent: true }, { path }))).toBeNull()
  })
})

describe('a script in a file', () => {
  const inFile = async (text: string | Uint8Array) => {
    const folder = await mkdtemp(join(tmpdir(), 'hailstone-faults-'))
    const file = join(folder, 'trouble.json')
    await writeFile(file, text)
    const seen = await readFaultScript(file).catch((error: unknown) => {
      if (!isNodeError(error, 'CONFIGURATION_INVALID')) throw error
      return error.facts.path.replace(file, 'FILE')
    })
    await rm(folder, { recursive: true })
    return seen
  }

  test('is read as editors write it', async () => {
    const text = '{"rules":[]}\r\n'
    for (const written of [`\ufeff${text}`, Buffer.from(`\ufeff${text}`, 'utf16le')])
      expect(await inFile(written)).toEqual({ rules: [] })
  })

  test('keeps numbers that no double holds', async () => {
    const text =
      '{"rules":[{"on": "api","fault":{"rewrite":[{"path":"amount","value":18446744073709551616},{"path":"a","add":1}]}}]}'
    expect(await inFile(text)).toMatchObject({
      rules: [{ fault: { rewrite: [{ value: 2n ** 64n }, { add: 1 }] } }],
    })
  })

  test('is refused with its name', async () => {
    expect(await inFile('{"rules":[')).toBe('FILE')
    expect(await inFile('{"rules":[{"on": "api","fault":{"slient":true}}]}')).toBe(
      'FILE: rules[0].fault.slient',
    )
    await expect(readFaultScript('/no/such/file')).rejects.toMatchObject({ code: 'CONFIGURATION_INVALID' })
  })
})

test('a server that has no other nodes refuses to answer as one', () => {
  const clock = { now: () => 0, after: () => () => {} }
  const { control } = createFaults(clock, { entries: () => [], remove: () => {} })
  const rules: FaultScript['rules'] = [
    { on: 'api', fault: { silent: true } },
    { on: 'api', fault: { otherNode: { blocksBehind: 3 } } },
  ]
  expect(() => control.set({ rules })).toThrow(
    expect.objectContaining({ facts: expect.objectContaining({ path: 'rules[1].fault.otherNode' }) }),
  )
  expect(control.script()).toBeNull()
})
