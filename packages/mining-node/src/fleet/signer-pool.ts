import type { Wallet } from '@hailstone/client'
import type { Address, Hail, Hash, NodeError, Publication, TokenId } from '@hailstone/protocol'
import type { VerifyMany } from './transaction-checks.ts'

/** What a fleet asks of a wallet, here or on a device that answers later: the two messages of a session. */
export type FleetSigner = {
  readonly address: Address
  readonly signHail: (parameters: Parameters<Wallet['signHail']>[0]) => Hail | Promise<Hail>
  readonly signPublication: (
    parameters: Parameters<Wallet['signPublication']>[0],
  ) => Publication | Promise<Publication>
}

/** What all nodes of a fleet mine, and for whom. */
export type MiningTerms = { readonly tokenId: TokenId; readonly referralAgent: Address | undefined }

/** One of the two messages that a session signs. */
export type SigningTask =
  | { readonly kind: 'hail'; readonly host: string }
  | { readonly kind: 'publication'; readonly microblockHash: Hash; readonly keyBlockHash: Hash }

/** A key that was read: its address, or why it cannot be used. Never the key. */
export type LoadedKey =
  | { readonly index: number; readonly address: Address }
  | { readonly index: number; readonly error: NodeError }

/** The whole frame, or why there is none. */
export type SignedFrame = { readonly text: string } | { readonly error: NodeError }

export type SigningCounts = {
  /** 0 signs on the main thread. */
  readonly threads: number
  /** What computes on the curve: `noble`, or the name of the package that was found. */
  readonly arithmetic: string
  readonly waiting: number
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
