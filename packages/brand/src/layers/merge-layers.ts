import { isPlainObject, type PlainData, type PlainObject } from './plain-data.ts'

/**
 * Merges layers; later ones win. Objects merge at every depth; lists, texts and null replace. Does not change its
 * input.
 */
export function mergeLayers(layers: readonly PlainObject[]): PlainObject {
  return layers.reduce<PlainObject>((below, above) => mergeTwo(below, above), {})
}

function mergeTwo(below: PlainObject, above: PlainObject): PlainObject {
  const merged: Record<string, PlainData> = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const old = below[key]
    merged[key] = isPlainObject(value) ? mergeTwo(isPlainObject(old) ? old : {}, value) : value
  }
  return merged
}
