import { hostNames } from '@hailstone/brand/tools'
import { describe, expect, it } from 'vitest'
import { faults, scriptIsPage, walkFromOlder, walkUpdate } from './update-walk.ts'
import { imitatedDevice } from './worker-device.ts'

describe.each(hostNames)('an app on %s opens at every visit', (name) => {
  it.each(faults)('while its update meets %s', (_, fault, isRefused) =>
    walkUpdate({ name, openDevice: imitatedDevice }, fault(), isRefused),
  )

  it('once it is updated from a worker that kept the page for a script', () =>
    walkFromOlder({ name, openDevice: imitatedDevice }, scriptIsPage))
})

it('an app whose older worker kept a redirected page opens with the next version', async () => {
  await walkFromOlder({ name: 'cloudflare', openDevice: imitatedDevice })
  // On other hosts nothing is redirected, and the older version opens.
  await expect(walkFromOlder({ name: 'nginx', openDevice: imitatedDevice })).rejects.toThrow('to be null')
})
