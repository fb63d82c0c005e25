import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readMail } from './alerts/send-mail.ts'
import { readOpenIdSettings } from './people/open-id-client.ts'

it.each(['utf8', 'utf16le'] as const)('reads files with a byte order mark in %s', async (encoding) => {
  const folder = await mkdtemp(join(tmpdir(), 'console-written-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'written')
  const provider = { name: 'Example', issuer: 'https://id.example.com', clientId: 'console' }
  await writeFile(file, `\ufeff${JSON.stringify(provider)}\r\n`, encoding)
  expect(await readOpenIdSettings(file, () => {})).toMatchObject(provider)
  await writeFile(file, '\ufeffsmtps://user:password@mail.example.com\r\n', encoding)
  expect(await readMail({ file, from: 'a@example.com' }, () => {})).toBeTypeOf('function')
})
