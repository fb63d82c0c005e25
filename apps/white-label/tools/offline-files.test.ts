import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { shippedLanguages } from '@hailstone/brand/check'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { expect, it } from 'vitest'
import { appFolder, brandFiles, readShell } from './build-brand.ts'
import { languageOf } from './offline-files.ts'

it('keeps the texts of the languages that a brand offers, and English, for use offline', async () => {
  const report = await checkBrandFolder({
    folder: join(appFolder(), 'brands', 'jamr'),
    environment: 'dev',
    target: 'web',
    flags: { i18n: { default: 'ar', enabled: ['ar', 'de'] } },
  })
  const files = await brandFiles(report, await readShell())
  const worker = new TextDecoder().decode(files.get('service-worker.js'))
  const kept: readonly string[] = JSON.parse(/BUILD_FILES=(\[.*?\])/.exec(worker)?.[1] ?? '[]')
  const hashes: readonly string[] = JSON.parse(/BUILD_HASHES=(\[.*?\])/.exec(worker)?.[1] ?? '[]')
  // The page under its address, which hosts do not redirect, and each file as it is.
  expect(kept).toContain('/')
  expect(kept).not.toContain('/index.html')
  const hashOf = (path: string): string =>
    createHash('sha256')
      .update(files.get(path === '/' ? 'index.html' : path.slice(1)) ?? '')
      .digest('base64')
  expect(hashes).toEqual(kept.map(hashOf))
  const inApp = [...files.keys()].filter((path) => path.startsWith('assets/'))
  // Texts of the first page, of those behind it and of payouts.
  for (const language of shippedLanguages)
    expect(inApp.filter((path) => languageOf(path) === language)).toHaveLength(3)
  expect(inApp.filter((path) => !kept.includes(`/${path}`)).map(languageOf)).toEqual(
    inApp.map(languageOf).filter((language) => !['ar', 'de', 'en', undefined].includes(language)),
  )
})
