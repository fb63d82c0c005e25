import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { binOf, folderOf, published, root } from './support/workspace.ts'

it('no published package has a file, an export or a dependency that nothing uses, or uses one it does not name: knip', () => {
  const only = published.flatMap((name) => ['--workspace', folderOf(name).slice(root.length)])
  const { status, stdout } = spawnSync(binOf('knip'), ['--reporter', 'compact', ...only], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
  expect(status).toBe(0)
})
