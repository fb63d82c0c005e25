import { afterEach, expect, it, vi } from 'vitest'
import type { ToEngine } from '../engine/engine-messages.ts'
import { connectEngine, type EngineConnection } from './engine-connection.ts'

const connected: EngineConnection[] = []
afterEach(() => {
  // A connection that is left would end its open calls 40 s later, in the middle of another file.
  for (const engine of connected.splice(0)) engine.terminate()
  vi.useRealTimers()
})

/** Connects to a worker that the test plays. */
function connect() {
  const sent: ToEngine[] = []
  const worker = Object.assign(new EventTarget(), {
    postMessage: (message: ToEngine) => void sent.push(message),
    terminate: () => {},
  })
  const engine = connectEngine(worker as unknown as Worker)
  connected.push(engine)
  const receive = (data: object): void => void worker.dispatchEvent(new MessageEvent('message', { data }))
  const show = (state: object): void => receive({ type: 'state', state })
  return { worker, engine, sent, receive, show }
}

it('sends with each call the account that the page shows at that moment', () => {
  const { engine, sent, show } = connect()
  void engine.call('setStep')
  show({ account: { status: 'none' } })
  void engine.call('setStep')
  show({ account: { status: 'open', address: '0x01' } })
  void engine.call('setStep')
  expect(sent.map((message) => message.type === 'call' && message.account)).toEqual([undefined, null, '0x01'])
})

it('has no fault any more once the engine says anything again', () => {
  const { worker, engine, receive } = connect()
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

it('ends every call and says so when a running engine gives no sign of life, until it gives one', async () => {
  vi.useFakeTimers()
  const { engine, sent, receive, show } = connect()
  const call = engine.call('approvePayment')
  const ended = expect(call).rejects.toMatchObject({ code: 'WORKER_SILENT' })
  // One that has not begun may be loading its code.
  vi.advanceTimersByTime(600_000)
  expect(engine.fault()).toBeNull()
  show({ account: { status: 'none' } })
  for (let round = 0; round < 100; round++) {
    vi.advanceTimersByTime(10_000)
    receive({ type: 'alive' })
  }
  expect(sent.filter(({ type }) => type === 'ping')).toHaveLength(100)
  vi.advanceTimersByTime(30_000)
  expect(engine.fault()).toBeNull()
  vi.advanceTimersByTime(10_000)
  expect(engine.fault()).toMatchObject({ code: 'WORKER_SILENT' })
  await ended
  // One that was asked since then ends, too.
  const later = expect(engine.call('stop')).rejects.toMatchObject({ code: 'WORKER_SILENT' })
  vi.advanceTimersByTime(10_000)
  await later
  receive({ type: 'alive' })
  expect(engine.fault()).toBeNull()
})

it('keeps the last snapshot of an account while its node is opened anew', () => {
  const { engine, show } = connect()
  const account = { status: 'open', address: '02ab' }
  show({ account, snapshot: { address: '02ab' } })
  show({ account, snapshot: null })
  expect(engine.state()?.snapshot).toEqual({ address: '02ab' })
  show({ account: { status: 'none' }, snapshot: null })
  expect(engine.state()?.snapshot).toBeNull()
  show({ account: { status: 'open', address: '02cd' }, snapshot: null })
  expect(engine.state()?.snapshot).toBeNull()
})

it('tells the engine once that an asker has left, and still says how the call ended', async () => {
  const { engine, sent, receive } = connect()
  const asker = new AbortController()
  const call = engine.call('unlock', {}, asker.signal)
  asker.abort()
  expect(sent.map(({ type }) => type)).toEqual(['call', 'cancel'])
  receive({ type: 'answer', id: 1, value: 'done' })
  expect(await call).toBe('done')
  const late = new AbortController()
  const answered = engine.call('unlock', {}, late.signal)
  receive({ type: 'answer', id: 2, value: null })
  await answered
  late.abort()
  expect(sent.filter(({ type }) => type === 'cancel')).toHaveLength(1)
})
