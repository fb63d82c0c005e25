import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'

/** JSON values. */
export type PlainData =
  | string
  | number
  | boolean
  | null
  | readonly PlainData[]
  | { readonly [key: string]: PlainData }
export type PlainObject = { readonly [key: string]: PlainData }

const DEEPEST = 16
const LARGEST = 5_000
const dangerous: readonly string[] = ['__proto__', 'constructor', 'prototype']

type Copying = { readonly findings: Finding[]; count: number }

export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Copies a value as plain data. Leaves out and reports functions, accessors, instances, symbols, NaN, and keys that
 * reach into prototypes.
 */
export function copyPlainData(value: unknown): {
  readonly data: PlainData | undefined
  readonly findings: readonly Finding[]
} {
  const copying: Copying = { findings: [], count: 0 }
  return { data: copied(value, [], copying), findings: copying.findings }
}

function copied(value: unknown, path: readonly PropertyKey[], copying: Copying): PlainData | undefined {
  copying.count += 1
  if (path.length > DEEPEST || copying.count > LARGEST) return refuse('too much of it', path, copying)
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : refuse(String(value), path, copying)
  if (Array.isArray(value)) return copiedList(value, path, copying)
  if (typeof value === 'object') return copiedObject(value, path, copying)
  return value === undefined ? undefined : refuse(`a ${typeof value}`, path, copying)
}

function copiedList(list: readonly unknown[], path: readonly PropertyKey[], copying: Copying): PlainData {
  // Array.from visits holes as well, which are not plain data.
  return Array.from(list.slice(0, LARGEST)).map((item, index) => {
    const place = [...path, index]
    return (item === undefined ? refuse('a hole', place, copying) : copied(item, place, copying)) ?? null
  })
}

function copiedObject(object: object, path: readonly PropertyKey[], copying: Copying): PlainData | undefined {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return refuse('an instance of a class', path, copying)
  }
  const copy: Record<string, PlainData> = {}
  for (const key of Reflect.ownKeys(object)) {
    const place = [...path, key]
    if (copying.count > LARGEST) break
    const descriptor = Object.getOwnPropertyDescriptor(object, key)
    if (typeof key === 'symbol') refuse('a symbol', path, copying)
    else if (dangerous.includes(key)) copying.findings.push(dangerousKey(key, place))
    else if (descriptor === undefined || !('value' in descriptor)) refuse('an accessor', place, copying)
    else {
      const member = copied(descriptor.value, place, copying)
      if (member !== undefined) copy[key] = member
    }
  }
  return copy
}

const dangerousKey = (key: string, place: readonly PropertyKey[]): Finding =>
  finding('dangerous-key', { path: joinPath(place), found: `the key ${shown(key)}` })

function refuse(found: string, path: readonly PropertyKey[], copying: Copying): undefined {
  copying.findings.push(finding('not-plain-data', { path: joinPath(path), found }))
}
