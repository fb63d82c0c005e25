import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('the example of the README does what its comment says, with the package as it is built', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const [, example = ''] = /```js\n(.+?)```/s.exec(readme) ?? []
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    input: example,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(stdout.trim().split('\n')).toEqual([
    'answer 1: 200',
    'answer 2: 503',
    'answer 3: 200',
    'status of GET /api/v1/height',
  ])
  expect(status).toBe(0)
})
