import { type Finding, finding, shown } from '../findings/finding.ts'
import { SCHEMA_VERSION } from '../schema/brand-schema.ts'
import type { PlainObject } from './plain-data.ts'

/** Migrations by the schema version they start from. */
export type Migrations = Readonly<Record<number, (brand: PlainObject) => PlainObject>>

/** Empty: version 1 is the first. */
export const migrations: Migrations = {}

export type Migrated = {
  /** Null if this program cannot read the brand. */
  readonly brand: PlainObject | null
  readonly findings: readonly Finding[]
}

/** Migrates a brand to the newest schema version, step by step, with a warning. Refuses newer versions. */
export function migrate(
  brand: PlainObject,
  { steps = migrations, newest = SCHEMA_VERSION }: { steps?: Migrations; newest?: number } = {},
): Migrated {
  const { schema } = brand
  const path = 'schema'
  if (schema === undefined) return refused(finding('schema-missing', { path, found: 'nothing' }))
  if (typeof schema !== 'number' || !Number.isInteger(schema) || schema < 1) {
    return refused(finding('schema-malformed', { path, found: shown(schema) }))
  }
  if (schema > newest) {
    return refused(finding('schema-newer', { path, expected: `${newest} or older`, found: shown(schema) }))
  }
  if (schema === newest) return { brand, findings: [] }
  const older = finding('schema-older', { path, expected: String(newest), found: String(schema) })
  return { brand: climb(brand, schema, newest, steps), findings: [older] }
}

const refused = (reason: Finding): Migrated => ({ brand: null, findings: [reason] })

function climb(brand: PlainObject, from: number, newest: number, steps: Migrations): PlainObject {
  let current = brand
  for (let version = from; version < newest; version += 1) {
    const step = steps[version]
    if (step === undefined) throw new Error(`No migration from schema ${version}.`)
    current = { ...step(current), schema: version + 1 }
  }
  return current
}
