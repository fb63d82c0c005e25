import { bench, describe } from 'vitest'
import { identityPoint } from './hash-to-point.ts'
import { masterPublicKeyOf, signLeaderMessage } from './sign-leader-message.ts'
import { verifyLeaderSignature } from './verify-leader-signature.ts'

/** CPU time of this process in ms, as in RELIABILITY P-6. Less sensitive to a busy machine than elapsed time. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const masterSecret = 2n ** 300n + 7n
const statement = { leaderId: '14532', keyBlockHash: 'a'.repeat(64), merkleRoot: 'b'.repeat(64) }
const masterPublicKey = masterPublicKeyOf(masterSecret)
const signature = signLeaderMessage({ masterSecret, randomScalar: 2n ** 400n + 9n, statement })

describe('leader signature, in CPU time', () => {
  const options = { now: cpuMs, time: 3000, warmupTime: 500 }

  bench(
    'verify',
    () => {
      const given = { ...statement, masterPublicKey, signature }
      if (!verifyLeaderSignature(given)) throw new Error('the signature did not verify')
    },
    options,
  )

  bench('identity point alone', () => void identityPoint(BigInt(`0x${statement.merkleRoot}`)), options)
})
