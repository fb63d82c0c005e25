import type { RuntimeBrand } from '@hailstone/brand/runtime'
import type { TokenId } from '@hailstone/protocol'
import type { EngineConfig } from '../engine/engine-config.ts'

/** What the engine needs of a brand. */
export function engineConfigOf({
  id,
  network,
  token,
  referral,
  mining,
  security,
}: RuntimeBrand): EngineConfig {
  const { wifiOnly, chargingOnly, minBattery, quietHours } = mining
  return {
    brandId: id,
    apiUrl: network.api,
    gatewayUrls: network.poa,
    tokenId: token.hash as TokenId,
    defaultAgent: referral.enabled ? referral.defaultAgent : null,
    policy: { wifiOnly, chargingOnly, minBattery, quietHours: quietHours ?? [] },
    isLockedAtStart: security.lock === 'always',
    autoStart: mining.autoStart,
  }
}
