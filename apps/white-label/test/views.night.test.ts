import { describe, it } from 'vitest'
import { enter } from './accessibility.ts'
import { brandFolder, everyView, useApp } from './app-harness.ts'
import { expectFineOnEveryRoute, narrowIn, walkedBrands } from './route-walk.ts'

const app = useApp()

// In a change these views have the engine of the preview, with values that no network gave.
describe('every view on a network', () => {
  for (const brand of walkedBrands) {
    const { name, language, hasAgentStep } = brand
    it(`check 20: ${name} breaks no rule on any route in both modes, and nothing is clipped at 320 pixels`, async () => {
      const url = await app.serve({ brandFolder: brandFolder(name), flags: everyView })
      const page = await app.open(url, narrowIn(language))
      await enter(page, app.keyOf(0), hasAgentStep)
      await page.locator('.ring-button').click()
      await expectFineOnEveryRoute(page, brand)
    })
  }
})
