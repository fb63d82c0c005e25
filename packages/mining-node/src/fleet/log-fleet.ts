import type { Logger } from '@hailstone/client'
import type { FleetStream } from './fleet-events.ts'

/** Writes the stream of a fleet as log lines: what happens to single nodes at the level of details. */
export function logFleet(stream: FleetStream, logger: Logger): void {
  stream.subscribe((event) => {
    switch (event.type) {
      case 'started':
        return logger.info('fleet started', { nodes: event.nodes })
      case 'included': {
        const { address, microblockHash, height, reward } = event
        return logger.info('microblock included', { address, microblockHash, height, reward })
      }
      case 'rewarded':
      case 'referralRewarded':
      case 'reverted': {
        const { type, address, role, amount, tokenId, height } = event
        return logger.info(type === 'reverted' ? 'reward reverted' : 'rewarded', {
          address,
          role,
          amount,
          tokenId,
          height,
        })
      }
      case 'balanceChanged':
        return logger.debug('balance changed', { address: event.address, amount: event.amount })
      case 'keyRefused':
        return logger.warn('key refused', { index: event.index, code: event.error.code })
      case 'shortage':
        return logger.error('out of files or ports', { code: event.code, openSockets: event.openSockets })
      case 'stopped':
        return logger.warn('node stopped', { address: event.address, reason: event.reason })
      case 'failed':
        return logger.warn('failed', {
          address: event.address,
          code: event.error.code,
          message: event.error.message,
        })
      case 'disconnected':
        return logger.debug('gateway disconnected', {
          address: event.address,
          why: event.why,
          delayMs: event.delayMs,
        })
      case 'connected':
      case 'hailed':
        return logger.debug(`gateway ${event.type}`, { address: event.address, url: event.url })
      case 'published':
      case 'missed':
        return logger.debug(`microblock ${event.type}`, {
          address: event.address,
          microblockHash: event.microblockHash,
        })
      case 'beaconRefused':
        return logger.debug('beacon refused', { address: event.address, why: event.why })
      case 'heightChanged':
        return logger.debug('height changed', { height: event.height, isStale: event.isStale })
    }
  })
}
