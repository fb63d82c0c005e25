import { getEventListeners } from 'node:events'
import { apiError } from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { onAbort } from './on-abort.ts'
import { type OnCancel, withDeadline } from './with-deadline.ts'

describe('onAbort', () => {
  it('calls everyone once with a single listener', () => {
    const controller = new AbortController()
    const calls: number[] = []
    for (let at = 0; at < 30; at++) onAbort(controller.signal, () => calls.push(at))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    controller.abort()
    expect(calls).toStrictEqual(Array.from({ length: 30 }, (_, at) => at))
  })

  it('leaves nothing on the signal when the last one has gone', () => {
    const { signal } = new AbortController()
    const takeBack = [onAbort(signal, () => undefined), onAbort(signal, () => undefined)]
    for (const back of [...takeBack, ...takeBack]) back()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('does not call who has left, and calls at once on a signal that has fired', () => {
    const controller = new AbortController()
    const calls: string[] = []
    onAbort(controller.signal, () => calls.push('left'))()
    controller.abort()
    onAbort(controller.signal, () => calls.push('late'))
    expect(calls).toStrictEqual(['late'])
  })
})

describe('withDeadline', () => {
  const request = { method: 'GET', path: '/height' } as const
  const unknown = () => 'nobody says why'
  const hanging = (onCancel: OnCancel): Promise<never> =>
    new Promise((_, reject) => onCancel(() => reject(new Error('cancelled'))))

  it('cancels the work and says how long was waited', async () => {
    await expect(withDeadline({ ...request, timeoutMs: 10 }, unknown, hanging)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
      facts: { path: '/height', timeoutMs: 10 },
    })
  })

  it('keeps its deadline when the caller brings a signal, and leaves no listener', async () => {
    const { signal } = new AbortController()
    const outcome = withDeadline({ ...request, timeoutMs: 10, signal }, unknown, hanging)
    await expect(outcome).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' })
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('cancels work that begins to listen after the time is over', async () => {
    const late = async (onCancel: OnCancel) => {
      await systemClock.sleep(30)
      return hanging(onCancel)
    }
    await expect(withDeadline({ ...request, timeoutMs: 10 }, unknown, late)).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
  })

  it("tells the platform's failures in words, and passes its own on", async () => {
    const failing = (error: Error) =>
      withDeadline(
        { ...request, timeoutMs: 1_000 },
        (cause) => (cause as Error).message,
        () => Promise.reject(error),
      )
    await expect(failing(new Error('it broke'))).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
      facts: { path: '/height', reason: 'it broke' },
    })
    const own = apiError('RESPONSE_TOO_LARGE', { path: '/height', limitBytes: 1 })
    await expect(failing(own)).rejects.toBe(own)
  })

  it('does not fire at once for a deadline beyond what a timer holds', async () => {
    const work = () => systemClock.sleep(5).then(() => 'done')
    expect(await withDeadline({ ...request, timeoutMs: 2 ** 40 }, unknown, work)).toBe('done')
  })
})
