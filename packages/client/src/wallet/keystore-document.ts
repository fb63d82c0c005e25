import { type Address, isAddress, keystoreError, type NodeError, sha256Hex } from '@hailstone/protocol'
import { assertKeyDerivation, type KeyDerivation } from './key-derivation.ts'

/** The version that is written. Older ones are read and rewritten at the next unlock, newer ones are refused. */
export const KEYSTORE_VERSION = 1

/** Everything about a stored key but the key: authenticated, not secret. */
export type KeystoreHeader = {
  readonly format: 'hailstone-keystore'
  readonly version: typeof KEYSTORE_VERSION
  readonly address: Address
  /** Derivation of the key from the password. The salt is 16 bytes in hex. */
  readonly derivation: KeyDerivation & {
    /** Hex digits. */
    readonly salt: string
  }
  /** The nonce is 12 bytes in hex. */
  readonly cipher: {
    readonly name: 'aes-256-gcm'
    /** Hex digits. */
    readonly nonce: string
  }
}

/** A private key encrypted under a password. */
export type KeystoreDocument = KeystoreHeader & {
  /** The 32 bytes of the key, encrypted, and 16 bytes that prove them whole: 48 bytes in hex. */
  readonly ciphertext: string
}

/** Six times the size of a real one. */
const MAX_CHARACTERS = 4096

const malformed = (reason: string): NodeError => keystoreError('KEYSTORE_MALFORMED', { reason })

/** Returns the authenticated header of the ciphertext: no parameter can be changed without the password. */
export function headerText({ format, version, address, derivation, cipher }: KeystoreHeader): string {
  return JSON.stringify({ format, version, address, derivation, cipher })
}

/**
 * Writes a keystore. The checksum tells a damaged file from a wrong password; it protects from bit rot, not from
 * people, which the cipher does.
 */
export function formatKeystore(document: KeystoreDocument): string {
  const { format, version, address, derivation, cipher, ciphertext } = document
  const content = { format, version, address, derivation, cipher, ciphertext }
  const checksum = sha256Hex(JSON.stringify(content))
  return `${JSON.stringify({ ...content, checksum }, null, 2)}\n`
}

/**
 * Reads a keystore, without a password. Unknown, missing and reordered members are refused: nothing but this
 * library writes these files.
 *
 * @throws {NodeError} `KEYSTORE_MALFORMED` when it is damaged or something else, `KEYSTORE_VERSION_UNKNOWN`,
 *   `KEYSTORE_PARAMETER_REFUSED`
 */
export function parseKeystore(text: string): KeystoreDocument {
  const content = checkedContent(text)
  if (content.format !== 'hailstone-keystore') throw malformed('it is another kind of file')
  const version = content.version
  if (!Number.isSafeInteger(version) || (version as number) < 1) throw malformed('its version is no number')
  if (version !== KEYSTORE_VERSION) {
    const newestKnown = KEYSTORE_VERSION
    throw keystoreError('KEYSTORE_VERSION_UNKNOWN', { version: version as number, newestKnown })
  }
  const document = documentOf(content)
  assertKeyDerivation(document.derivation)
  return document
}

type Members = { readonly [name: string]: unknown }

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {}

/** The members whose checksum is right, in every version. */
function checkedContent(text: string): Members {
  if (typeof text !== 'string' || text.length > MAX_CHARACTERS) throw malformed('it is too long')
  const { checksum, ...content } = membersOf(jsonOrNull(text))
  if (checksum === undefined) throw malformed('it is not complete')
  if (checksum !== sha256Hex(JSON.stringify(content)))
    throw malformed('its checksum is wrong, so it is damaged')
  return content
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

const hexOf = (value: unknown, bytes: number): string => {
  if (typeof value === 'string' && value.length === 2 * bytes && /^[0-9a-f]*$/.test(value)) return value
  throw malformed(`a member is not ${bytes} bytes in hex`)
}

const countOf = (value: unknown): number => {
  if (Number.isSafeInteger(value)) return value as number
  throw malformed('a parameter is no whole number')
}

function derivationOf(value: unknown): KeystoreHeader['derivation'] {
  const { name, cost, blockSize, parallelism, iterations, salt } = membersOf(value)
  if (name === 'pbkdf2-sha256') return { name, iterations: countOf(iterations), salt: hexOf(salt, 16) }
  if (name !== 'scrypt') throw malformed('its key derivation is not known')
  return {
    name,
    cost: countOf(cost),
    blockSize: countOf(blockSize),
    parallelism: countOf(parallelism),
    salt: hexOf(salt, 16),
  }
}

function documentOf(content: Members): KeystoreDocument {
  const { address, cipher, ciphertext } = content
  const { name, nonce } = membersOf(cipher)
  if (!isAddress(address)) throw malformed('its address is malformed')
  if (name !== 'aes-256-gcm') throw malformed('its cipher is not known')
  const document: KeystoreDocument = {
    format: 'hailstone-keystore',
    version: KEYSTORE_VERSION,
    address,
    derivation: derivationOf(content.derivation),
    cipher: { name, nonce: hexOf(nonce, 12) },
    ciphertext: hexOf(ciphertext, 48),
  }
  if (JSON.stringify(document) !== JSON.stringify(content))
    throw malformed('it has members that do not belong')
  return document
}
