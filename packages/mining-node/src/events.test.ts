import { NodeError } from '@hailstone/protocol'
import { expect, it } from 'vitest'
import { createEventHub } from './events.ts'

const url = 'ws://127.0.0.1:9'

it('calls the listeners of an event in the order in which they came, and those of no other', () => {
  const { on, emit } = createEventHub()
  const heard: string[] = []
  on('connected', ({ url: at }) => heard.push(`first ${at}`))
  on('hailed', () => heard.push('another event'))
  on('connected', () => heard.push('second'))
  emit('connected', { url })
  expect(heard).toEqual([`first ${url}`, 'second'])
})

it('keeps one function apart from itself when it listens twice', () => {
  const { on, emit } = createEventHub()
  let count = 0
  const listener = () => void count++
  const leave = on('connected', listener)
  on('connected', listener)
  leave()
  leave()
  emit('connected', { url })
  expect(count).toBe(1)
})

it('a listener that comes or goes during an event changes the next one', () => {
  const { on, emit } = createEventHub()
  const heard: string[] = []
  on('connected', () => {
    heard.push('one')
    leave()
    if (heard.length === 1) on('connected', () => heard.push('newcomer'))
  })
  const leave = on('connected', () => heard.push('leaver'))
  emit('connected', { url })
  expect(heard).toEqual(['one', 'leaver'])
  emit('connected', { url })
  expect(heard).toEqual(['one', 'leaver', 'one', 'newcomer'])
})

it('reports what a listener throws to the others, once, also where the listener of failures throws', () => {
  const { on, emit } = createEventHub()
  const failures: NodeError[] = []
  on('failed', ({ error }) => failures.push(error))
  on('failed', () => {
    throw new Error('a careless reporter')
  })
  on('connected', () => {
    throw new Error('a careless listener')
  })
  emit('connected', { url })
  expect(failures).toHaveLength(1)
  expect(failures[0]).toBeInstanceOf(NodeError)
  expect(failures[0]).toMatchObject({ code: 'LISTENER_FAILED', facts: { event: 'connected' } })
})

it('listens once to the next event alone, also where the listener throws or has left before', () => {
  const { on, once, emit } = createEventHub()
  const failures: NodeError[] = []
  on('failed', ({ error }) => failures.push(error))
  once('connected', () => {
    throw new Error('a careless listener')
  })
  let calls = 0
  const leave = once('connected', () => calls++)
  leave()
  emit('connected', { url })
  emit('connected', { url })
  expect([failures.length, calls]).toEqual([1, 0])
})

it('a listener that rejects ends nothing: reported, but for that of failures', async () => {
  const { on, emit } = createEventHub()
  const failures: NodeError[] = []
  const careless = () => Promise.reject(new Error('a careless listener'))
  on('connected', careless)
  on('failed', careless)
  on('failed', ({ error }) => failures.push(error))
  emit('connected', { url })
  await new Promise((resolve) => setTimeout(resolve))
  expect(failures.map(({ code }) => code)).toEqual(['LISTENER_FAILED'])
})
