import {
  CURVE_ORDER,
  derToCompact,
  flippedSignature,
  isTransactionSigned,
  lenientHexToBytes,
  malleatedHashes,
  parseAddress,
  type Signature,
  toAmount,
  transactionHash,
  ZERO_TOKEN_ID,
} from '@hailstone/protocol'
import { describe, expect, it } from 'vitest'
import { walletFromPrivateKey } from '../wallet/wallet-from-private-key.ts'

const wallet = walletFromPrivateKey('5'.padStart(64, '0'))

const signed = (nonce: number) =>
  wallet.signTransaction({
    amount: toAmount(5n),
    data: 'malleated',
    from: wallet.address,
    nonce,
    tokenId: ZERO_TOKEN_ID,
    to: parseAddress(`02${'cd'.repeat(32)}`),
  })

const isHighS = (signature: string): boolean => {
  const s = derToCompact(lenientHexToBytes(signature)).subarray(32)
  return BigInt(`0x${Buffer.from(s).toString('hex')}`) * 2n > BigInt(CURVE_ORDER)
}

describe('malleated copies of a transaction', () => {
  it('S-3: our own signatures are never the high half, and their flipped form always is', () => {
    for (let nonce = 0; nonce < 100; nonce++) {
      const transaction = signed(nonce)
      expect(isHighS(transaction.signature)).toBe(false)
      const flipped = flippedSignature(transaction.signature)
      expect(isHighS(flipped)).toBe(true)
      expect(flippedSignature(flipped)).toBe(transaction.signature)
    }
  })

  it('are valid for the network, which would execute each of them', () => {
    const transaction = signed(1)
    const malleated = malleatedHashes(transaction)
    const flipped = flippedSignature(transaction.signature)
    for (const signature of [
      flipped,
      `${flipped}a`,
      `${transaction.signature}0`,
      `${transaction.signature}f`,
    ]) {
      const copy = { ...transaction, signature: signature as Signature }
      expect(isTransactionSigned(copy)).toBe(true)
      expect(malleated.has(transactionHash(copy))).toBe(true)
    }
  })

  it('are thirty-three, without that of the transaction itself', () => {
    const transaction = signed(2)
    expect(malleatedHashes(transaction).size).toBe(33)
    expect(malleatedHashes(transaction).has(transactionHash(transaction))).toBe(false)
  })
})
