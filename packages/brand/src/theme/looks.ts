import type { BrandBase } from '../brand-base.ts'

type Theme = BrandBase['theme']

/** A finished look: settings of the theme that go together. Each passes the contrast gate in both modes. */
export type Look = Pick<
  Theme,
  'primary' | 'accent' | 'mode' | 'radius' | 'shape' | 'density' | 'hero' | 'ground' | 'font' | 'headings'
>

/** Looks by name, for `hailstone-brand new --look NAME`. A brand that begins with one owns what is written. */
export const looks = {
  harbour: {
    primary: '#0e7c8c',
    accent: '#b8577e',
    radius: 'lg',
    shape: 'pill',
    hero: 'tide',
    ground: 'gradient',
    font: 'rounded',
  },
  ember: {
    primary: '#c2571a',
    accent: '#6d78c9',
    mode: 'dark',
    radius: 'none',
    shape: 'square',
    density: 'compact',
    hero: 'bars',
    headings: 'mono',
  },
  meadow: {
    primary: '#3f8a3a',
    accent: '#b0742a',
    radius: 'full',
    shape: 'pill',
    density: 'roomy',
    hero: 'orb',
    ground: 'tint',
    font: 'rounded',
  },
  orchid: {
    primary: '#a855a0',
    accent: '#3b82c4',
    radius: 'lg',
    shape: 'soft',
    density: 'roomy',
    hero: 'orb',
    ground: 'gradient',
    headings: 'serif',
  },
  slate: {
    primary: '#64748b',
    accent: '#c2571a',
    radius: 'sm',
    shape: 'square',
    density: 'compact',
    hero: 'ring',
  },
  dune: {
    primary: '#a0742d',
    accent: '#3f8a8a',
    radius: 'md',
    shape: 'soft',
    hero: 'tide',
    ground: 'tint',
    font: 'serif',
  },
  frost: {
    primary: '#3b82c4',
    accent: '#8a6fc9',
    radius: 'md',
    shape: 'pill',
    hero: 'ring',
    ground: 'gradient',
  },
  coral: {
    primary: '#d1495b',
    accent: '#2f8a83',
    radius: 'full',
    shape: 'pill',
    hero: 'bars',
    ground: 'tint',
    font: 'rounded',
  },
  ink: {
    primary: '#6b6bd6',
    accent: '#b0742a',
    mode: 'dark',
    radius: 'sm',
    shape: 'soft',
    density: 'compact',
    hero: 'ring',
    ground: 'tint',
    font: 'mono',
  },
  moss: {
    primary: '#6f8428',
    accent: '#a8557c',
    radius: 'none',
    shape: 'square',
    density: 'roomy',
    hero: 'tide',
    font: 'serif',
    headings: 'mono',
  },
} as const satisfies Readonly<Record<string, Look>>

export type LookName = keyof typeof looks

export const lookNames = Object.keys(looks) as readonly LookName[]

export const isLookName = (text: string): text is LookName => Object.hasOwn(looks, text)
