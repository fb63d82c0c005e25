import { type Address, formatBeacon, microblockHash, sha256Hex } from '@hailstone/protocol'
import type { Random } from '../chain/selection.ts'

/**
 * A beacon without transactions for a key block that does not exist; its hash is right. Answering it is a fault
 * of the miner (PROTOCOL 5.8).
 */
export function formatProbe(parameters: {
  readonly leaderId: string
  readonly publisher: Address
  readonly random: Random
}): string {
  const { leaderId, publisher, random } = parameters
  const keyBlockHash = sha256Hex(`hailstone probe ${random()} for ${publisher}`)
  const content = { keyBlockHash, publisher, nonce: 1, transactions: [] }
  return formatBeacon({ leaderId, microblockHash: microblockHash(content), content })
}
