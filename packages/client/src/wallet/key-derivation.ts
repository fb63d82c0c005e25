import { hexToBytes, keystoreError, type NodeError } from '@hailstone/protocol'
import { nativeScrypt, type ScryptParameters, scryptKey } from './scrypt-key.ts'
import { webCrypto } from './web-crypto.ts'

/** PBKDF2 (RFC 8018) with HMAC-SHA-256: what every browser computes natively. */
export type Pbkdf2Parameters = {
  /** PBKDF2 with HMAC-SHA-256, RFC 8018. */
  readonly name: 'pbkdf2-sha256'
  /** 600,000 to 10,000,000. */
  readonly iterations: number
}

/** Function and cost that derive an encryption key from a password. */
export type KeyDerivation = ScryptParameters | Pbkdf2Parameters

/** About half a second and 134 MB on Node; in a browser it is JavaScript, and twice that. */
export const defaultScrypt: ScryptParameters = Object.freeze({
  name: 'scrypt',
  cost: 131_072,
  blockSize: 8,
  parallelism: 1,
})

/**
 * A good half second in a browser, without a byte of code. A guess costs 25 times what it costs with the public
 * wallets (S-6 of docs/gates.md), with room for machines that hash in hardware; 900,000 iterations fell short on some.
 */
export const defaultPbkdf2: Pbkdf2Parameters = Object.freeze({ name: 'pbkdf2-sha256', iterations: 1_500_000 })

/** Key derivation of new keystores: the strongest that the platform computes natively. */
export const defaultKeyDerivation: KeyDerivation = nativeScrypt === undefined ? defaultPbkdf2 : defaultScrypt

type Range = readonly [minimum: number, maximum: number]

/**
 * Less does not protect a key (S-5 of docs/gates.md), however the file came by it; more would let a file take this
 * machine's memory or time. At most 1 GiB.
 */
const ranges: { readonly [parameter: string]: Range } = {
  cost: [131_072, 1_048_576],
  blockSize: [8, 8],
  parallelism: [1, 4],
  iterations: [600_000, 10_000_000],
}

const refused = (parameter: string, [minimum, maximum]: Range, found: number): NodeError =>
  keystoreError('KEYSTORE_PARAMETER_REFUSED', { parameter, minimum, maximum, found })

/** The parameters and nothing else, in the order in which they are written. */
export const parametersOf = <D extends KeyDerivation>(derivation: D): KeyDerivation => {
  if (derivation.name === 'pbkdf2-sha256') return { name: derivation.name, iterations: derivation.iterations }
  const { name, cost, blockSize, parallelism } = derivation
  return { name, cost, blockSize, parallelism }
}

/** @throws {NodeError} `KEYSTORE_PARAMETER_REFUSED` */
export function assertKeyDerivation(derivation: KeyDerivation): void {
  const { name: _, ...numbers } = parametersOf(derivation)
  for (const [parameter, value] of Object.entries(numbers)) {
    const range = ranges[parameter] ?? [0, 0]
    const isPower = parameter !== 'cost' || Number.isInteger(Math.log2(value))
    if (!Number.isSafeInteger(value) || value < range[0] || value > range[1] || !isPower) {
      throw refused(parameter, range, Number(value))
    }
  }
}

/** True if today's default of the same kind is stronger. */
export const isOutdated = (derivation: KeyDerivation): boolean =>
  derivation.name === 'scrypt'
    ? derivation.cost < defaultScrypt.cost
    : derivation.iterations < defaultPbkdf2.iterations

export type DeriveKeyParameters = {
  readonly derivation: KeyDerivation
  readonly password: string
  /** Hex digits. */
  readonly salt: string
}

/** 32 bytes from a password. Passwords are compared in Unicode form NFKC, so that keyboards do not matter. */
export function deriveKey({
  derivation,
  password,
  salt,
}: DeriveKeyParameters): Promise<Uint8Array<ArrayBuffer>> {
  assertKeyDerivation(derivation)
  const secret = new TextEncoder().encode(password.normalize('NFKC'))
  return derivation.name === 'scrypt'
    ? scryptKey(secret, hexToBytes(salt), derivation)
    : pbkdf2Key(secret, hexToBytes(salt), derivation)
}

async function pbkdf2Key(
  secret: Uint8Array<ArrayBuffer>,
  salt: Uint8Array<ArrayBuffer>,
  { iterations }: Pbkdf2Parameters,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await webCrypto().importKey('raw', secret, 'PBKDF2', false, ['deriveBits'])
  const bits = await webCrypto().deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)
  return new Uint8Array(bits)
}
