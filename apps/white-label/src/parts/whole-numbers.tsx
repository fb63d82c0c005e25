import type { ReactNode } from 'react'

/** Letters by which the place of a sentence is narrower than the screen. */
const EDGES = 8

/** Returns a sentence in which no line breaks inside of a long number: one that has no room is drawn smaller. */
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
