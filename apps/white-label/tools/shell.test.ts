import { beforeAll, describe, expect, it } from 'vitest'
import { readShell, type Shell } from './build-brand.ts'

let shell: Shell
beforeAll(async () => {
  shell = await readShell()
})

const scripts = (name: keyof Shell): string =>
  [...shell[name]]
    .filter(([path]) => path.endsWith('.js'))
    .map(([, bytes]) => Buffer.from(bytes).toString('utf8'))
    .join('\n')

describe('the two built apps', () => {
  it('check 8: one has the words of a mining session and a socket, the other has neither', () => {
    const spoken = [
      /on_leader_beacon/,
      /new WebSocket|globalThis\.WebSocket/,
      /ERR_DUPLICATE_KEY/,
      /method:["'`]hail/,
    ]
    const [mining, wallet] = [scripts('mining'), scripts('wallet')]
    for (const word of spoken) {
      expect(mining).toMatch(word)
      expect(wallet).not.toMatch(word)
    }
    // The rest is there: it signs payments.
    expect(wallet).toMatch(/JOURNAL_LOCKED/)
  })
})
