import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createTurns } from '../in-turn.ts'
import { RefusedError } from './refused-error.ts'

/** Work of one password, as the parameters of scrypt (RFC 7914). */
export type PasswordCost = { readonly log2N: number; readonly r: number; readonly p: number }

/** 128 MB and about 0.4 s of one core for each password. */
const PASSWORD_COST: PasswordCost = { log2N: 17, r: 8, p: 1 }

const MIN_CHARACTERS = 12
export const MAX_CHARACTERS = 128
const [SALT_BYTES, HASH_BYTES] = [16, 32]
/** Passwords that wait for their turn; each one takes its memory only then. */
const MAX_WAITING = 32

export type DeriveKey = (
  password: string,
  salt: Uint8Array,
  length: number,
  options: ScryptOptions,
) => Promise<Buffer>

export type Passwords = {
  /** @throws {RefusedError} for a password that is too short or too long */
  readonly hash: (password: string, name: string) => Promise<string>
  /** Compares with a hash. Without one, the same work is done and the answer is false. */
  readonly check: (password: string, written: string | undefined) => Promise<boolean>
}

type Written = { readonly cost: PasswordCost; readonly salt: Buffer; readonly hash: Buffer }

const WRITTEN = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/

function parseWritten(text: string): Written | undefined {
  const [, log2N, r, p, salt, hash] = WRITTEN.exec(text) ?? []
  if (salt === undefined || hash === undefined) return undefined
  return {
    cost: { log2N: Number(log2N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}

/** One spelling for letters that keyboards write in several ways. */
const normal = (password: string): string => password.normalize('NFKC')

function assertUsable(password: string, name: string): void {
  const { length } = [...password]
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS)
    throw new RefusedError(400, `A password has ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters.`)
  if (password.toLowerCase() === name.toLowerCase() || new Set(password).size < 5)
    throw new RefusedError(400, 'This password is guessed easily: it is the name, or repeats itself.')
}

/**
 * Makes and compares hashes of passwords.
 *
 * @param parameters.derive scrypt; tests count its calls
 */
export function createPasswords({
  cost = PASSWORD_COST,
  derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt),
}: {
  readonly cost?: PasswordCost | undefined
  readonly derive?: DeriveKey | undefined
} = {}): Passwords {
  const inTurn = createTurns({
    limit: MAX_WAITING,
    refusal: 'Too many people sign in at once. Try again in a minute.',
  })
  const unknown: Written = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) }
  const derived = (password: string, salt: Uint8Array, { log2N, r, p }: PasswordCost): Promise<Buffer> =>
    inTurn(() =>
      derive(normal(password), salt, HASH_BYTES, { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r }),
    )
  return {
    async hash(password, name) {
      assertUsable(password, name)
      const salt = randomBytes(SALT_BYTES)
      const hash = await derived(password, salt, cost)
      const { log2N, r, p } = cost
      return `$scrypt$ln=${log2N},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
    },
    async check(password, written) {
      const known = written === undefined ? undefined : parseWritten(written)
      const { cost: used, salt, hash } = known ?? unknown
      const found = await derived(password, salt, used)
      return timingSafeEqual(found, hash) && known !== undefined
    },
  }
}
