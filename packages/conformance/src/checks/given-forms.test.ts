import { readFile } from 'node:fs/promises'
import { type JsonValue, parseJson } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { asList, asObject, type Case, casesOf } from '../case.ts'
import { runChecks } from '../run-checks.ts'
import { checks } from './index.ts'

const folder = new URL('../../', import.meta.url)
const read = async (path: string): Promise<JsonValue> =>
  parseJson(await readFile(new URL(path, folder), 'utf8'), { limitBytes: 2 ** 28 })

async function failuresOf(file: JsonValue): Promise<readonly (readonly [name: string, reason: string])[]> {
  for await (const { outcomes } of runChecks([{ path: 'given.json', file }], checks))
    return outcomes.flatMap((one) => (one.verdict === 'failed' ? [[one.name, one.reason] as const] : []))
  throw new Error('a file gives a report')
}

/** Members whose text is the subject of the case, so that it must not be rewritten as a number. */
const literal = ['text', 'json', 'raw_json_amount', 'signed_amount_text', 'body', 'data', 'ticker', 'name']

function rewritten(value: JsonValue | undefined, form: (value: JsonValue) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, form))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value as Case).map(([name, member]) => [
        name,
        literal.includes(name) ? member : rewritten(member, form),
      ]),
    )
  return value === undefined ? null : form(value)
}

const asNumber = (value: JsonValue) =>
  typeof value === 'string' && /^(?:0|[1-9]\d{0,19})$/.test(value) ? BigInt(value) : value
const asDigits = (value: JsonValue) => (typeof value === 'bigint' ? value.toString() : value)

describe.each([
  ['vectors/amounts.json', asNumber],
  ['vectors/pagination.json', asDigits],
  ['vectors/fees.json', asNumber],
  ['vectors/ledger.json', asNumber],
  ['vectors/rewards.json', asDigits],
  ['recorded/ledger-1.json', asDigits],
] as const)('%s', (path, form) => {
  it('means the same with its numbers in the other form', async () => {
    expect(await failuresOf(rewritten(await read(path), form))).toEqual([])
  })
})

it('every case of every vector is understood alone', async () => {
  const kinds = new Set<string>()
  for (const name of ['leader_sign', 'amounts', 'poa_messages', 'contract_data', 'api_responses']) {
    const file = asObject(await read(`vectors/${name}.json`))
    for (const one of casesOf(file)) {
      const given = { ...file, cases: [one] }
      const matching = checks.filter((check) => check.recognises(given))
      expect(matching.map(({ kind }) => kind)).toHaveLength(1)
      kinds.add(`${name}: ${matching[0]?.kind}`)
    }
  }
  expect(kinds.size).toBe(5)
})

it('a case of another shape fails alone and takes no other with it', async () => {
  const file = asObject(await read('vectors/referral.json'))
  const cases = [
    ...casesOf(file),
    { name: 'strange', op: 'translate' },
    ...casesOf(await read('vectors/fees.json')).slice(0, 1),
  ]
  for await (const { kind, outcomes } of runChecks([{ path: 'r.json', file: { ...file, cases } }], checks)) {
    expect(kind).toBe('referral codes, transfer fees')
    expect(outcomes.filter(({ verdict }) => verdict === 'passed')).toHaveLength(cases.length - 1)
    expect(outcomes.filter(({ verdict }) => verdict === 'failed')).toMatchObject([{ name: 'strange' }])
  }
})

it('a message with wrong members is expected to be ignored', async () => {
  const message = (text: string) => ({ name: text, op: 'server', message: text, expect: { kind: 'ignore' } })
  const cases = [message('{"ver":4}'), message('{"ver":4,"method":"peer","data":{"ip":"h","port":99999}}')]
  expect(await failuresOf({ cases })).toEqual([])
})

describe('a recorded ledger', () => {
  it('fails for a block without a step, and for a step without a block', async () => {
    const file = asObject(await read('recorded/ledger-1.json'))
    const steps = asList(file.steps)
    const fewer = await failuresOf({ ...file, steps: steps.slice(0, -1) })
    expect(fewer).toContainEqual(['macroblock 6', 'no step tells what it should lead to'])
    const surplus = await failuresOf({ ...file, steps: [...steps, { ...asObject(steps[0]) }] })
    expect(surplus.map(([name]) => name)).toEqual(['step 0'])
  })

  it('does not mind the order of its steps, microblocks and history rows', async () => {
    const file = asObject(await read('recorded/ledger-1.json'))
    const blocks = asList(file.blocks).map((block) => {
      const { mblocks, sblocks } = asObject(block)
      return {
        ...asObject(block),
        mblocks: asList(mblocks).toReversed(),
        sblocks: asList(sblocks).toReversed(),
      }
    })
    const given = {
      ...file,
      blocks,
      steps: asList(file.steps).toReversed(),
      account_index: asList(file.account_index).toReversed(),
    }
    expect(await failuresOf(given)).toEqual([])
  })

  it('names what it does not state', async () => {
    const { created_tokens, delegates_after, ...file } = asObject(await read('recorded/ledger-1.json'))
    expect(created_tokens).toBeDefined()
    expect(delegates_after).toBeDefined()
    for await (const { outcomes } of runChecks([{ path: 'l.json', file }], checks))
      expect(outcomes.filter(({ verdict }) => verdict === 'skipped').map(({ name }) => name)).toEqual([
        'created tokens',
        'delegations at the end',
      ])
  })
})
