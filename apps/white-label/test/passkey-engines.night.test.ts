import { engines, missingEngine, openEngine } from '@hailstone/test-browser'
import { describe, expect, it } from 'vitest'
import { brandFolder, plain, useApp } from './app-harness.ts'
import { goTo, importAccount } from './walk-steps.ts'

const app = useApp()

describe('a passkey that cannot be had', () => {
  for (const engine of engines.filter((name) => name !== 'chromium')) {
    const why = missingEngine(engine)
    const lacks = why === null ? '' : ` (left out: ${why})`
    it.skipIf(why !== null)(`check 30: is said in ${engine}${lacks}`, { timeout: 300_000 }, async () => {
      const walker = await openEngine(engine)
      try {
        const { open, until, read } = walker
        // WebAuthn refuses IP addresses: the id of a relying party is a host name.
        const url = await app.serve({ brandFolder: brandFolder('jamr'), flags: plain })
        await open(url.replace('127.0.0.1', 'localhost'))
        await importAccount(walker, app.keyOf(1))
        await until('Start mining')
        await goTo(walker, '/more/security')
        await until('A passkey unlocks the wallet')
        const sentences = [
          'There are no passkeys in this browser or app window.',
          'A security key with a PIN can hold the passkey.',
          'they lack the extension PRF',
        ]
        const text = await read()
        expect(sentences.filter((sentence) => text.includes(sentence))).toHaveLength(1)
      } finally {
        await walker.end()
      }
    })
  }
})
