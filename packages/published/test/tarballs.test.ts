import { readFile } from 'node:fs/promises'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { describe, expect, inject, it } from 'vitest'
import { isImported, type PublishedName, packageNameOf, published, tarballOf } from './support/workspace.ts'

/** Packages of modules alone have nothing for resolution before modules, and `require` is told so. */
const ofModulesAlone = ['NoResolution node10', 'CJSResolvesToESM node16-cjs']

/** Documents and schemas that a package has beside its code; its build writes them. */
const documents: Readonly<Partial<Record<PublishedName, readonly string[]>>> = {
  protocol: ['./openapi.json'],
  brand: ['./brand.schema.json'],
  hailstone: ['./config.schema.json', './lines.schema.json'],
}

const loadedFromFewFiles: readonly string[] = ['runtime', 'protocol', 'client', 'mining-node']

describe.each(published)('the tarball of %s', (name) => {
  const bytes = () => readFile(tarballOf(inject('tarballs'), name))

  it('is what its manifest says: publint finds nothing', async () => {
    const tarball = await bytes()
    const { buffer, byteOffset, length } = tarball
    const pack = { tarball: (buffer as ArrayBuffer).slice(byteOffset, byteOffset + length) }
    const { messages, pkg } = await publint({ pack, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toStrictEqual([])
  })

  it.runIf(isImported(name))('has the right types at every entry: attw finds nothing', async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(await bytes())))
    if (result.types === false) throw new Error('there are no types')
    const found = result.problems.map((problem) =>
      'resolutionKind' in problem ? `${problem.kind} ${problem.resolutionKind}` : problem.kind,
    )
    expect(found.filter((problem) => !ofModulesAlone.includes(problem))).toStrictEqual([])
  })

  it.runIf(isImported(name))(
    'gives Node each entry from one build, or none, so that entries share their modules',
    async () => {
      const files = createPackageFromTarballData(new Uint8Array(await bytes()))
      const { exports } = JSON.parse(files.readFile(`/node_modules/${packageNameOf(name)}/package.json`))
      const modules = Object.values(exports).filter((entry) => typeof entry === 'object')
      const bundled = modules.map((entry) => /"node":"\.\/dist\/bundle\//.test(JSON.stringify(entry)))
      expect(new Set(bundled)).toStrictEqual(new Set([loadedFromFewFiles.includes(name)]))
    },
  )

  it('carries what every entry that is JSON names', async () => {
    const files = createPackageFromTarballData(new Uint8Array(await bytes()))
    const at = (path: string): string => `/node_modules/${packageNameOf(name)}/${path}`
    const { exports } = JSON.parse(files.readFile(at('package.json')))
    const named = Object.keys(exports).filter((entry) => entry.endsWith('.json'))
    expect(named).toStrictEqual([...(documents[name] ?? []), './package.json'])
    for (const entry of named) {
      const document = JSON.parse(files.readFile(at(exports[entry].slice(2))))
      expect(Object.keys(document).length, entry).toBeGreaterThan(2)
    }
  })

  it('carries no tests and names no folder of this workspace', async () => {
    const files = createPackageFromTarballData(new Uint8Array(await bytes()))
    const names = files.listFiles()
    expect(names.length).toBeGreaterThan(isImported(name) ? 10 : 2)
    expect(
      names
        // The tests of a template are what it is for.
        .filter((file) => !file.includes('/dist/templates/'))
        .filter((file) => /\.test\.|\/test\/|node_modules\/.+\/node_modules/.test(file)),
    ).toStrictEqual([])
    const manifest = files.readFile(`/node_modules/${packageNameOf(name)}/package.json`)
    expect(manifest).not.toMatch(/workspace:|catalog:/)
  })
})
