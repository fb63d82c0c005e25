import { IDLE } from '../idle-snapshot.ts'
import type { SessionState, StopReason, WaitReason } from './state.ts'

/** One sentence each: why the session is where it is, and what a person can do about it. */
export type Explanation = {
  /** Empty when everything is as it should be. */
  readonly why: string
  /** Empty when nothing needs to be done. */
  readonly nextStep: string
}

const GATEWAY = 'Check the gateway address and the network; the node keeps trying by itself.'
const NOTHING = ''

/** Says in words where a mining session stands. */
export function describeSession(state: SessionState): Explanation {
  switch (state.status) {
    case 'idle':
      return { why: IDLE.why, nextStep: IDLE.nextStep }
    case 'connecting':
      return {
        why:
          state.attempt === 1
            ? 'connecting to the gateway'
            : `connecting to the gateway, attempt ${state.attempt}`,
        nextStep: NOTHING,
      }
    case 'waitingForBeacon':
      return {
        why: 'waiting for a beacon: the network is idle or your stake is below the minimum',
        nextStep: 'Check that the balance in the mined token reaches the minimum stake.',
      }
    case 'mining':
      return { why: NOTHING, nextStep: NOTHING }
    case 'waiting':
      return describeWait(state.reason)
    case 'stopped':
      return describeStop(state.reason)
  }
}

/** Says in words why a session is between two connections. */
export function describeWait(reason: WaitReason): Explanation {
  switch (reason.kind) {
    case 'gatewayUnreachable':
      return { why: `gateway unreachable: ${reason.detail}`, nextStep: GATEWAY }
    case 'handshakeTimeout':
      return { why: 'gateway unreachable: it did not complete the handshake in time', nextStep: GATEWAY }
    case 'connectionClosed':
      return { why: `the gateway closed the connection (code ${reason.code})`, nextStep: NOTHING }
    case 'connectionSilent':
      return { why: 'the gateway has not been heard for 18 seconds', nextStep: NOTHING }
    case 'publicationSuspected':
      return {
        why: 'cut off right after a publication: the last publication may have been refused',
        nextStep: 'Check that the balance in the mined token reaches its minimum stake.',
      }
    case 'duplicateKey':
      return { why: 'duplicate key: another device mines with this key', nextStep: ONE_DEVICE }
    case 'redirectsExhausted':
      return { why: 'the gateway sends from one address to the next without end', nextStep: GATEWAY }
    case 'frameTooLarge':
      return { why: 'the gateway sent a message larger than is read', nextStep: GATEWAY }
    case 'ownSessionLingers':
      return { why: 'the gateway may still hold our last session for alive', nextStep: NOTHING }
    case 'gatewayRefused':
      return {
        why: `the gateway refused the connection with HTTP status ${reason.status}`,
        nextStep: GATEWAY,
      }
    case 'gatewayMisbehaves':
      return {
        why: `the gateway sends beacons that cannot be signed: ${reason.why}`,
        nextStep: 'Use another gateway.',
      }
    case 'gatewaySilent':
      return {
        why: `the gateway sent no beacon while others mined ${reason.macroblocks} macroblocks`,
        nextStep: NOTHING,
      }
    case 'publicationsIgnored':
      return { why: 'what is published at this gateway does not come into the chain', nextStep: NOTHING }
    case 'offline':
      return { why: 'this device is offline', nextStep: NOTHING }
    case 'slept':
      return { why: `this device slept for ${Math.round(reason.gapMs / 1000)} seconds`, nextStep: NOTHING }
  }
}

const ONE_DEVICE = 'Stop the other device, or mine with another key here, then call start().'

export function describeStop(reason: StopReason): Explanation {
  switch (reason) {
    case 'requested':
      return { why: 'stopped', nextStep: NOTHING }
    case 'duplicate key':
      return { why: 'duplicate key: another device took over mining with this key', nextStep: ONE_DEVICE }
    case 'wrong protocol version':
      return {
        why: 'the gateway speaks another version of the protocol',
        nextStep: 'Update this package; trying again will not help.',
      }
    case 'another network':
      return {
        why: 'the API belongs to another network than the one that was named',
        nextStep: 'Check the addresses of API and gateway; nothing is signed for another network.',
      }
  }
}
