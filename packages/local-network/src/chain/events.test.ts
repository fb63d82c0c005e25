import { expect, test } from 'vitest'
import { createEvents } from './events.ts'

test('the name of no event is refused, with the nearest one', () => {
  const { on, emit } = createEvents<{ macroblockClosed: number }>({ macroblockClosed: true }, () => {})
  const seen: number[] = []
  on('macroblockClosed', (height) => void seen.push(height))
  emit('macroblockClosed', 7)
  expect(seen).toEqual([7])
  for (const name of ['macroblockClose', 'blockClosed', 'toString']) {
    expect(() => on(name as never, () => {})).toThrow(
      expect.objectContaining({
        code: 'CONFIGURATION_INVALID',
        facts: expect.objectContaining({ path: 'event' }),
      }),
    )
  }
  expect(() => on('macroblocksClosed' as never, () => {})).toThrow('did you mean "macroblockClosed"?')
})
