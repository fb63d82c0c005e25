import type { ReactNode } from 'react'

/** Width of the screen that a sentence cannot use, in letters. */
const EDGES = 8

/** Returns a sentence whose long numbers are never split between lines. A number that does not fit gets a smaller font. */
export const withWholeNumbers = (sentence: string): ReactNode =>
  sentence.split(/(\p{Nd}{1,3}(?:[.,\u00a0\u202f’]\p{Nd}{3})+\p{Nd}*(?:[.,]\p{Nd}+)?…?)/u).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
      <span key={at} className="amount">
        <bdi style={{ '--letters': part.length + EDGES } as never}>{part}</bdi>
      </span>
    ),
  )
