import type { PlainData } from './plain-data.ts'

/** Splits `links.buy[0].url` into its parts; the reverse of `joinPath`. */
export function parsePath(path: string): readonly (string | number)[] {
  return path
    .split('.')
    .flatMap((part) => part.split(/[[\]]/).filter((piece) => piece !== ''))
    .map((piece) => (/^\d+$/.test(piece) ? Number(piece) : piece))
}

/** Returns the value at a path, or undefined. Never reads a prototype. */
export function valueAt(data: PlainData | undefined, path: readonly PropertyKey[]): PlainData | undefined {
  return path.reduce<PlainData | undefined>((value, part) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    return (value as Readonly<Record<PropertyKey, PlainData>>)[part]
  }, data)
}
