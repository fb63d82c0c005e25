import { describe, expect, it } from 'vitest'
import { type AlertState, nextAlert, type Observation, quietAlert } from './next-alert.ts'

const tip = { height: 10, nextHash: 'a' }
const look: Observation = { isBad: true, minutes: 0, nowMs: 1000, tip, isUndone: false }

function play(looks: readonly Partial<Observation>[]): readonly (string | null)[] {
  let state: AlertState = quietAlert
  return looks.map((one) => {
    const { after, event } = nextAlert(state, { ...look, ...one })
    state = after
    return event === null ? null : `${event} ${after.episode}`
  })
}

describe('an alert', () => {
  it('starts once and ends once, however often is looked', () => {
    expect(play([{}, {}, {}, { isBad: false }, { isBad: false }, {}, {}])).toStrictEqual([
      ...['started 1', null, null, 'ended 1', null, 'started 2', null],
    ])
  })

  it('starts after as many minutes as its rule says, and not if it was well in between', () => {
    const minute = 60_000
    expect(
      play([
        { minutes: 5, nowMs: 0 },
        { minutes: 5, nowMs: 4 * minute },
        { minutes: 5, nowMs: 4.5 * minute, isBad: false },
        { minutes: 5, nowMs: 5 * minute },
        { minutes: 5, nowMs: 10 * minute - 1 },
        { minutes: 5, nowMs: 10 * minute },
      ]),
    ).toStrictEqual([null, null, null, null, null, 'started 1'])
  })

  it('goes on while its value swings, and ends when that is over', () => {
    const minute = 60_000
    const swinging = Array.from({ length: 120 }, (_, at) => ({ isBad: at % 2 === 0, nowMs: at * minute }))
    const events = play([
      ...swinging,
      { isBad: false, nowMs: 121 * minute },
      { isBad: false, nowMs: 400 * minute },
    ])
    expect(events.filter((event) => event !== null).length).toBeLessThanOrEqual(9)
    for (let from = 0; from + 60 <= swinging.length; from++)
      expect(events.slice(from, from + 60).filter((event) => event !== null).length).toBeLessThanOrEqual(7)
    expect(events.findLast((event) => event !== null)).toMatch(/^ended /)
  })

  it('ends by a value that is away from the threshold alone', () => {
    expect(play([{}, { isBad: false, isClear: false }, {}, { isBad: false, isClear: true }])).toStrictEqual([
      ...['started 1', null, null, 'ended 1'],
    ])
  })

  it('neither starts nor ends by a value that is not known', () => {
    expect(play([{ isBad: null }, {}, { isBad: null }, { isBad: false }])).toStrictEqual([
      ...[null, 'started 1', null, 'ended 1'],
    ])
  })

  it('is withdrawn when the chain goes back to before it began, and goes on where it began again', () => {
    expect(play([{}, { isBad: false, isUndone: true }])).toStrictEqual(['started 1', 'withdrawn 1'])
    // Nobody knows whether the other branch has it, and maybe nobody ever will.
    expect(play([{}, { isBad: null, isUndone: true }, { isBad: null }])).toStrictEqual([
      ...['started 1', 'withdrawn 1', null],
    ])
    expect(
      play([{}, { isUndone: true, tip: { height: 10, nextHash: 'b' } }, { isBad: false }]),
    ).toStrictEqual([...['started 1', null, 'ended 1']])
    const again = nextAlert(
      { state: 'active', sinceMs: 0, height: 10, nextHash: 'a', episode: 1 },
      { ...look, isUndone: true, tip: { height: 11, nextHash: 'b' } },
    )
    expect(again.after).toMatchObject({ height: 11, nextHash: 'b', episode: 1, state: 'active' })
  })
})
