import * as protocol from '@hailstone/protocol'
import { type Endpoint, isNodeError, type Parameters } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import { nastyCopy, nastyJson, nastyText } from '../../local-network/test/fuzz/nasty.ts'
import { type Chance, chance } from '../../local-network/test/fuzz/random.ts'
import { recordedExamples } from '../../protocol/src/reference/examples.ts'
import { readEndpointAnswer } from '../src/endpoint-answer.ts'
import { readJournalText } from '../src/node/journal-text.ts'
import { sealLine } from '../src/payments/journal-line.ts'

/** The longer size: HAILSTONE_FUZZ_CASES=1000000 npx vitest run test/fuzz.gate.test.ts, HAILSTONE_FUZZ_SEED for others. */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', { change: 5_000, night: 20_000 })
const SEED = Number(process.env.HAILSTONE_FUZZ_SEED ?? 1)
/** A case that never ends runs into the timeout of its test; one that is slow counts where durations are judged. */
const HANG_MS = withinMs(5_000)
const HOURS_MS = 12 * 3_600_000

/** Tries so many cases; a case that throws, hangs or writes to a prototype is told with its text. */
function fuzz(seed: number, textOf: (luck: Chance) => string, read: (text: string) => unknown): void {
  const luck = chance(seed * 7919 + SEED)
  const timed = (text: string): number => {
    const before = performance.now()
    read(text)
    return performance.now() - before
  }
  for (let number = 0; number < CASES; number++) {
    const text = textOf(luck)
    try {
      if (timed(text) > HANG_MS) throw new Error('it hangs')
    } catch (error) {
      expect({ seed: SEED, number, text, threw: String(error) }).toBe('read or refused')
    }
  }
  expect(Object.keys(Object.prototype)).toStrictEqual([])
}

const isEndpoint = (value: unknown): value is Endpoint<Parameters, unknown> =>
  typeof value === 'object' && value !== null && 'answer' in value

const plainText = /^\/ext\/plain\//

/** Returns the code of an error, or undefined if it has no code. */
function codeOf(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (isNodeError(error)) return error.code
    throw error
  }
}

/** Answers that were recorded, as the values they are made of. Some endpoints answer in plain text. */
const endpoints = Object.values(protocol as Record<string, unknown>)
  .filter(isEndpoint)
  .filter(({ path }) => !plainText.test(path))
  .map((endpoint) => {
    const recorded = recordedExamples[`${endpoint.method} ${endpoint.path}`] ?? []
    return [`${endpoint.method} ${endpoint.path}`, endpoint, recorded.map(({ answer }) => answer)] as const
  })

describe('G-11: answers of the network', () => {
  it('are known for most endpoints', () => {
    expect(endpoints.filter(([, , answers]) => answers.length > 0).length).toBeGreaterThan(50)
  })

  it.each(endpoints)(
    '%s: whatever comes is read, or refused by code',
    (name, endpoint, answers) => {
      const read = (text: string, status = 200) =>
        readEndpointAnswer(endpoint, { status, contentType: 'application/json', text })
      for (const text of answers) expect(read(text), text).toBeDefined()
      const rights: readonly unknown[] = answers.length > 0 ? answers.map((text) => JSON.parse(text)) : [{}]
      const textOf = (luck: Chance): string => nastyJson(luck, nastyCopy(luck, luck.pick(rights)))
      fuzz(name.length, textOf, (text) => {
        // What an error says is read too; short ones are enough of those.
        if (text.length < 100 && codeOf(() => read(text, 404)) !== 'HTTP_STATUS')
          throw new Error('an error was read as an answer')
        const code = codeOf(() => read(text))
        if (code !== undefined && code !== 'RESPONSE_INVALID') throw new Error(`refused as ${code}`)
      })
    },
    HOURS_MS,
  )
})

it(
  'G-11: of a mangled journal no record is taken for another',
  () => {
    const magic = 'hailstone journal 1\n'
    const records = Array.from({ length: 4 }, (_, number) =>
      JSON.stringify({ id: `record ${number}`, number }),
    )
    const text = `${magic}${records.map((record) => `${sealLine(record)}\n`).join('')}`
    const mangled = (luck: Chance): string => {
      const [at, length] = [luck.below(text.length), luck.below(12)]
      const put = luck.isLucky(0.5) ? nastyText(luck, records) : ''
      return `${text.slice(0, at)}${put}${text.slice(at + length)}`
    }
    fuzz(5, mangled, (given) => {
      const read = readJournalText(given, magic)
      if ('refusal' in read) return
      for (const record of read.content.records) {
        if (!records.includes(record)) throw new Error(`made up: ${record}`)
      }
    })
  },
  HOURS_MS,
)
