import { expect, it } from 'vitest'
import { openOnce } from './open-once.ts'

it('closes what is still being opened, also where that fails', async () => {
  const closed: string[] = []
  const results = [
    Promise.reject(new Error('locked')),
    Promise.resolve({ close: async () => void closed.push('it') }),
  ]
  const once = openOnce(() => results.shift() ?? Promise.reject(new Error('nothing')))
  const failing = once.open()
  await once.close()
  await expect(failing).rejects.toThrow('locked')
  const opening = once.open()
  await once.close()
  await opening
  expect([closed, once.isAsked(), once.opened()]).toEqual([['it'], false, null])
})
