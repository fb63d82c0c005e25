import {
  type Address,
  type Beacon,
  type BeaconCheck,
  type Hash,
  type ServerMessage,
  sha256Hex,
} from '@hailstone/protocol'
import type { SessionEffect } from '../src/session/effect.ts'
import type { SessionInput } from '../src/session/input.ts'
import { idleSession, type Session, type SessionSettings } from '../src/session/state.ts'
import { transition } from '../src/session/transition.ts'

/** Inputs and sessions for the tests of the machine. */

export const settings: SessionSettings = { gatewayUrl: 'ws://203.0.113.5:3000/', onDuplicateKey: 'stop' }

export const hashOf = (name: string | number): Hash => sha256Hex(String(name))

export const beaconOf = (microblockHash: Hash): Beacon => ({
  leaderId: '1',
  microblockHash,
  content: {
    keyBlockHash: hashOf('key block'),
    transactions: [],
    publisher: `02${'ab'.repeat(32)}` as Address,
    nonce: 1n,
  },
})

export const goodCheck = (microblockHash: Hash): BeaconCheck => ({
  ok: true,
  microblockHash,
  keyBlockHash: hashOf('key block'),
})

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
export type Given = Without<SessionInput, 'at' | 'random'> & {
  readonly at?: number
  readonly random?: number
}

/** Runs inputs from a session and collects every effect. */
export function run(
  inputs: readonly Given[],
  from: Session = idleSession(settings),
): { readonly session: Session; readonly effects: readonly SessionEffect[] } {
  let session = from
  const effects: SessionEffect[] = []
  for (const input of inputs) {
    const [next, more] = transition(session, { at: 0, random: 0.5, ...input } as SessionInput)
    session = next
    effects.push(...more)
  }
  return { session, effects }
}

export const message = (received: ServerMessage, connection = 1): Given => ({
  type: 'message',
  connection,
  message: received,
})

/** Connected and hailed on connection 1. */
export const hailed: readonly Given[] = [
  { type: 'start' },
  { type: 'opened', connection: 1, canPing: true },
  { type: 'hailed', connection: 1 },
]

/** A beacon, its check and the signature that left, as the runner reports them. */
export const mined = (name: string | number, beaconNumber: number, connection = 1): readonly Given[] => [
  message({ kind: 'beacon', beacon: beaconOf(hashOf(name)) }, connection),
  { type: 'checked', connection, beaconNumber, check: goodCheck(hashOf(name)) },
  { type: 'published', connection, microblockHash: hashOf(name), keyBlockHash: hashOf('key block') },
]

export const effectsOf = <T extends SessionEffect['type']>(
  effects: readonly SessionEffect[],
  type: T,
): readonly Extract<SessionEffect, { type: T }>[] =>
  effects.filter((effect): effect is Extract<SessionEffect, { type: T }> => effect.type === type)

export const eventsOf = (effects: readonly SessionEffect[]) =>
  effectsOf(effects, 'emit').map(({ event }) => event)
