import { expect, it } from 'vitest'
import { createNetworkQuestions } from './network-questions.ts'

it('asks the same once within five seconds, also while the answer is under way', async () => {
  let [nowMs, asked] = [0, 0]
  const question = createNetworkQuestions(() => nowMs)
  const ask = async () => ++asked
  expect(await Promise.all([question('a', ask), question('a', ask), question('b', ask)])).toEqual([1, 1, 2])
  nowMs = 4_999
  expect(await question('a', ask)).toBe(1)
  nowMs = 5_000
  expect(await question('a', ask)).toBe(3)
})

it('asks one question at a time, and refuses those for which there is no place', async () => {
  const question = createNetworkQuestions()
  let [running, most] = [0, 0]
  const ask = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  }
  const asked = Array.from({ length: 40 }, (_, index) => question(`${index}`, ask))
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(most).toBe(1)
  expect(refused).toHaveLength(8)
  // There is room again, and a refusal is not kept.
  await question('39', ask)
})

it('leaves room for others when one person asks much', async () => {
  const question = createNetworkQuestions()
  const ask = async () => await new Promise((resolve) => setImmediate(resolve))
  const asked = Array.from({ length: 40 }, (_, index) => question(`${index}`, ask, 'one'))
  const other = question('other', ask, 'two')
  const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(32)
  await other
})

it('asks again after a failure', async () => {
  const question = createNetworkQuestions(() => 0)
  await expect(question('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await question('a', async () => 'here')).toBe('here')
})
