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

/** Returns the most similar word, or undefined if none is near. Case does not count. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  // Keys may be hostile and very long; nothing is near them.
  if (word.length > 80) return undefined
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  const limit = Math.max(1, Math.floor(word.length / 3))
  return best !== undefined && best.distance <= limit ? best.candidate : undefined
}
