/** 53 unpredictable bits as a fraction: uniform in [0, 1). */
export function systemRandomness(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return ((high >>> 5) * 2 ** 26 + (low >>> 6)) / 2 ** 53
}
