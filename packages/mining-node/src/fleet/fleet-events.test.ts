import type { NodeError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createFleetStream } from './fleet-events.ts'

const started = { type: 'started', nodes: 1 } as const

it.each([
  [
    'throws',
    (): unknown => {
      throw new Error('careless')
    },
  ],
  ['rejects', (): unknown => Promise.reject(new Error('careless'))],
])('reports a listener that always %s to the others, once', async (_, careless) => {
  const { subscribe, emit } = createFleetStream()
  const failures: NodeError[] = []
  let calls = 0
  // The bound ends what would otherwise never let the test go on.
  subscribe(() => (++calls > 100 ? undefined : careless()))
  subscribe((event) => event.type === 'failed' && failures.push(event.error))
  emit(started)
  await new Promise((resolve) => setTimeout(resolve))
  expect(failures.map(({ code, facts }) => ({ code, facts }))).toEqual([
    { code: 'LISTENER_FAILED', facts: { event: 'fleet', reason: 'careless' } },
  ])
  expect(calls).toBe(2)
})

it('a listener that comes or goes during an event changes the next one', () => {
  const { subscribe, emit } = createFleetStream()
  const called: string[] = []
  subscribe(() => {
    called.push('one')
    leave()
    if (called.length === 1) subscribe(() => called.push('newcomer'))
  })
  const leave = subscribe(() => called.push('leaver'))
  emit(started)
  expect(called).toEqual(['one', 'leaver'])
  emit(started)
  expect(called).toEqual(['one', 'leaver', 'one', 'newcomer'])
})
