import { type Finding, finding, joinPath, shown } from '../findings/finding.ts'
import { isPlainObject, type PlainObject } from './plain-data.ts'

type Removed = {
  /** Values that are no longer allowed; without it the whole setting is gone. */
  readonly values?: readonly unknown[]
  readonly fix: string
}

const ONE_NETWORK = 'Remove it: a token lives on one network. For tests build another environment.'
const NO_REPORTS =
  'Remove it: the app sends no reports. People can send the text under Diagnostics themselves.'

/**
 * Settings of earlier releases of this schema. They are ignored with a warning, so that a brand that still has them
 * is read; the next version of the schema refuses them.
 */
export const removedSettings: Readonly<Record<string, Removed>> = {
  'network.userSelectable': { fix: ONE_NETWORK },
  'network.allowCustom': { fix: ONE_NETWORK },
  telemetry: { fix: NO_REPORTS },
  'update.source': {
    values: ['ver'],
    fix: 'Remove it: the network announces versions of its own app, not of this one.',
  },
}

export type Layer = { readonly layer: PlainObject; readonly findings: readonly Finding[] }

/** Takes the removed settings out of a brand file and its environments. */
export function fileWithoutRemoved(file: PlainObject): Layer {
  const base = withoutRemoved(file)
  const { environments } = base.layer
  if (!isPlainObject(environments)) return base
  const each = Object.entries(environments).map(([name, member]) => {
    const { layer, findings } = isPlainObject(member)
      ? withoutRemoved(member)
      : { layer: member, findings: [] }
    const placed = findings.map((one) => ({ ...one, path: joinPath(['environments', name, one.path]) }))
    return { entry: [name, layer] as const, findings: placed }
  })
  return {
    layer: { ...base.layer, environments: Object.fromEntries(each.map(({ entry }) => entry)) },
    findings: [...base.findings, ...each.flatMap(({ findings }) => findings)],
  }
}

/** Takes the removed settings out of one layer of a brand. */
export function withoutRemoved(layer: PlainObject): Layer {
  return Object.entries(removedSettings).reduce<Layer>(
    (before, [path, { values, fix }]) => {
      const [rest, value] = without(before.layer, path.split('.'), values)
      if (rest === before.layer) return before
      const removed = finding('setting-removed', { path, found: shown(value), fix })
      return { layer: rest, findings: [...before.findings, removed] }
    },
    { layer, findings: [] },
  )
}

/** Returns the object without the member at a path, and that member; the same object if there is no such member. */
function without(
  object: PlainObject,
  [key = '', ...below]: readonly string[],
  values: readonly unknown[] | undefined,
): readonly [rest: PlainObject, value: unknown] {
  if (!Object.hasOwn(object, key)) return [object, undefined]
  const { [key]: member, ...others } = object
  if (below.length === 0) {
    return values === undefined || values.includes(member) ? [others, member] : [object, undefined]
  }
  if (!isPlainObject(member)) return [object, undefined]
  const [rest, value] = without(member, below, values)
  return rest === member ? [object, undefined] : [{ ...others, [key]: rest }, value]
}
