import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { passwordReadings, readPassword } from './read-password.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hailstone-'))
})
afterAll(() => rm(folder, { recursive: true }))

it('a new keystore takes no password in another encoding, and one made with it still opens', async () => {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, Buffer.from('pa\u00e9ssword\n', 'latin1'), { mode: 0o600 })
  await expect(readPassword({ passwordFile }, {} as never, '')).rejects.toThrow('is not text in UTF-8')
  expect(await passwordReadings({ passwordFile }, {} as never)).toContain('pa\ufffdssword')
})
