/** True if the browser has a call that makes the device vibrate. No browser tells if the device has a motor. */
export const canVibrate = (): boolean => 'vibrate' in navigator

/** Makes the device vibrate, in ms on and off in turn; never while it asks for reduced motion. */
export function vibrate(pattern: number[]): void {
  // Browsers refuse it before the first press.
  if (canVibrate() && !matchMedia('(prefers-reduced-motion: reduce)').matches) navigator.vibrate(pattern)
}
