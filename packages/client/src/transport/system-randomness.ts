/** Drawn ahead: to ask the system costs as much as a hundred words from it. Nothing secret is made of them. */
const words = new Uint32Array(128)
let used = words.length

function word(): number {
  if (used === words.length) {
    crypto.getRandomValues(words)
    used = 0
  }
  return words[used++] ?? 0
}

/** 53 unpredictable bits as a fraction: uniform in [0, 1). */
export const systemRandomness = (): number => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53
