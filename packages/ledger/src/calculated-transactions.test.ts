import type { Hash } from '@hailstone/protocol'
import { expect, test } from 'vitest'
import { createCalculatedTransactions } from './calculated-transactions.ts'

const [a, b, c] = ['a', 'b', 'c'] as unknown as [Hash, Hash, Hash]

test('where all are held, nothing has to be asked', () => {
  const calculated = createCalculatedTransactions([a])
  calculated.add([b])
  expect(calculated.unasked([a, b, c])).toEqual([])
  expect([a, b, c].map(calculated.has)).toEqual([true, true, false])
  expect(calculated.content()).toEqual([a, b])
})

test('where they are not held, an answer is needed for each macroblock; nobody guesses', () => {
  const calculated = createCalculatedTransactions('unknown')
  expect(() => calculated.has(a)).toThrow('nobody asked')
  expect(calculated.unasked([a, b])).toEqual([a, b])
  calculated.learn({ asked: [a, b], calculated: [a] })
  expect(calculated.unasked([a, b, c])).toEqual([c])
  expect([a, b].map(calculated.has)).toEqual([true, false])
  calculated.add([b])
  expect(calculated.unasked([a, b])).toEqual([a, b])
  expect(calculated.content()).toBe('unknown')
})

test('holds all up to a limit, and has to be asked about every one beyond', () => {
  const calculated = createCalculatedTransactions([a], 2)
  calculated.add([b])
  expect(calculated.unasked([a, b, c])).toEqual([])
  calculated.add([c])
  expect(calculated.unasked([a, b, c])).toEqual([a, b, c])
  expect(calculated.content()).toBe('unknown')
})

test('takes the place of another one, whichever of the two kinds each is', () => {
  const calculated = createCalculatedTransactions([a])
  calculated.replaceWith('unknown')
  expect(calculated.unasked([a])).toEqual([a])
  calculated.replaceWith([b])
  expect([a, b].map(calculated.has)).toEqual([false, true])
})
