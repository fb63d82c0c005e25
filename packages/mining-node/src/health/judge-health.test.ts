import { describe, expect, it } from 'vitest'
import type { SessionState } from '../session/state.ts'
import { type HealthFacts, isReadyCode, judgeHealth } from './judge-health.ts'
import { sessionObstacle } from './session-obstacle.ts'

const well: HealthFacts = {
  obstacle: null,
  lastBeaconAgeMs: 100,
  windowMs: 15_000,
  tipAgeMs: 100,
  notChosen: null,
}
const notChosen = 'Not chosen yet: 2 others mined 3 blocks.'
const notSeen = 'The network does not list this miner among the 7 miners that it sees online.'

describe('G-19: readiness', () => {
  it.each<readonly [code: string, facts: Partial<HealthFacts>]>([
    ['READY', {}],
    ['READY', { tipAgeMs: 'unused' }],
    ['READY', { lastBeaconAgeMs: 45_000, tipAgeMs: 60_000 }],
    ['NO_BEACON_YET', { lastBeaconAgeMs: null }],
    ['BEACON_TOO_OLD', { lastBeaconAgeMs: 45_001 }],
    ['READY', { notChosen }],
    ['NOT_CHOSEN', { notChosen, lastBeaconAgeMs: null }],
    ['NOT_CHOSEN', { notChosen, lastBeaconAgeMs: 45_001 }],
    ['HEIGHT_TOO_OLD', { notChosen, lastBeaconAgeMs: null, tipAgeMs: 60_001 }],
    ['READY', { notSeen }],
    ['NOT_SEEN', { notSeen, notChosen, lastBeaconAgeMs: null }],
    ['NOT_SEEN', { notSeen, lastBeaconAgeMs: 45_001 }],
    ['HEIGHT_UNKNOWN', { tipAgeMs: null }],
    ['HEIGHT_TOO_OLD', { tipAgeMs: 60_001 }],
  ])('is %s for %o', (code, facts) => {
    const verdict = judgeHealth({ ...well, ...facts })
    expect(verdict.code).toBe(code)
    expect(verdict.nextStep === '').toBe(isReadyCode(verdict.code))
  })

  it.each<readonly [code: string | null, state: SessionState]>([
    ['NOT_STARTED', { status: 'idle' }],
    ['CONNECTING', { status: 'connecting', attempt: 1 }],
    [null, { status: 'waitingForBeacon', since: 0 }],
    [null, { status: 'mining', published: 1 }],
    ['GATEWAY_LOST', { status: 'waiting', attempt: 2, delayMs: 1, reason: { kind: 'handshakeTimeout' } }],
    [
      'DUPLICATE_KEY',
      { status: 'waiting', attempt: 2, delayMs: 1, reason: { kind: 'duplicateKey', host: 'a' } },
    ],
    ['DUPLICATE_KEY', { status: 'stopped', reason: 'duplicateKey' }],
    ['PROTOCOL_VERSION', { status: 'stopped', reason: 'wrongProtocolVersion' }],
    ['WRONG_NETWORK', { status: 'stopped', reason: 'anotherNetwork' }],
    ['STOPPED', { status: 'stopped', reason: 'requested' }],
  ])('has the stable code %s for a session that is %o', (code, state) => {
    const obstacle = sessionObstacle(state)
    expect(obstacle?.code ?? null).toBe(code)
    if (obstacle !== null) expect(judgeHealth({ ...well, obstacle })).toEqual(obstacle)
  })
})
