import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { defaultPbkdf2, defaultScrypt, deriveKey } from './key-derivation.ts'

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

/** The quickest of some rounds: what disturbs a measurement only ever makes it longer. */
async function quickest(rounds: number, act: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await cpuMs(act))
  return Math.min(...times)
}

describe.each([
  ['scrypt, as on Node', defaultScrypt],
  ['PBKDF2, as in browsers', defaultPbkdf2],
])('a guess at a password: %s', (_, derivation) => {
  const guessing = () => quickest(3, () => deriveKey({ ...guess, derivation }))

  it('S-6: costs 25 times what it costs with the public wallets, at least', async () => {
    const theirs = await quickest(12, publicWalletsGuess)
    expect((await guessing()) / theirs).toBeGreaterThanOrEqual(25)
  }, 120_000)

  it('S-6: is of use for one user only: another salt gives another key', async () => {
    const keyOf = (salt: string) => deriveKey({ ...guess, salt, derivation })
    expect(await keyOf(guess.salt)).not.toEqual(await keyOf(guess.salt.replace('00', '01')))
  }, 120_000)

  it('S-5: keeps its owner waiting 1.5 s at most', async () => {
    expect(await guessing()).toBeLessThanOrEqual(1_500)
  }, 120_000)
})
