import type { WaitReason } from '@hailstone/mining-node'
import type { EngineState } from '../engine/engine-state.ts'
import type { PauseReason } from '../engine/mining-policy.ts'
import type { TextKey } from '../i18n/texts.ts'

export type Tone = 'idle' | 'busy' | 'good' | 'warning' | 'danger'

/** Action offered beside the reason; each view links it to its place. */
type NextStep = 'getCoins' | 'unlock' | 'backUp' | 'policy' | 'health' | 'startHere' | 'update' | 'none'

/** Mining state in words: a headline, at most one reason, at most one next step. */
export type MiningExplanation = {
  readonly tone: Tone
  readonly headline: TextKey
  readonly reason: TextKey | null
  readonly next: NextStep
}

const explanation = (
  tone: Tone,
  headline: TextKey,
  reason: TextKey | null = null,
  next: NextStep = 'none',
): MiningExplanation => ({ tone, headline, reason, next })

const waitReasons = {
  gatewayUnreachable: 'mine.why.gatewayUnreachable',
  handshakeTimeout: 'mine.why.gatewayUnreachable',
  connectionClosed: 'mine.why.connectionClosed',
  connectionSilent: 'mine.why.connectionSilent',
  publicationSuspected: 'mine.why.publicationSuspected',
  duplicateKey: 'mine.why.duplicateKey',
  wrongProtocolVersion: 'mine.why.wrongVersion',
  redirectsExhausted: 'mine.why.gatewayUnreachable',
  bootNodeSilent: 'mine.why.gatewayUnreachable',
  frameTooLarge: 'mine.why.connectionClosed',
  ownSessionLingers: 'mine.why.ownSessionLingers',
  gatewayRefused: 'mine.why.gatewayRefused',
  gatewayMisbehaves: 'mine.why.gatewayMisbehaves',
  gatewaySilent: 'mine.why.gatewaySilent',
  publicationsIgnored: 'mine.why.publicationsIgnored',
  offline: 'mine.pause.offline',
  slept: 'mine.why.slept',
  nativeTokenUnknown: 'mine.why.tokenUnknown',
  stakeUnknown: 'mine.why.networkIdle',
  stakeTooLow: 'mine.why.stakeTooLow',
  unknownToken: 'mine.why.tokenUnknown',
  tokenNotMineable: 'mine.why.tokenNotMineable',
  anotherNetwork: 'mine.why.otherNetwork',
  signerFailed: 'mine.why.locked',
} as const satisfies Readonly<Record<WaitReason['kind'], TextKey>>

const pauses: Readonly<Partial<Record<PauseReason, TextKey>>> = {
  consent: 'mine.pause.consent',
  offline: 'mine.pause.offline',
  metered: 'mine.pause.metered',
  notCharging: 'mine.pause.notCharging',
  battery: 'mine.pause.battery',
  quietHours: 'mine.pause.quietHours',
}

const reasonOf = (pause: PauseReason): TextKey | null => {
  if (APP_HAS_SERVICE && pause === 'heat') return 'mine.pause.heat'
  if (APP_HAS_SERVICE && pause === 'held') return 'mine.pause.held'
  return pauses[pause] ?? null
}

/**
 * Explains the mining state. The headline says "mining" only after a signature has left on the current connection.
 */
export function explainMining({ account, snapshot, run }: EngineState): MiningExplanation {
  if (account.status === 'locked')
    return explanation('warning', 'mine.state.idle', 'mine.why.locked', 'unlock')
  if (snapshot === null) return explanation('idle', 'mine.state.idle')
  if (run.isWanted && run.pause !== null) {
    const next = run.pause === 'offline' || run.pause === 'consent' ? 'none' : 'policy'
    return explanation('warning', 'mine.state.paused', reasonOf(run.pause), next)
  }
  const { state } = snapshot
  switch (state.status) {
    case 'idle':
      return explanation('idle', 'mine.state.idle')
    case 'connecting':
      return explanation('busy', 'mine.state.connecting')
    case 'waitingForBeacon':
      return waiting(snapshot)
    case 'mining':
      return explanation('good', 'mine.state.mining')
    case 'waiting':
      if (state.reason.kind === 'stakeTooLow')
        return explanation('warning', 'mine.state.waiting', 'mine.why.stakeTooLow', 'getCoins')
      if (state.reason.kind === 'wrongProtocolVersion')
        return explanation('danger', 'mine.state.reconnecting', 'mine.why.wrongVersion', 'update')
      if (state.reason.kind === 'stakeUnknown') return explanation('busy', 'mine.state.connecting')
      return explanation('warning', 'mine.state.reconnecting', waitReasons[state.reason.kind], 'health')
    case 'stopped':
      return stopped(state.reason)
  }
}

function waiting({
  warnings,
  lastRefusal,
  othersMined,
}: NonNullable<EngineState['snapshot']>): MiningExplanation {
  const codes = warnings.map(({ code }) => code)
  const headline = 'mine.state.waiting'
  if (codes.includes('TOKEN_UNKNOWN'))
    return explanation('danger', headline, 'mine.why.tokenUnknown', 'health')
  if (codes.includes('TOKEN_NOT_MINEABLE'))
    return explanation('danger', headline, 'mine.why.tokenNotMineable', 'health')
  if (codes.includes('STAKE_TOO_LOW'))
    return explanation('warning', headline, 'mine.why.stakeTooLow', 'getCoins')
  if (lastRefusal !== null) return explanation('warning', headline, 'mine.why.taskRefused', 'health')
  return explanation(
    'busy',
    headline,
    othersMined.microblocks > 0 ? 'mine.why.notChosen' : 'mine.why.networkIdle',
  )
}

function stopped(reason: string): MiningExplanation {
  if (reason === 'duplicateKey')
    return explanation('danger', 'mine.state.stopped', 'mine.why.duplicateKey', 'startHere')
  if (reason === 'wrongProtocolVersion')
    return explanation('danger', 'mine.state.stopped', 'mine.why.wrongVersion', 'update')
  if (reason === 'unknownToken')
    return explanation('danger', 'mine.state.stopped', 'mine.why.tokenUnknown', 'health')
  if (reason === 'tokenNotMineable')
    return explanation('danger', 'mine.state.stopped', 'mine.why.tokenNotMineable', 'health')
  if (reason === 'anotherNetwork')
    return explanation('danger', 'mine.state.stopped', 'mine.why.otherNetwork', 'health')
  return explanation('idle', 'mine.state.idle')
}
