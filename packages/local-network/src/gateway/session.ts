import type { OfferedMicroblock } from '@hailstone/ledger'
import type { Address, Hash, TokenId } from '@hailstone/protocol'
import type { LeaderEnd, ReceivedHail } from '../leader/gateway-end.ts'

/** One connection of a miner. */
export type Session = {
  readonly id: number
  /** Account and token of its hail; null before one. */
  miner: { readonly address: Address; readonly tokenId: TokenId } | null
  /** The only beacon it may answer, also after it did. */
  outstanding: OfferedMicroblock | null
  /** Number of the offer, and the leader it came from. */
  offer: { readonly id: number; readonly leader: LeaderEnd } | null
  /** The hail that introduced its miner, and its time by `performance.now()`. */
  hail: (ReceivedHail & { readonly atMs: number }) | null
  /** 0 or 1; with 0 it is cut off at the next selection, without a message (PROTOCOL 5.8). */
  score: number
  /** Unix milliseconds of the leader; null before the first beacon. */
  lastBeaconAtMs: number | null
  /** True if a pong arrived since the last ping. */
  isAlive: boolean
  /** True once a publication was accepted: the miner has shown that it has the key. */
  isProven: boolean
  /** Returns true if its hail was signed with the key, which is verified when somebody else hails with it. */
  isHailSigned: () => boolean
  /** True while its miner could publish: it has the stake. */
  hasStake: boolean
  /** Microblock whose publication was accepted last. */
  answeredHash: Hash | null
  /** Resolves with true if the other side answers a ping within the time. */
  readonly isThere: (withinMs: number) => Promise<boolean>
  /** Moves the connection in the order in which connections are given up. */
  readonly rank: (rank: number) => void
  readonly send: (text: string) => void
  /** Says something and hangs up; nothing the miner says afterwards is heard. */
  readonly dismiss: (text: string) => void
  /** Cuts the connection without a word. */
  readonly terminate: () => void
}

/** A session whose miner is known. */
export type MinerSession = Session & {
  miner: NonNullable<Session['miner']>
  hail: NonNullable<Session['hail']>
}

export const hasMiner = (session: Session): session is MinerSession =>
  session.miner !== null && session.hail !== null
