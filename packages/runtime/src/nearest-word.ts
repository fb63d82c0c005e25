/** Returns the edit distance of two words; swapped neighbours count as one edit (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const differs = left[row - 1] === right[column - 1] ? 0 : 1
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      const edits = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + differs,
        ...(swapped ? [(beforeLast[column - 2] ?? 0) + 1] : []),
      ]
      current.push(Math.min(...edits))
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}

/** Beginnings of fewer letters say nothing. */
const SHORTEST_BEGINNING = 3

/**
 * Returns the word that was probably meant: the most similar one, or one that begins with what was written. Case does
 * not count.
 *
 * @returns undefined if none is near
 */
export function nearestWord(written: string, words: Iterable<string>): string | undefined {
  // What was written may be hostile and very long; nothing is near it.
  if (written.length > 80) return undefined
  const lower = written.toLowerCase()
  let best: { readonly word: string; readonly distance: number } | undefined
  let longer: string | undefined
  for (const word of words) {
    const distance = editDistance(lower, word.toLowerCase())
    if (best === undefined || distance < best.distance) best = { word, distance }
    if (lower.length >= SHORTEST_BEGINNING && word.toLowerCase().startsWith(lower)) longer ??= word
  }
  const limit = Math.max(1, Math.floor(written.length / 3))
  return best !== undefined && best.distance <= limit ? best.word : longer
}
