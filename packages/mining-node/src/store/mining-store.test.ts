import { describe, expect, it } from 'vitest'
import { createStore } from './mining-store.ts'

describe('a store', () => {
  it('replaces its value and calls back only when something changed', () => {
    const store = createStore({ initial: { one: 1, two: 2 }, onError: () => undefined })
    const first = store.snapshot()
    let calls = 0
    const leave = store.subscribe(() => calls++)
    store.update({ one: 1 })
    expect(store.snapshot()).toBe(first)
    store.update({ one: 5 })
    expect([first, store.snapshot(), calls]).toEqual([{ one: 1, two: 2 }, { one: 5, two: 2 }, 1])
    leave()
    store.update({ one: 6 })
    expect(calls).toBe(1)
  })

  it('calls the other listeners when one throws, also while one leaves', () => {
    const thrown: unknown[] = []
    const store = createStore({ initial: { one: 1 }, onError: (error) => thrown.push(error) })
    const called: string[] = []
    const leave = store.subscribe(() => {
      leave()
      throw new Error('first')
    })
    store.subscribe(() => called.push('second'))
    store.update({ one: 2 })
    store.update({ one: 3 })
    expect([called, thrown.length]).toEqual([['second', 'second'], 1])
  })
})
