import type { RuntimeBrand } from '@hailstone/brand/runtime'
import type { TokenId } from '@hailstone/protocol'
import { mayStayUnprotected } from '../app/backup-rule.ts'
import type { EngineConfig } from '../engine/engine-config.ts'
import { requiresEncryption } from './load-brand.ts'

/** Selects the settings of a brand that the engine needs. */
export function engineConfigOf(brand: RuntimeBrand): EngineConfig {
  const { id, network, token, referral, mining, security, features, links } = brand
  const { wifiOnly, chargingOnly, minBattery, quietHours } = mining
  return {
    brandId: id,
    apiUrl: network.api,
    gatewayUrls: network.poa,
    requireEncryption: requiresEncryption(location),
    tokenId: token.hash as TokenId,
    tokenDecimals: token.decimals === null ? {} : { [token.hash]: token.decimals },
    defaultAgent: referral.enabled ? referral.defaultAgent : null,
    canChangeAgent: referral.enabled && referral.userCanChange,
    canSend: features.send,
    mayPayOut: features.send && features.payout,
    policy: { wifiOnly, chargingOnly, minBattery, quietHours: quietHours ?? [] },
    isHiddenWhileLocked: security.lock === 'always',
    mayStayUnprotected: mayStayUnprotected(brand),
    hasAgentStep: referral.enabled,
    mayHavePasskey: security.passkey,
    signInPages: links.signIn,
    mayHaveSeveral: features.multiAccount,
    autoStart: mining.autoStart,
  }
}
