import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

const fontKinds = ['system', 'rounded', 'serif', 'mono'] as const
const shapes = ['soft', 'square', 'pill'] as const
const densities = ['compact', 'regular', 'roomy'] as const
const heroes = ['ring', 'orb', 'tide', 'bars'] as const
const grounds = ['plain', 'tint', 'gradient'] as const
const radii = ['none', 'sm', 'md', 'lg', 'full'] as const

const ownFont = z.strictObject({
  family: needed(leaf.fontFamily(), 'Name of the family: letters, digits, blanks and hyphens.'),
  files: needed(
    z.array(leaf.fontFile()).min(1, 'font-missing').max(4, 'out-of-range'),
    'WOFF2 files in the folder of the brand, at most 150 kB each, lightest weight first.',
  ),
  licence: needed(leaf.text(80), 'Licence that lets you ship the font. Example: "OFL-1.1".'),
})

export const theme = z.strictObject({
  primary: needed(leaf.colour(), 'Colour of buttons and the ring, #rrggbb. Surfaces are tinted with it.'),
  accent: optional(leaf.colour(), 'Second colour, for charts and highlights. Default: derived from primary.'),
  success: optional(leaf.colour(), 'Colour of good news. Default: a green.'),
  warning: optional(leaf.colour(), 'Colour of warnings. Default: an amber.'),
  danger: optional(leaf.colour(), 'Colour of failures. Default: a red.'),
  dark: optional(
    z.strictObject({
      primary: optional(leaf.colour(), 'Primary colour in the dark mode. Default: theme.primary.'),
      accent: optional(leaf.colour(), 'Accent in the dark mode. Default: theme.accent.'),
    }),
    'Colours that differ in the dark mode.',
  ),
  mode: optional(z.enum(['system', 'light', 'dark']), 'Initial colour mode. Default: system.'),
  radius: optional(z.enum(radii), 'Roundness of corners. Default: md.'),
  shape: optional(
    z.enum(shapes),
    'Shape of buttons, whatever the corners of the rest. Default: soft, as theme.radius.',
  ),
  density: optional(z.enum(densities), 'Distances on all screens. Default: regular.'),
  hero: optional(
    z.enum(heroes),
    'Sign around the figure of Mine; all four say the same states. Default: ring.',
  ),
  ground: optional(
    z.enum(grounds),
    'Ground of all screens: nearly grey, tinted with the main colour, or changing from its tint to that of the accent. Default: plain.',
  ),
  font: optional(
    z.union([z.enum(fontKinds), ownFont]),
    'Fonts of the device (system, rounded, serif, mono), or a family of your own with its files. Default: system.',
  ),
  headings: optional(
    z.union([z.enum(fontKinds), ownFont]),
    'Font of headings, the large figure and the state, as theme.font. Default: theme.font.',
  ),
  contrast: optional(
    z.enum(['error', 'fix', 'warn']),
    'Treatment of colours with too little contrast: refuse the brand, take the nearest colour that passes, or warn. Default: error.',
  ),
})

const slot = (place: string) =>
  optional(leaf.picture(), `${place}: at most 30 kB, seen on the ground of both modes.`)

const art = z.strictObject({
  welcome: slot('Above the welcome, in place of the logo'),
  firstReward: slot('Beside the first reward'),
  noRewards: slot('Where rewards will be'),
  noActivity: slot('Where payments will be'),
})

export const assets = z.strictObject({
  logo: needed(
    leaf.picture(),
    'Logo with or without words: SVG, or PNG at least 1024 pixels wide. Up to 200 kB.',
  ),
  logoDark: optional(leaf.picture(), 'Logo for dark grounds. Default: the logo.'),
  icon: needed(
    leaf.picture(),
    'Square icon: SVG, or PNG of at least 1024 pixels. Best drawn on a transparent ground; a filled one keeps its art inside the central circle of 80 %.',
  ),
  mark: optional(
    leaf.picture(),
    'One-colour sign for notifications: its outline is used. Default: the icon, when its ground is transparent, else the logo.',
  ),
  splashBackground: optional(leaf.colour(), 'Ground of icon and splash screen. Default: theme.primary.'),
  socialCard: optional(
    leaf.picture(),
    'Picture for link previews, 1200 × 630. Default: the logo on the ground of the splash screen.',
  ),
  art: optional(
    art,
    'Drawings of your own, about 160 × 120, without a word in them. Default: neutral ones in the colours of the brand.',
  ),
})
