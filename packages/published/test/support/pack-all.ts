import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { folderOf, published, root, tarballOf } from './workspace.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder with a tarball of each published package. */
    tarballs: string
  }
}

const run = promisify(execFile)

/**
 * Packs what the build left, as publishing would. `HAILSTONE_TARBALLS` names a folder for several runs, of which the
 * first one packs.
 */
export default async function packAll(project: TestProject): Promise<() => Promise<void>> {
  const kept = process.env.HAILSTONE_TARBALLS
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'hailstone-tarballs-')))
  project.provide('tarballs', folder)
  if (kept !== undefined && published.every((name) => existsSync(tarballOf(kept, name))))
    return async () => {}
  const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
  for (const name of published)
    await run(pnpm, ['pack', '--out', tarballOf(folder, name)], { cwd: folderOf(name) })
  return async () => {
    if (kept === undefined) await rm(folder, { recursive: true })
  }
}
