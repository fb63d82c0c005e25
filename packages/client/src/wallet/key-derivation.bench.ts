import { createHash } from 'node:crypto'
import { bench, describe } from 'vitest'
import { defaultPbkdf2, defaultScrypt, deriveKey } from './key-derivation.ts'

/** CPU time of this process in ms: what a guess costs whoever tries passwords (RELIABILITY S-6). */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const options = { now: cpuMs, time: 3000, warmupIterations: 1 }
const guess = { password: 'correct horse', salt: '00112233445566778899aabbccddeeff' }

describe('S-6: one guess at a password, in CPU time', () => {
  bench(
    'scrypt, the default on Node',
    async () => void (await deriveKey({ ...guess, derivation: defaultScrypt })),
    options,
  )
  bench(
    'PBKDF2, the default in browsers',
    async () => void (await deriveKey({ ...guess, derivation: defaultPbkdf2 })),
    options,
  )
  bench(
    '10,000 SHA-256 with a common salt, as the public wallets do',
    () => {
      let digest = guess.password
      for (let round = 0; round < 10_000; round++) digest = createHash('sha256').update(digest).digest('hex')
    },
    options,
  )
})
