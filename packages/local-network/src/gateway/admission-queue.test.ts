import { expect, test } from 'vitest'
import { createAdmissionQueue } from './admission-queue.ts'

function setUp() {
  const turns: (() => void)[] = []
  let accepted = 0
  let timeMs = 0
  const admitted: number[] = []
  const queue = createAdmissionQueue({
    acceptedByApi: () => accepted,
    later: (run) => turns.push(run),
    now: () => timeMs,
  })
  return {
    admitted,
    arrive: (number: number, costMs = 0) =>
      queue(() => {
        admitted.push(number)
        timeMs += costMs
      }),
    acceptAtApi: () => accepted++,
    turn: () => {
      for (const run of turns.splice(0)) run()
    },
    isIdle: () => turns.length === 0,
  }
}

test('connections are admitted at once while the API accepts none', () => {
  const { arrive, admitted, isIdle } = setUp()
  arrive(1)
  arrive(2)
  expect(admitted).toEqual([1, 2])
  expect(isIdle()).toBe(true)
})

test('while the API accepts connections, one is admitted in four turns', () => {
  const { arrive, admitted, acceptAtApi, turn } = setUp()
  acceptAtApi()
  for (let number = 1; number <= 10; number++) arrive(number)
  for (let count = 0; count < 8; count++) {
    acceptAtApi()
    turn()
  }
  expect(admitted).toEqual([1, 2])
})

test('when the API accepts no more, those that wait are admitted in their order, a slice in each turn', () => {
  const { arrive, admitted, acceptAtApi, turn, isIdle } = setUp()
  acceptAtApi()
  for (let number = 1; number <= 10; number++) arrive(number, 2)
  turn()
  expect(admitted).toEqual([1, 2, 3, 4])
  arrive(11)
  turn()
  turn()
  expect(admitted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(isIdle()).toBe(true)
})
