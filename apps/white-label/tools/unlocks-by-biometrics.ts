import type { ResolvedBrand, Target } from '@hailstone/brand/check'

/** True if a build for a target has the plugin that asks for fingerprint or face. */
export const unlocksByBiometrics = ({ security }: Pick<ResolvedBrand, 'security'>, target: Target): boolean =>
  target === 'android' && security.passkey
