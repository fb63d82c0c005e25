import { describe, expect, it } from 'vitest'
import { exits } from './exit-codes.ts'
import { judgeEnd, MAX_DEATHS, type ProcessEnd } from './restart-policy.ts'

const outOfMemory: ProcessEnd = { code: null, signal: 'SIGABRT' }
const ended = (code: number): ProcessEnd => ({ code, signal: null })

describe('P3: what is done about a miner that ended', () => {
  it.each(Object.values(exits).filter((exit) => exit !== exits.unexpected))(
    'nothing after an end in order: $number $name',
    (exit) => {
      expect(judgeEnd(ended(exit.number), 0, 5_000)).toStrictEqual({ kind: 'end', exit })
    },
  )

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('nothing after %s, which somebody sent', (signal) => {
    expect(judgeEnd({ code: null, signal }, 3, 5_000)).toStrictEqual({ kind: 'end', exit: exits.ok })
  })

  it.each<[string, ProcessEnd, RegExp]>([
    ['ran out of memory', outOfMemory, /out of memory/],
    ['was killed', { code: null, signal: 'SIGKILL' }, /killed/],
    ['crashed', { code: null, signal: 'SIGSEGV' }, /crashed/],
    ['failed', ended(1), /failed with 1/],
    ['ended with a number of the shell', ended(134), /failed with 134/],
    ['could not be started', { code: null, signal: null }, /could not be started/],
  ])('one that %s is started again at once, and it says why', (_, end, reason) => {
    const verdict = judgeEnd(end, 0, 5_000)
    expect(verdict).toMatchObject({ kind: 'restart', deaths: 1, reason: expect.stringMatching(reason) })
    // The start of a process comes on top.
    expect(verdict.kind === 'restart' && verdict.waitMs).toBeLessThanOrEqual(1_000)
  })

  it('one that dies again and again is waited for longer each time, and given up in the end', () => {
    const waits: number[] = []
    let deaths = 0
    for (;;) {
      const verdict = judgeEnd(outOfMemory, deaths, 1_000)
      if (verdict.kind !== 'restart') {
        expect(verdict).toMatchObject({ kind: 'give up', exit: { name: 'KEEPS_DYING', number: 26 } })
        break
      }
      waits.push(verdict.waitMs)
      deaths = verdict.deaths
    }
    expect(waits).toStrictEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(deaths).toBe(MAX_DEATHS - 1)
  })

  it('a minute of life makes up for all deaths before', () => {
    expect(judgeEnd(outOfMemory, MAX_DEATHS - 1, 60_000)).toMatchObject({ kind: 'restart', deaths: 1 })
  })
})
