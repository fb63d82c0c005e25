import { expect, it } from 'vitest'
import { createTurns } from './in-turn.ts'

const create = () => createTurns({ limit: 4, limitOfOne: 2, refusal: 'full' })

it('lets nobody fill the queue alone', async () => {
  const inTurn = create()
  const ran: string[] = []
  const step = (name: string) => inTurn(async () => ran.push(name), { name })
  const steps = [step('a'), step('a'), step('a'), step('b'), step('b'), step('c')]
  const ends = (await Promise.allSettled(steps)).map(({ status }) => status === 'fulfilled')
  expect(ends).toEqual([true, true, false, true, true, false])
  expect(ran).toEqual(['a', 'a', 'b', 'b'])
  await expect(step('a')).resolves.toBe(5)
})

it('drops a step that waits as soon as nobody wants it any more, and makes room', async () => {
  const inTurn = create()
  let release = (): void => {}
  const first = inTurn(() => new Promise<void>((resolve) => (release = resolve)), { name: 'a' })
  const gone = new AbortController()
  const ran: string[] = []
  const second = inTurn(async () => ran.push('second'), { name: 'a', signal: gone.signal })
  gone.abort()
  await expect(second).rejects.toThrow(/abort/)
  const third = inTurn(async () => ran.push('third'), { name: 'a' })
  release()
  await Promise.all([first, third])
  expect(ran).toEqual(['third'])
})
