import { execFile } from 'node:child_process'
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

/** Packs what the build left, as publishing would. */
export default async function packAll(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hailstone-tarballs-'))
  const pnpm = join(root, 'node_modules', '.bin', 'pnpm')
  for (const name of published)
    await run(pnpm, ['pack', '--out', tarballOf(folder, name)], { cwd: folderOf(name) })
  project.provide('tarballs', folder)
  return () => rm(folder, { recursive: true })
}
