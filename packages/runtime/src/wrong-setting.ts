import { nearestWord } from './nearest-word.ts'

type KindOf<Value> = [Value] extends [number]
  ? 'number'
  : [Value] extends [boolean]
    ? 'boolean'
    : [Value] extends [(...given: never) => unknown]
      ? 'function'
      : [Value] extends [{ readonly aborted: boolean }]
        ? 'signal'
        : [Value] extends [readonly unknown[]]
          ? 'list'
          : Value extends string
            ? true | 'string'
            : Value extends bigint
              ? true | 'bigint'
              : true

/**
 * Every name of the settings with the kind of its value, so that a new one does not compile before it stands in a table.
 * `true` stands for values that other checks read.
 */
export type SettingKinds<Settings> = {
  readonly [Name in keyof Settings]-?: KindOf<NonNullable<Settings[Name]>>
}

type Kinds = Readonly<Record<string, string | true>>

/** Settings with the table of their names and kinds. */
export type GivenSettings = {
  /** Names the settings as a whole, such as `of createClient`. */
  readonly of: string
  readonly settings: unknown
  readonly kinds: Kinds
  /** Stands before the name of a setting inside another. @default '' */
  readonly within?: string | undefined
  /** No other name is accepted: what was meant by it would be ignored. @default false */
  readonly isClosed?: boolean | undefined
}

/** A setting that would be ignored or misread. */
export type WrongSetting = { readonly name: string; readonly expected: string; readonly found: unknown }

/** Shorter names resemble too many. */
const SHORTEST_NAME = 5

function misspeltName(settings: object, names: readonly string[]): readonly [string, string] | undefined {
  for (const found of Object.keys(settings)) {
    if (names.includes(found) || found.length < SHORTEST_NAME) continue
    const meant = nearestWord(found, names)
    if (meant !== undefined) return [found, meant]
  }
  return undefined
}

const expectations: Readonly<Record<string, string>> = {
  bigint: "a bigint, such as 25n or parseAmount('25', token)",
  boolean: 'true or false',
  function: 'a function',
  list: 'a list',
  signal: 'the signal of an AbortController',
  string: 'a text',
}

function isOfKind(found: unknown, kind: string): boolean {
  if (kind === 'list') return Array.isArray(found)
  if (kind === 'signal') return typeof Reflect.get(Object(found), 'aborted') === 'boolean'
  return typeof found === kind && !Number.isNaN(found)
}

/**
 * Returns the first setting whose name is not in the table but resembles one of it, such as `apiURL` for `apiUrl`, or else
 * the first whose value is of another kind than the table says, such as `timeoutMs: '5'`. Other unknown names are
 * accepted where the table is not closed: they may belong to the program. Settings that are undefined are left to their
 * defaults.
 */
export function wrongSetting(parameters: GivenSettings): WrongSetting | undefined {
  const { of, settings, kinds, within = '', isClosed = false } = parameters
  const given = Object(settings)
  const names = Object.keys(kinds)
  const [found, meant] = misspeltName(given, names) ?? []
  if (meant !== undefined) return { name: of, expected: `named ${meant}`, found }
  const other = Object.keys(given).find((name) => given[name] !== undefined && !names.includes(name))
  if (isClosed && other !== undefined)
    return { name: of, expected: `made of ${names.join(', ')}`, found: other }
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(given, name)
    if (value === undefined || kind === true || isOfKind(value, kind)) continue
    const aNumber = name.endsWith('Ms') ? 'a number of milliseconds' : 'a number'
    return { name: within + name, expected: expectations[kind] ?? aNumber, found: value }
  }
  return undefined
}
