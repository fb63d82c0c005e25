import type { WordList } from './word-list.ts'

/** No word of any list is longer; what is pasted here by mistake may be. */
const LONGEST = 24

/** Returns the number of letters to add, remove, change or swap with their neighbour. */
function distance(from: string, to: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isExchanged = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isExchanged ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

const commonStart = (a: readonly string[], b: readonly string[]): number => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** Below one slip for any two words, so it decides between equally near ones only. */
function likeness(a: string, b: string): number {
  const [lettersA, lettersB] = [[...a], [...b]]
  return (commonStart(lettersA, lettersB) + commonStart(lettersA.toReversed(), lettersB.toReversed())) / 100
}

/** The word of the list that was most likely meant; of equally near ones that which begins and ends like it. */
export function nearestWord(word: string, words: WordList): string {
  const typed = word.slice(0, LONGEST)
  const ranked = words.map((candidate) => ({
    candidate,
    rank: distance(typed, candidate) - likeness(typed, candidate),
  }))
  return ranked.reduce((best, next) => (next.rank < best.rank ? next : best)).candidate
}
