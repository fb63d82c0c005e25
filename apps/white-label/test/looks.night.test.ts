import { describe, it } from 'vitest'
import { useApp } from './app-harness.ts'
import { expectLookIsFine } from './look-walk.ts'

const app = useApp()

/** Looks that differ in shape, density, sign, typeface and mode, with the language each is tried in. The others are tried in a change. */
const tried = [
  { name: 'ember', language: 'en' },
  { name: 'meadow', language: 'ar' },
  { name: 'frost', language: 'en' },
] as const

describe('looks', () => {
  for (const look of tried) {
    it(`check 38: ${look.name} breaks no rule and clips nothing on any route at 320 pixels, in both modes, forced colours, and with text of twice the size`, () =>
      expectLookIsFine(app, look))
  }
})
