import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { defaultPbkdf2, defaultScrypt, deriveKey, type KeyDerivation } from './key-derivation.ts'

const guess = { password: 'correct horse', salt: '00112233445566778899aabbccddeeff' }
const salt = Buffer.from(guess.salt, 'hex')

/**
 * Additions, rotations and xors of 32-bit words, counted in the text of the standards. They take an attacker's
 * hardware the same time whatever machine this test runs on; how long they take here is a benchmark (`bench -- vault`).
 */
const WORDS = {
  /** FIPS 180-4, one block: 48 schedule words of 13 operations, 64 rounds of 24, 8 additions to the state. */
  sha256Block: 48 * 13 + 64 * 24 + 8,
  /** RFC 7914, Salsa20/8: 4 double rounds of 8 quarter rounds, 4 times add, rotate and xor each, and 16 additions. */
  salsa20Core: 4 * 8 * 4 * 3 + 16,
}

/** SHA-256 of a password, then 9,999 times of the 64 hex digits before, which take two blocks with their padding. */
const publicWalletsGuess = (1 + 9_999 * 2) * WORDS.sha256Block

/** Operations of one guess, by the parameters alone. */
function costOf(derivation: KeyDerivation): number {
  // One output block; each iteration is an HMAC of two compressions.
  if (derivation.name === 'pbkdf2-sha256') return derivation.iterations * 2 * WORDS.sha256Block
  const { cost, blockSize, parallelism } = derivation
  // The memory is filled and read once; every step mixes 2 · blockSize blocks of 64 bytes.
  return 2 * cost * parallelism * 2 * blockSize * WORDS.salsa20Core
}

/** The same key as OpenSSL derives with exactly these parameters. */
function expectedKey(derivation: KeyDerivation): Uint8Array {
  if (derivation.name === 'pbkdf2-sha256')
    return Uint8Array.from(pbkdf2Sync(guess.password, salt, derivation.iterations, 32, 'sha256'))
  const { cost: N, blockSize: r, parallelism: p } = derivation
  return Uint8Array.from(scryptSync(guess.password, salt, 32, { N, r, p, maxmem: 256 * N * r }))
}

describe.each([
  ['scrypt, as on Node', defaultScrypt],
  ['PBKDF2, as in browsers', defaultPbkdf2],
])('a guess at a password: %s', (_, derivation) => {
  it('S-6: costs 25 times what it costs with the public wallets, at least', () => {
    expect(costOf(derivation) / publicWalletsGuess).toBeGreaterThanOrEqual(25)
  })

  it('S-6: computes every round of its parameters', async () => {
    expect(await deriveKey({ ...guess, derivation })).toEqual(expectedKey(derivation))
  })

  it('S-6: is of use for one user only: another salt gives another key', async () => {
    const keyOf = (text: string) => deriveKey({ ...guess, salt: text, derivation })
    expect(await keyOf(guess.salt)).not.toEqual(await keyOf(guess.salt.replace('00', '01')))
  })

  it('S-5: costs its owner at most 200 times as much, a second or so', () => {
    expect(costOf(derivation) / publicWalletsGuess).toBeLessThanOrEqual(200)
  })
})
