type Sizes = {
  /** Size that every change passes before it lands. */
  readonly change: number
  /** For `npm run test:night`. */
  readonly night: number
}

/** True in `npm run test:night`. */
export const isNight: boolean = process.env.HAILSTONE_TIER === 'night'

/**
 * Returns how large a gate is: the number in the environment variable if it is set, else the size of the tier that
 * runs; one number is the size of both. The page of gates names the variables.
 */
export function gateSize(variable: string, sizes: Sizes | number): number {
  const { change, night } = typeof sizes === 'number' ? { change: sizes, night: sizes } : sizes
  return Number(process.env[variable] ?? (isNight ? night : change))
}
