import { describeSession } from '../session/describe-session.ts'
import type { SessionState, StopReason, WaitReason } from '../session/state.ts'
import type { HealthCode, HealthVerdict } from './judge-health.ts'

const stopCodes: { readonly [R in StopReason]: HealthCode } = {
  requested: 'STOPPED',
  duplicateKey: 'DUPLICATE_KEY',
  wrongProtocolVersion: 'PROTOCOL_VERSION',
  anotherNetwork: 'WRONG_NETWORK',
  unknownToken: 'TOKEN_UNKNOWN',
  tokenNotMineable: 'TOKEN_NOT_MINEABLE',
  signerRefused: 'SIGNER_FAILED',
}

const waitCodes: { readonly [K in WaitReason['kind']]?: HealthCode } = {
  duplicateKey: 'DUPLICATE_KEY',
  wrongProtocolVersion: 'PROTOCOL_VERSION',
  nativeTokenUnknown: 'NATIVE_TOKEN_UNKNOWN',
  stakeUnknown: 'CONNECTING',
  stakeTooLow: 'STAKE_TOO_LOW',
  signerFailed: 'SIGNER_FAILED',
  unknownToken: 'TOKEN_UNKNOWN',
  tokenNotMineable: 'TOKEN_NOT_MINEABLE',
  anotherNetwork: 'WRONG_NETWORK',
}

function codeOf(state: SessionState): HealthCode | null {
  switch (state.status) {
    case 'idle':
      return 'NOT_STARTED'
    case 'connecting':
      return 'CONNECTING'
    case 'waiting':
      return waitCodes[state.reason.kind] ?? 'GATEWAY_LOST'
    case 'stopped':
      return stopCodes[state.reason]
    case 'waitingForBeacon':
    case 'mining':
      return null
  }
}

export const asSentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Returns the reason why a session is not ready, worded by its state; null if it is hailed. */
export function sessionObstacle(state: SessionState): HealthVerdict | null {
  const code = codeOf(state)
  if (code === null) return null
  const { why, nextStep } = describeSession(state)
  return { code, why: asSentence(why), nextStep }
}
