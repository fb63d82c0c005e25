import { beforeAll, expect, it } from 'vitest'
import { brandFolder, plain, useApp } from './app-harness.ts'
import { allWalks, walkThreeTabs } from './three-tabs.ts'

const app = useApp()
let url: string
beforeAll(async () => {
  url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
})

// One walk of each step; the night makes all 45.
const walks = allWalks.filter((_, at) => at % 10 === 0)

it.each(walks)(
  'a payment at the step $step ends in a true sentence while the tab of the $victim is $end',
  async (walk) => {
    expect(await walkThreeTabs(app, url, walk)).not.toBe('not certain')
  },
  120_000,
)
