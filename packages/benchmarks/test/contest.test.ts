import { expect, it } from 'vitest'
import { holdContest } from '../src/contest.ts'

const settings = { rounds: 2, minRoundMs: 4, quietWaitMs: 0 }

const spin = (turns: number) => (times: number) => {
  let sum = 0
  for (let turn = 0; turn < turns * times; turn++) sum += Math.sqrt(turn)
  return sum
}

it('counts every round of every contestant', async () => {
  const contestants = ['one', 'two'].map((name) => ({ name, run: spin(1_000), check: () => true }))
  const { samples } = await holdContest({ contestants, settings })
  expect([...samples.keys()]).toEqual(['one', 'two'])
  for (const rates of samples.values()) {
    expect(rates).toHaveLength(2)
    expect(rates.every((rate) => rate > 0)).toBe(true)
  }
})

it('ends when an answer is wrong', async () => {
  const contestants = [{ name: 'wrong', run: spin(1), check: () => false }]
  await expect(holdContest({ contestants, settings })).rejects.toThrow('wrong gives a wrong answer')
})
