import { expect, it } from 'vitest'
import type { ToEngine } from '../engine/engine-messages.ts'
import { connectEngine } from './engine-connection.ts'

it('sends with each call the account that the page shows at that moment', () => {
  const sent: ToEngine[] = []
  const worker = Object.assign(new EventTarget(), {
    postMessage: (message: ToEngine) => void sent.push(message),
  })
  const engine = connectEngine(worker as unknown as Worker)
  const show = (account: object): void => {
    worker.dispatchEvent(new MessageEvent('message', { data: { type: 'state', state: { account } } }))
  }
  void engine.call('setStep')
  show({ status: 'none' })
  void engine.call('setStep')
  show({ status: 'open', address: '0x01' })
  void engine.call('setStep')
  expect(sent.map((message) => message.type === 'call' && message.account)).toEqual([undefined, null, '0x01'])
})

it('has no fault any more once the engine says anything again', () => {
  const worker = Object.assign(new EventTarget(), { postMessage: () => {} })
  const engine = connectEngine(worker as unknown as Worker)
  const receive = (data: object): void => void worker.dispatchEvent(new MessageEvent('message', { data }))
  const faults: unknown[] = []
  engine.subscribe(() => void faults.push(engine.fault()?.code ?? null))
  const state = { type: 'state', state: { account: { status: 'none' } } }
  receive({ type: 'broken', error: { code: 'UNKNOWN', message: 'closed', facts: {} } })
  receive(state)
  worker.dispatchEvent(Object.assign(new Event('error'), { message: 'thrown by a timer' }))
  receive({ type: 'answer', id: 1, value: null })
  receive({ type: 'answer', id: 2, value: null })
  expect(faults).toEqual(['UNKNOWN', null, 'WORKER_FAILED', null])
})
