import type { BrandFiles } from '@hailstone/brand/check'
import { type LookName, looks } from '@hailstone/brand/tools'

export type PlainObject = Record<string, unknown>

/** One setting by its path, such as `theme.primary`; null removes it. */
export type Change = { readonly path: string; readonly value: unknown }

/** A brand as it is edited. */
export type Draft = { readonly config: PlainObject; readonly files: BrandFiles }

/** Settings that every look decides, with those of the dark mode, whose colours belong to another main colour. */
const LOOK_SETTINGS = [
  'primary',
  'accent',
  'dark',
  'mode',
  'radius',
  'shape',
  'density',
  'hero',
  'ground',
  'font',
  'headings',
] as const
const MAX_STEPS = 200

const isObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null

/** Returns the setting at a path, or undefined. */
export function settingAt(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), config)
}

/**
 * Returns a copy with one setting changed. The path must be one of the schema. A group whose last setting is removed
 * goes with it.
 */
export function withChange(config: PlainObject, { path, value }: Change): PlainObject {
  const [first = '', ...rest] = path.split('.')
  const copy = { ...config }
  if (rest.length > 0) {
    const inner = copy[first]
    if (value === null && !isObject(inner)) return config
    const changed = withChange(isObject(inner) ? inner : {}, { path: rest.join('.'), value })
    if (Object.keys(changed).length === 0) delete copy[first]
    else copy[first] = changed
  } else if (value === null) delete copy[first]
  else copy[first] = value
  return copy
}

/**
 * Returns the files of a draft as they should be saved: those that no setting names are as they were, or gone. A file
 * that was refused goes when another takes its place.
 */
export function namedFiles({ config, files }: Draft, saved: BrandFiles): BrandFiles {
  const named = new Set(textsIn(config))
  const isKept = ([path, bytes]: readonly [string, Uint8Array]): boolean =>
    saved.get(path) === bytes || named.has(path)
  if ([...files].every(isKept)) return files
  return new Map(
    [...files].flatMap(([path, bytes]) => {
      const kept = isKept([path, bytes]) ? bytes : saved.get(path)
      return kept === undefined ? [] : [[path, kept] as const]
    }),
  )
}

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : isObject(value) ? Object.values(value).flatMap(textsIn) : []

/** Returns the typefaces of a theme that are files of the brand. */
const ownTypefaces = (theme: PlainObject): PlainObject =>
  Object.fromEntries(
    Object.entries(theme).filter(([key, value]) => ['font', 'headings'].includes(key) && isObject(value)),
  )

/** Returns a copy with the settings of a look. Typefaces from files of the brand stay. */
export function withLook(config: PlainObject, name: LookName): PlainObject {
  const theme = isObject(config.theme) ? config.theme : {}
  const rest = Object.entries(theme).filter(([key]) => !LOOK_SETTINGS.some((own) => own === key))
  return { ...config, theme: { ...Object.fromEntries(rest), ...looks[name], ...ownTypefaces(theme) } }
}

/** Returns the look whose settings all equal those of the theme, or null. */
export function lookOf({ theme }: PlainObject): LookName | null {
  if (!isObject(theme)) return null
  const isCurrent = (name: LookName): boolean => {
    const look: PlainObject = { ...looks[name], ...ownTypefaces(theme) }
    return LOOK_SETTINGS.every((key) => theme[key] === look[key])
  }
  return (Object.keys(looks) as LookName[]).find(isCurrent) ?? null
}

/** A draft and the steps that led to it. */
export type DraftHistory = {
  readonly draft: () => Draft
  /** Edits the draft. Edits of the same name that follow one another are one step, as the letters of a word. */
  readonly edit: (name: string, change: Partial<Draft>) => void
  /** Undoes the last step. Without steps it does nothing. */
  readonly undo: () => void
  readonly canUndo: () => boolean
  /** Makes a change in the draft and in all steps that led to it: undoing them leaves the change. */
  readonly changeAll: (change: (draft: Draft) => Draft) => void
  /** Begins a new step with the next edit, whatever its name. */
  readonly endStep: () => void
}

/** Keeps the last 200 steps of a draft. */
export function keepHistory(first: Draft): DraftHistory {
  let draft = first
  let last: string | null = null
  let earlier: Draft[] = []
  return {
    draft: () => draft,
    edit: (name, change) => {
      if (name !== last) earlier.push(draft)
      if (earlier.length > MAX_STEPS) earlier.shift()
      last = name
      draft = { ...draft, ...change }
    },
    undo: () => {
      draft = earlier.pop() ?? draft
      last = null
    },
    canUndo: () => earlier.length > 0,
    changeAll: (change) => {
      draft = change(draft)
      earlier = earlier.map(change)
    },
    endStep: () => {
      last = null
    },
  }
}
