import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { defaultScrypt, deriveKey } from './key-derivation.ts'

/** CPU time of this process in ms, whatever else the machine does. */
async function cpuMs(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const guess = { password: 'correct horse', salt: '00112233445566778899aabbccddeeff' }

/** What the public wallets do with a password, with a salt that all users share. */
function publicWalletsGuess(): void {
  let digest = guess.password
  for (let round = 0; round < 10_000; round++) digest = createHash('sha256').update(digest).digest('hex')
}

it('S-6: a guess at a password costs 25 times what it costs with the public wallets, at least', async () => {
  publicWalletsGuess()
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round++) {
    ours.push(await cpuMs(() => deriveKey({ ...guess, derivation: defaultScrypt })))
    for (let again = 0; again < 4; again++) theirs.push(await cpuMs(publicWalletsGuess))
  }
  // The quickest of each: what disturbs a measurement only ever makes it longer.
  expect(Math.min(...ours) / Math.min(...theirs)).toBeGreaterThanOrEqual(25)
}, 120_000)
