import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.ts'

/** Neutral drawings on a 160 × 120 ground, in the colours of the brand. */
const drawings = {
  /** A sprout under a coin: rewards that have not come yet. */
  noRewards: (
    <>
      <path className="art-part" d="M46 100h68l-6 12H52z" />
      <path d="M80 100V62" />
      <path className="art-part" d="M80 78c-14 0-22-8-22-20 14 0 22 8 22 20z" />
      <path className="art-part" d="M80 68c0-13 8-22 22-22 0 13-8 22-22 22z" />
      <circle className="art-second" cx="112" cy="26" r="9" />
      <circle className="art-full" cx="52" cy="32" r="5" />
    </>
  ),
  /** Two arrows that pass each other. */
  noActivity: (
    <>
      <rect className="art-part" x="34" y="34" width="92" height="58" rx="12" />
      <path d="M34 52h92" />
      <path d="M54 74h22m-8-8 8 8-8 8" />
      <circle className="art-full" cx="106" cy="74" r="7" />
      <circle className="art-second" cx="120" cy="26" r="6" />
    </>
  ),
  /** A coin with a star. */
  firstReward: (
    <>
      <circle className="art-full" cx="80" cy="60" r="30" />
      <path
        className="art-star"
        d="m80 42 5.5 11.200 12.300 1.800-8.900 8.700 2.100 12.300-11-5.800-11 5.800 2.100-12.300-8.900-8.700 12.300-1.800z"
      />
      <path d="M124 40v10m-5-5h10M34 72v8m-4-4h8" />
      <circle className="art-second" cx="120" cy="84" r="5" />
      <circle className="art-second" cx="42" cy="36" r="4" />
    </>
  ),
} as const

export type ArtName = keyof typeof drawings

/** A decorative picture, of the brand if it has one; the sentence beside it carries the meaning. */
export function Art({ name }: { readonly name: ArtName }): ReactNode {
  const own = useApp().brand.assets.art[name]
  if (own !== null) return <img className="art" src={`/brand/${own}`} alt="" />
  return (
    <svg
      className={name === 'noActivity' ? 'art flips' : 'art'}
      viewBox="0 0 160 120"
      aria-hidden="true"
      focusable="false"
    >
      <ellipse className="art-ground" cx="80" cy="62" rx="74" ry="56" />
      {drawings[name]}
    </svg>
  )
}
