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

describe('the built apps', () => {
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

  it('have the page of the service and its words in the packages for Android that offer it, and nowhere else', () => {
    for (const word of [/AppMiner/, /minerHost/, /screenOff\.ask/, /mine\.pause\.heat/]) {
      expect(scripts('android')).toMatch(word)
      expect(scripts('mining')).not.toMatch(word)
      expect(scripts('wallet')).not.toMatch(word)
    }
    expect(shell.android.has('miner.html')).toBe(true)
    expect(shell.mining.has('miner.html') || shell.wallet.has('miner.html')).toBe(false)
  })
})
