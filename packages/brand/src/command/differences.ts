import { joinPath, printable, shown } from '../findings/finding.ts'

/** Values as text, by path. */
export type Leaves = ReadonlyMap<string, string>

/** Returns every value below one, by its path. */
export const settingsOf = (value: unknown): Leaves => new Map(flattened(value, []))

function flattened(value: unknown, path: readonly PropertyKey[]): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[joinPath(path), printable(shown(value))]]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return entries.flatMap(([key, member]) => flattened(member, [...path, key]))
}

/** Returns a line for each path whose value differs: `+` added, `-` removed, `~` changed. */
export function differences(before: Leaves, after: Leaves): readonly string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  return paths.flatMap((path) => {
    const [old, new_] = [before.get(path), after.get(path)]
    if (old === new_) return []
    if (old === undefined) return [`+ ${path}  ${new_}`]
    return new_ === undefined ? [`- ${path}  ${old}`] : [`~ ${path}  ${old} → ${new_}`]
  })
}
