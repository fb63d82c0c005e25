import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MANIFEST_NAME, readBuildManifest } from '@hailstone/brand/tools'

/** Version and effective settings of the build in a folder. */
export type LastBuild = {
  readonly version: string
  readonly environment: string
  /** Settings by path, as the app reads them: defaults of that version are filled in. */
  readonly settings: ReadonlyMap<string, string>
}

/** Reads version and settings of the web app that was built into a folder; null if the folder holds no such build. */
export async function lastBuild(out: string): Promise<LastBuild | null> {
  const [list, brand] = await Promise.all([
    read(join(out, MANIFEST_NAME)),
    read(join(out, 'brand/brand.json')),
  ])
  const manifest = list === null ? null : readBuildManifest(list)
  if (manifest === null || brand === null) return null
  try {
    const { configHash: _, ...settings } = JSON.parse(brand.toString('utf8'))
    return {
      version: manifest.version,
      environment: manifest.environment,
      settings: new Map(flattened(settings, '')),
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function flattened(value: unknown, path: string): readonly (readonly [path: string, value: string])[] {
  if (typeof value !== 'object' || value === null) return [[path, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([key, inner]) =>
    flattened(inner, path === '' ? key : `${path}.${key}`),
  )
}

const MAX_LINES = 20

/** Returns lines about another version of the app and about the settings whose effective value it changed. */
export function changesSince(before: LastBuild | null, now: LastBuild | null): readonly string[] {
  if (before === null || now === null) return []
  const version =
    before.version === now.version ? [] : [`the last build here was made with version ${before.version}`]
  if (before.environment !== now.environment) return version
  const paths = [...new Set([...before.settings.keys(), ...now.settings.keys()])].sort()
  const changed = paths.flatMap((path) => {
    const [old, fresh] = [before.settings.get(path), now.settings.get(path)]
    return old === fresh ? [] : [`  ${path}  ${old ?? 'nothing'} → ${fresh ?? 'nothing'}`]
  })
  if (changed.length === 0) return version
  const more = changed.length > MAX_LINES ? [`  and ${changed.length - MAX_LINES} more`] : []
  return [...version, 'settings that changed since the last build:', ...changed.slice(0, MAX_LINES), ...more]
}
