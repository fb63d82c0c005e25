import { createWallet } from '@hailstone/client'
import type { Address } from '@hailstone/mining-node'
import { describe, expect, it } from 'vitest'
import { openByPasskey, type PasskeyBox, sealForPasskey } from './passkey-box.ts'

type Bytes = Uint8Array<ArrayBuffer>

const wallet = createWallet()
const random = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length))
const SECRET = random(32)
const request = { credentialId: random(20), salt: random(32) }
const seal = (secret = SECRET.slice()): Promise<PasskeyBox> =>
  sealForPasskey(async () => wallet, { ...request, secret })
const open = (box: PasskeyBox | undefined, secret = SECRET.slice(), address = wallet.address) =>
  openByPasskey(address, box, secret)

/** Returns a copy with one bit changed. */
function flipped(bytes: Uint8Array | ArrayBuffer, at = 0): Bytes {
  const copy = new Uint8Array(bytes instanceof ArrayBuffer ? bytes.slice(0) : bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('the key behind a passkey', () => {
  it('opens with the secret it was sealed with, and is the same key', async () => {
    expect(await open(await seal())).toBe(wallet.exportPrivateKey())
  })

  it('has neither the key nor the secret in what is stored, and never the same bytes twice', async () => {
    const [box, again] = [await seal(), await seal()]
    const stored = Buffer.concat(
      [box.credentialId, box.salt, box.nonce, new Uint8Array(box.sealed)].map((part) => Buffer.from(part)),
    ).toString('hex')
    expect(stored).not.toContain(wallet.exportPrivateKey())
    expect(stored).not.toContain(Buffer.from(wallet.exportPrivateKey()).toString('hex'))
    expect(stored).not.toContain(Buffer.from(SECRET).toString('hex'))
    expect(Object.keys(box).toSorted()).toEqual(['credentialId', 'nonce', 'salt', 'sealed'])
    expect(flipped(box.sealed)).not.toEqual(flipped(again.sealed))
  })

  it('leaves no secret in memory that it was given, whether it opens or not', async () => {
    const [sealing, opening, refused, early] = [0, 1, 2, 3].map(() => SECRET.slice()) as [
      Bytes,
      Bytes,
      Bytes,
      Bytes,
    ]
    const box = await seal(sealing)
    await open(box, opening)
    await expect(open({ ...box, salt: random(32) }, refused)).resolves.toBeNull()
    const wrong = () => Promise.reject(new Error('wrong passphrase'))
    await expect(sealForPasskey(wrong, { ...request, secret: early })).rejects.toThrow('wrong passphrase')
    for (const secret of [sealing, opening, refused, early]) expect(secret).toEqual(new Uint8Array(32))
  })

  it.each<[string, (box: PasskeyBox) => PasskeyBox | undefined]>([
    ['another salt', (box) => ({ ...box, salt: random(32) })],
    ['another passkey', (box) => ({ ...box, credentialId: random(20) })],
    ['another nonce', (box) => ({ ...box, nonce: flipped(box.nonce) })],
    ['a changed key', (box) => ({ ...box, sealed: flipped(box.sealed).buffer })],
    ['a changed tag', (box) => ({ ...box, sealed: flipped(box.sealed, box.sealed.byteLength - 1).buffer })],
    ['a shorter text', (box) => ({ ...box, sealed: box.sealed.slice(1) })],
    ['nothing', () => undefined],
    ['something else', () => ({}) as PasskeyBox],
  ])('is refused, and no other key, once the stored box has %s', async (_, change) => {
    await expect(open(change(await seal()))).resolves.toBeNull()
  })

  it('is refused to each other secret, to one of another length, and to another account', async () => {
    const box = await seal()
    for (const secret of [flipped(SECRET), random(32), new Uint8Array(32), SECRET.slice(0, 31)])
      await expect(open(box, secret)).resolves.toBeNull()
    await expect(open(box, SECRET.slice(), createWallet().address as Address)).resolves.toBeNull()
  })

  it('is not replaced by the key of somebody who can write to the storage', async () => {
    const stranger = createWallet()
    // They made this box with a secret of their own; the device answers with that of the owner.
    const theirs = await sealForPasskey(async () => stranger, { ...request, secret: random(32) })
    await expect(open(theirs)).resolves.toBeNull()
  })
})
