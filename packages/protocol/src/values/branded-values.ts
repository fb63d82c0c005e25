import type { Brand } from './brand.ts'

/**
 * An account: its compressed secp256k1 public key, 66 lower-case hex digits. It has no checksum, and whether its x is
 * on the curve is not checked.
 */
export type Address = Brand<string, 'Address'>

/** A whole number of a token's smallest unit, 0 … 2^64-1. The native coin has 10 decimals. */
export type Amount = Brand<bigint, 'Amount'>

/**
 * Hash of a transaction or block: 64 lower-case hex digits. Only the origin key block has a name instead, such as
 * `ENQGENESIS`.
 */
export type Hash = Brand<string, 'Hash'>

/** An ECDSA signature in DER and hex. Ours are lower case, minimal and low-S; the network also accepts high-S. */
export type Signature = Brand<string, 'Signature'>

/** Identity of a token: 64 lower-case hex digits. On most networks the native token is 64 zeros. */
export type TokenId = Brand<string, 'TokenId'>
