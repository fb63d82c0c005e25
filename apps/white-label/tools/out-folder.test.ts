import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defaultOut, foreignFile } from './out-folder.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'out-'))
  await mkdir(join(folder, 'acme'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('a brand in a folder of its own is built inside of it, one of several beside them', () => {
  expect(defaultOut('/home/acme', 'acme')).toBe('/home/acme/dist')
  expect(defaultOut('/home/acme', 'acme', 'ios')).toBe('/home/acme/ios')
  expect(defaultOut('/home/brands/acme', 'acme')).toBe('/home/builds/acme')
  expect(defaultOut('/home/brands/acme', 'acme', 'android')).toBe('/home/builds/acme-android')
})

it('nothing is built into the folder of the brand, those around it, and folders with files of others alone', async () => {
  const brand = join(folder, 'acme')
  expect(await foreignFile(join(brand, 'dist'), brand)).toBeNull()
  expect(await foreignFile(brand, brand)).toContain('holds the brand itself')
  expect(await foreignFile(folder, brand)).toContain('holds the brand itself')
  await symlink(folder, join(folder, 'link'))
  expect(await foreignFile(join(folder, 'link/acme'), brand)).toContain('holds the brand itself')
  const other = join(folder, 'other')
  await mkdir(other)
  expect(await foreignFile(other, brand)).toBeNull()
  await writeFile(join(other, 'diary.txt'), '')
  expect(await foreignFile(other, brand)).toContain('such as diary.txt')
  await writeFile(join(other, 'build-manifest.json'), '{"pages":{}}')
  expect(await foreignFile(other, brand)).toContain('such as build-manifest.json')
  const digest = 'ab'.repeat(32)
  const manifest = {
    ...{ format: 1, brand: 'acme', environment: 'dev', target: 'web', version: '1.0.0', configHash: digest },
    ...{ inputs: [], outputs: [{ path: 'index.html', sha256: digest }] },
  }
  await writeFile(join(other, 'build-manifest.json'), JSON.stringify(manifest))
  expect(await foreignFile(other, brand)).toBeNull()
})
