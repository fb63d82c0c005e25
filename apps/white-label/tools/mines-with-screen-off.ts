import type { ResolvedBrand, Target } from '@hailstone/brand/check'

/** True if a build for a target has the service that mines with the screen off. */
export const minesWithScreenOff = ({ mining }: Pick<ResolvedBrand, 'mining'>, target: Target): boolean =>
  target === 'android' && mining.enabled && mining.screenOff === 'offer'
