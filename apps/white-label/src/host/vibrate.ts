/** True if the browser can make the device vibrate. Whether it has a motor, no browser tells. */
export const canVibrate = (): boolean => 'vibrate' in navigator

/** Makes the device vibrate, in ms on and off in turn; never where the person wants no motion. */
export function vibrate(pattern: number[]): void {
  // Browsers refuse it before the first press.
  if (canVibrate() && !matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate(pattern)
}
