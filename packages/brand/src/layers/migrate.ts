import { type Finding, finding, shown } from '../findings/finding.ts'
import { SCHEMA_VERSION } from '../schema/brand-schema.ts'
import type { PlainObject } from './plain-data.ts'

/** Turns a brand of one schema version into the next; the key is the version it starts from. */
export type Migrations = Readonly<Record<number, (brand: PlainObject) => PlainObject>>

/** Version 1 is the first: nothing to migrate yet. A version 2 adds `1: (brand) => …` here. */
export const migrations: Migrations = {}

export type Migrated = {
  /** Null when the brand cannot be read by this program. */
  readonly brand: PlainObject | null
  readonly findings: readonly Finding[]
}

/** Brings a brand to the newest schema version, one step at a time, with a warning; refuses newer ones. */
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
