import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { writtenText } from '@hailstone/runtime/node'
import { type Finding, finding } from '../findings/finding.ts'

/** Signs bytes with Ed25519; returns 64 bytes. The key stays in the closure. */
export type Signer = (bytes: Uint8Array) => Uint8Array

/** True if the signature of the bytes is valid for the key. */
export type SignatureCheck = (bytes: Uint8Array, signature: Uint8Array) => boolean

export type ReadKey<T> = { readonly use: T; readonly finding: null } | { readonly finding: Finding }

/** Reads a private key from a PEM file, as written by `openssl genpkey -algorithm ed25519`. */
export const readSigner = (path: string): Promise<ReadKey<Signer>> =>
  readKey(path, 'private', (key) => (bytes) => new Uint8Array(sign(null, bytes, key)))

/** Reads a public key from a PEM file, as written by `openssl pkey -pubout`. */
export const readSignatureCheck = (path: string): Promise<ReadKey<SignatureCheck>> =>
  readKey(path, 'public', (key) => (bytes, signature) => verify(null, bytes, key, signature))

type Kind = 'private' | 'public'

/** Error messages never contain any of the file. */
async function readKey<T>(path: string, kind: Kind, use: (key: KeyObject) => T): Promise<ReadKey<T>> {
  const refused = (found: string): ReadKey<T> => ({
    finding: finding('key-unusable', { path, found, expected: `a PEM file of an Ed25519 ${kind} key` }),
  })
  const pem = await readFile(path).then(writtenText, () => null)
  if (pem === null) return refused('no file that can be read')
  const isPrivate = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)
  if (pem.includes('ENCRYPTED')) return refused('a key behind a passphrase')
  if (!pem.includes('-----BEGIN ')) return refused('no PEM')
  if (isPrivate !== (kind === 'private')) return refused(isPrivate ? 'a private key' : 'no private key')
  try {
    const key = isPrivate ? createPrivateKey(pem) : createPublicKey(pem)
    const { asymmetricKeyType: type } = key
    return type === 'ed25519' ? { use: use(key), finding: null } : refused(`a key of the kind ${type}`)
  } catch (error) {
    if (error instanceof Error) return refused('a damaged key')
    throw error
  }
}
