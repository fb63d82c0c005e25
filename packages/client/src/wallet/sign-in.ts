import {
  type Address,
  assertArgument,
  isAddress,
  looksLikeSignature,
  parsePrivateKey,
  type Signature,
  signText,
  verifyText,
} from '@hailstone/protocol'
import { assertNames } from '../assert-names.ts'
import type { Wallet } from './wallet.ts'

/** Proof that whoever has the key of an account wants to be known to one host, at one time. */
export type SignIn = {
  readonly address: Address
  /** Host of the backend, as its address has it, with the port where it has one. */
  readonly host: string
  /** Text of the backend that it gives out once. */
  readonly nonce: string
  /** Unix milliseconds. */
  readonly issuedAtMs: number
  readonly signature: Signature
}

/** Parameters of {@link signIn}. */
export type SignInParameters = {
  /** Account that signs in. Its key signs one text and leaves nothing behind. */
  readonly wallet: Pick<Wallet, 'address' | 'exportPrivateKey'>
  /** Show it to the person who signs: whoever has this host gets the proof, and no other host takes it. */
  readonly host: string
  /** 8 to 128 of `0-9 a-z A-Z _ -`. */
  readonly nonce: string
  /** Unix milliseconds. @default now */
  readonly issuedAtMs?: number | undefined
}

/** Line breaks stand in no other text that a key signs: transactions, hails and publications sign hex digits alone. */
const textOf = ({ address, host, nonce, issuedAtMs }: Omit<SignIn, 'signature'>): string =>
  ['hailstone sign-in 1', host, nonce, issuedAtMs, address].join('\n')

const isHost = (host: unknown): boolean =>
  typeof host === 'string' && /^[0-9A-Za-z.:_[\]-]{1,253}$/.test(host)
const isNonce = (nonce: unknown): boolean => typeof nonce === 'string' && /^[\w-]{8,128}$/.test(nonce)
const isTime = (time: unknown): time is number => Number.isSafeInteger(time) && (time as number) >= 0

/**
 * Signs in at a backend with the key of an account: a message of its own kind, which is never the bytes of a transaction,
 * bound to one host, one nonce and one time.
 *
 * @throws {NodeError} `ARGUMENT_INVALID`
 * @example
 * const { nonce } = await (await fetch('https://shop.example/nonce')).json()
 * const proof = signIn({ wallet, host: 'shop.example', nonce })
 * await fetch('https://shop.example/sign-in', { method: 'POST', body: JSON.stringify(proof) })
 */
export function signIn(parameters: SignInParameters): SignIn {
  assertNames('of signIn', parameters, ['wallet', 'host', 'nonce', 'issuedAtMs'])
  const { wallet, host, nonce, issuedAtMs = Date.now() } = Object(parameters) as SignInParameters
  const isWallet = typeof wallet?.exportPrivateKey === 'function' && isAddress(wallet.address)
  assertArgument(isWallet, 'wallet', 'a wallet with its key', wallet)
  assertArgument(isHost(host), 'host', 'the name of a host, such as shop.example', host)
  assertArgument(isNonce(nonce), 'nonce', '8 to 128 of 0-9 a-z A-Z _ -', nonce)
  assertArgument(isTime(issuedAtMs), 'issuedAtMs', 'Unix milliseconds', issuedAtMs)
  const message = { address: wallet.address, host, nonce, issuedAtMs }
  return { ...message, signature: signText(textOf(message), parsePrivateKey(wallet.exportPrivateKey())) }
}

/** Parameters of {@link verifySignIn}. */
export type VerifySignInParameters = {
  /** The backend's own: a proof for another one is refused. */
  readonly host: string
  /** The one that was given out, and is taken once. */
  readonly nonce: string
  /** Oldest proof that is taken, in ms. @default 300000 */
  readonly maxAgeMs?: number | undefined
  /** Unix milliseconds. @default now */
  readonly nowMs?: number | undefined
}

/** An account that has signed in, or why it has not. */
export type SignInCheck =
  | { readonly ok: true; readonly address: Address }
  | {
      readonly ok: false
      readonly why: 'malformed' | 'anotherHost' | 'anotherNonce' | 'expired' | 'notSigned'
    }

/** Two clocks may differ by this much. */
const SKEW_MS = 60_000

/**
 * Checks a proof of `signIn` on a server. What it reads is not trusted and never makes it throw; the caller takes each
 * nonce once.
 *
 * @throws {NodeError} `ARGUMENT_INVALID` for the caller's own parameters
 * @example
 * const check = verifySignIn(JSON.parse(body), { host: 'shop.example', nonce })
 * if (check.ok) session.address = check.address
 */
export function verifySignIn(given: unknown, parameters: VerifySignInParameters): SignInCheck {
  assertNames('of verifySignIn', parameters, ['host', 'nonce', 'maxAgeMs', 'nowMs'])
  const { maxAgeMs = 300_000, nowMs = Date.now(), ...expected } = Object(parameters) as VerifySignInParameters
  assertArgument(isHost(expected.host), 'host', 'the name of a host, such as shop.example', expected.host)
  assertArgument(isNonce(expected.nonce), 'nonce', '8 to 128 of 0-9 a-z A-Z _ -', expected.nonce)
  assertArgument(isTime(maxAgeMs), 'maxAgeMs', 'a whole number of milliseconds', maxAgeMs)
  assertArgument(isTime(nowMs), 'nowMs', 'Unix milliseconds', nowMs)
  const refused = (why: Exclude<SignInCheck, { ok: true }>['why']): SignInCheck => ({ ok: false, why })
  const { address, host, nonce, issuedAtMs, signature } = Object(given) as SignIn
  if (!isAddress(address) || !isHost(host) || !isNonce(nonce) || !isTime(issuedAtMs))
    return refused('malformed')
  if (!looksLikeSignature(signature)) return refused('malformed')
  if (host !== expected.host) return refused('anotherHost')
  if (nonce !== expected.nonce) return refused('anotherNonce')
  if (issuedAtMs < nowMs - maxAgeMs || issuedAtMs > nowMs + SKEW_MS) return refused('expired')
  const text = textOf({ address, host, nonce, issuedAtMs })
  return verifyText({ text, signature, address }) ? { ok: true, address } : refused('notSigned')
}
