import { expect, it } from 'vitest'
import { guarded } from './guarded.ts'

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const careless = (message: string) => (): never => {
  throw new Error(message)
}
const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

it('calls back before it returns, with everything that was given', () => {
  const heard: unknown[] = []
  guarded((...given: readonly unknown[]) => heard.push(given))('a', 1)
  expect(heard).toEqual([['a', 1]])
})

it('reports what a callback throws before it returns, and what it rejects with later', async () => {
  const heard: string[] = []
  const report = (cause: unknown): unknown => heard.push(messageOf(cause))
  guarded(careless('thrown'), report)()
  expect(heard).toEqual(['thrown'])
  guarded(() => Promise.reject(new Error('rejected')), report)()
  await turn()
  expect(heard).toEqual(['thrown', 'rejected'])
})

it('comes through callbacks that are absent, never answer, or whose report fails too', async () => {
  guarded(undefined)()
  guarded(() => new Promise(() => {}))()
  guarded(careless('one'), careless('two'))()
  guarded(careless('one'), () => Promise.reject(new Error('two')))()
  guarded(() => Promise.reject(new Error('one')))()
  await turn()
})
