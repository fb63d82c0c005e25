import { createHmac, randomBytes } from 'node:crypto'

/** One-time codes of RFC 6238 as every authenticator app makes them: SHA-1, six digits, 30 s. */
const [STEP_SECONDS, DIGITS] = [30, 6]
/** Steps before and after the present one that are taken, since clocks differ. */
const DRIFT = 1

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns bytes as base32 of RFC 4648 without padding; the length has to be a multiple of five. */
export function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('')
}

export const createTotpSecret = (): Buffer => randomBytes(20)

/** Returns the number of the step that a time is in. */
export const totpStepOf = (nowMs: number): number => Math.floor(nowMs / 1000 / STEP_SECONDS)

/** Returns the code of one step. */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const at = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

/**
 * Returns the time step of a code, of those around the present whose number is above `after`. Undefined for a code that
 * is wrong, too old or used already.
 */
export function findTotpStep(
  secret: Uint8Array,
  code: string,
  { nowMs, after }: { readonly nowMs: number; readonly after: number },
): number | undefined {
  const now = totpStepOf(nowMs)
  const near = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => now - DRIFT + at)
  return near.find((step) => step > after && totpCode(secret, step) === code)
}

/** Returns the address that authenticator apps read, as text or QR code. */
export function totpUri(
  secret: Uint8Array,
  { name, issuer }: { readonly name: string; readonly issuer: string },
): string {
  const [label, by] = [`${issuer}:${name}`, issuer].map(encodeURIComponent)
  return `otpauth://totp/${label}?secret=${base32Of(secret)}&issuer=${by}`
}
