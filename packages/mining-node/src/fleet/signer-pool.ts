import type { Wallet } from '@hailstone/client'
import type { Address, Hail, Hash, NodeError, Publication, TokenId } from '@hailstone/protocol'
import type { VerifyMany } from './transaction-checks.ts'

/** Signs the two messages of a session: a local wallet, or a device that answers later. */
export type FleetSigner = {
  /** Account that mines. */
  readonly address: Address
  /** Signs the message that introduces a miner to a gateway. */
  readonly signHail: (parameters: Parameters<Wallet['signHail']>[0]) => Hail | Promise<Hail>
  /** Signs a microblock that a leader offered. */
  readonly signPublication: (
    parameters: Parameters<Wallet['signPublication']>[0],
  ) => Publication | Promise<Publication>
}

/** Token that all nodes of a fleet mine, and their referral agent. */
export type MiningTerms = { readonly tokenId: TokenId; readonly referralAgent: Address | undefined }

/** One of the two messages that a session signs. */
export type SigningTask =
  | { readonly kind: 'hail'; readonly host: string }
  | { readonly kind: 'publication'; readonly microblockHash: Hash; readonly keyBlockHash: Hash }

/** A key that was read: its address, or why it cannot be used. Never the key. */
export type LoadedKey =
  | { readonly index: number; readonly address: Address }
  | { readonly index: number; readonly error: NodeError }

/** The whole frame, or why it could not be signed. */
export type SignedFrame = { readonly text: string } | { readonly error: NodeError }

/** Threads of the signer pool and the signatures that they made since the start. */
export type SigningCounts = {
  /** 0 signs on the main thread. */
  readonly threads: number
  /** Curve arithmetic in use: `noble`, or the name of the accelerated package. */
  readonly arithmetic: string
  /** Signatures that were asked for and are not made yet. */
  readonly waiting: number
  /** Signatures since the start. */
  readonly signed: number
}

/** Signs for all nodes of a fleet. Nothing but hails and publications, which it builds itself. */
export type SignerPool = {
  /** Takes the keys over; each is answered, in any order. */
  readonly load: (onLoaded: (key: LoadedKey) => void) => Promise<void>
  /** At most one task of each kind waits for each key, so what waits is bounded by the size of the fleet. */
  readonly sign: (key: number, task: SigningTask, onSigned: (frame: SignedFrame) => void) => void
  readonly verify: VerifyMany
  readonly counts: () => SigningCounts
  /** Forgets the keys. What waits is not answered any more. */
  readonly stop: () => Promise<void>
}
