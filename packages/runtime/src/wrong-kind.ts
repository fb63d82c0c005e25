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

/** A setting with a value of another kind than is expected. */
export type WrongKind = { readonly name: string; readonly expected: string; readonly found: unknown }

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
  if (kind === 'signal') return typeof Reflect.get(Object(found), 'throwIfAborted') === 'function'
  return typeof found === kind && !Number.isNaN(found)
}

/**
 * Returns the first setting whose value is of another kind than the table says, such as `timeoutMs: '5'`. Settings that
 * are absent or undefined are left to their defaults.
 */
export function wrongKind(
  settings: object,
  kinds: Readonly<Record<string, string | true>>,
): WrongKind | undefined {
  for (const [name, kind] of Object.entries(kinds)) {
    const found: unknown = Reflect.get(settings, name)
    if (found === undefined || kind === true || isOfKind(found, kind)) continue
    const aNumber = name.endsWith('Ms') ? 'a number of milliseconds' : 'a number'
    return { name, expected: expectations[kind] ?? aNumber, found }
  }
  return undefined
}
