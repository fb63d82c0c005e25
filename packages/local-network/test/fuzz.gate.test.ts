import { expect, test } from 'vitest'
import { gateSize } from '../../../scripts/gate-size.ts'
import { withinMs } from '../../../scripts/strict-times.ts'
import { describePostgresByNight } from './engines.ts'
import { fuzzGateway } from './fuzz/fuzz-gateway.ts'
import { fuzzHttp } from './fuzz/fuzz-http.ts'
import { fuzzMessages } from './fuzz/fuzz-messages.ts'
import { describeFuzz } from './fuzz/fuzz-report.ts'

/**
 * Small for every commit. The long run: `HAILSTONE_FUZZ_CASES=20000 npx vitest run test/fuzz.gate.test.ts`, with
 * `HAILSTONE_FUZZ_SEED` for other cases. The numbers it prints belong to the seed. `HAILSTONE_FUZZ_PART=1/8` asks
 * every eighth endpoint, from the first.
 */
const CASES = gateSize('HAILSTONE_FUZZ_CASES', { change: 30, night: 60 })
/** In memory a case takes microseconds. */
const MESSAGE_CASES = Math.max(CASES, gateSize('HAILSTONE_FUZZ_CASES', { change: 5_000, night: 20_000 }))
const SEED = Number(process.env.HAILSTONE_FUZZ_SEED ?? 1)
const IS_LONG = CASES > 1000
const [PART = 1, PARTS = 1] = (process.env.HAILSTONE_FUZZ_PART ?? '1/1').split('/').map(Number)

/** A case that never ends runs into the timeout; one that is slow four times counts where durations are judged. */
const HANG_MS = withinMs(5_000)
const TIMEOUT_MS = Math.max(300_000, CASES * 100 * 50)

const tell = (text: string): void => {
  if (IS_LONG) process.stdout.write(`${text}\n`)
}

test(
  'whatever a query or a body says, every endpoint answers, in words when it fails',
  async () => {
    const report = await fuzzHttp({ seed: SEED, casesPerEndpoint: CASES, part: { number: PART, of: PARTS } })
    tell(describeFuzz('HTTP', report))
    expect(report.failures.slice(0, 5)).toEqual([])
    expect(Math.min(...report.cases.values())).toBe(CASES)
    expect(report.confirmedSlow.filter(({ ms }) => ms > HANG_MS)).toEqual([])
  },
  TIMEOUT_MS,
)

describePostgresByNight('on PostgreSQL', (server) => {
  test(
    'whatever a query or a body says, every endpoint answers there too',
    async () => {
      const database = await server().createDatabase()
      const casesPerEndpoint = Math.ceil(CASES / 3)
      const part = { number: PART, of: PARTS }
      const report = await fuzzHttp({ seed: SEED + 1, casesPerEndpoint, database, part })
      tell(describeFuzz('HTTP on PostgreSQL', report))
      expect(report.failures.slice(0, 5)).toEqual([])
      expect(Math.min(...report.cases.values())).toBe(casesPerEndpoint)
    },
    TIMEOUT_MS,
  )
})

test(
  'whatever is sent over the socket, the gateway goes on or ends that one connection',
  async () => {
    const report = await fuzzGateway({ seed: SEED, casesPerMessage: CASES })
    tell(describeFuzz('gateway', report))
    expect(report.failures).toEqual([])
    // A case that took long is asked again and counted again.
    expect(report.cases.size).toBe(4)
    for (const count of report.cases.values()) expect(count).toBeGreaterThanOrEqual(CASES)
    expect(report.confirmedSlow.filter(({ ms }) => ms > HANG_MS)).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'G-11: whatever a gateway sends is read, or refused with a typed error',
  async () => {
    const report = await fuzzMessages({ seed: SEED, casesPerMessage: MESSAGE_CASES })
    tell(describeFuzz('messages', report))
    expect(report.failures).toEqual([])
    // A slow case is asked again and counts again.
    expect(report.cases.size).toBe(3)
    expect(Math.min(...report.cases.values())).toBeGreaterThanOrEqual(MESSAGE_CASES)
    expect(report.confirmedSlow.filter(({ ms }) => ms > HANG_MS)).toEqual([])
  },
  TIMEOUT_MS,
)
