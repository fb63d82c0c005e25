import type { Logger } from '@hailstone/client'
import type { EventHub } from './events.ts'

/** Writes the events of a node as log lines: a constant message and flat fields. */
export function logEvents(events: EventHub, logger: Logger): void {
  events.on('started', ({ address, tokenId, gatewayUrl }) =>
    logger.info('mining started', { address, tokenId, gatewayUrl }),
  )
  events.on('connected', ({ url }) => logger.info('gateway connected', { url }))
  events.on('hailed', ({ url }) => logger.debug('gateway hailed', { url }))
  events.on('beaconReceived', (beacon) => logger.debug('beacon received', beacon))
  events.on('beaconRefused', (beacon) => logger.warn('beacon refused', beacon))
  events.on('published', (published) => logger.info('microblock published', published))
  events.on('included', (included) => logger.info('microblock included', included))
  events.on('rewarded', (reward) => logger.info('reward', reward))
  events.on('referralRewarded', (reward) => logger.info('referral reward', reward))
  events.on('reverted', (reward) => logger.warn('reward reverted', reward))
  events.on('referralMissed', (missed) => logger.info('referral reward missed', missed))
  events.on('balanceChanged', ({ amount, height }) => logger.info('balance changed', { amount, height }))
  events.on('heightChanged', ({ height, isStale }) => logger.debug('height changed', { height, isStale }))
  events.on('disconnected', ({ why, delayMs }) => logger.warn('gateway disconnected', { why, delayMs }))
  events.on('stopped', ({ reason }) => logger.info('mining stopped', { reason }))
  events.on('failed', ({ error }) => logger.warn('failed', { code: error.code, message: error.message }))
}
