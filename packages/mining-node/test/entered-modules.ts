import { Session } from 'node:inspector/promises'

/** Paths below `packages` of modules of which a named function ran. Re-exports do not count. */
type EnteredModules = readonly string[]

const moduleOf = (url: string): string | null => {
  const [, path] = /\/packages\/([^?]*\/src\/[^?]+)/.exec(url) ?? []
  return path === undefined || path.endsWith('/index.ts') ? null : path
}

/**
 * Begins to count the modules whose functions run in this thread. The returned function ends it and returns them.
 * Counts calls, by V8's precise coverage; what a module does when it is loaded is set-up, and is not counted.
 */
export async function countEnteredModules(): Promise<() => Promise<EnteredModules>> {
  const inspector = new Session()
  inspector.connect()
  await inspector.post('Profiler.enable')
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  // Taking it resets the counts.
  await inspector.post('Profiler.takePreciseCoverage')
  return async () => {
    const { result } = await inspector.post('Profiler.takePreciseCoverage')
    inspector.disconnect()
    const entered = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
    )
    return [...new Set(entered.flatMap(({ url }) => moduleOf(url) ?? []))].sort()
  }
}
