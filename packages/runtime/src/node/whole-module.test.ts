import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { wholeModule } from './whole-module.ts'

type Sockets = { readonly Server: unknown }

let folder: string
let path: string
const require = createRequire(import.meta.url)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hailstone-whole-'))
  path = require.resolve(packageOf('exports.Server = class Server {}'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Path of a package in two files, the second one of the given text. */
function packageOf(text: string): string {
  writeFileSync(join(folder, 'index.cjs'), "module.exports = require('./server.cjs')")
  writeFileSync(join(folder, 'server.cjs'), text)
  return join(folder, 'index.cjs')
}

const wholeOf = (imported: Sockets) =>
  wholeModule(imported, { name: path, from: () => pathToFileURL(path).href, parts: ['Server'] })

it('returns what was imported if nothing is missing', () => {
  const imported = { Server: class {} }
  const from = () => expect.fail('nothing is missing')
  expect(wholeModule(imported, { name: path, from, parts: ['Server'] })).toBe(imported)
})

it.each([
  ['undefined', undefined],
  ['an empty object', {}],
])('requires a package whose import brought %s', (_, value) => {
  const { Server } = wholeOf({ Server: value })
  expect(Server).toBeTypeOf('function')
  expect(Server).toBe(require(path).Server)
})

it.each(['index.cjs', 'server.cjs'])('loads a package again of which %s is held half loaded', (name) => {
  const half = new Module(join(folder, name))
  require.cache[join(folder, name)] = half
  expect(wholeOf({ Server: undefined }).Server).toBeTypeOf('function')
})

it('loads a file again that refers to one half loaded', () => {
  packageOf("const base = require('./base.cjs')\nexports.Server = class Server { static Base = base.Base }")
  const base = join(folder, 'base.cjs')
  writeFileSync(base, 'exports.Base = class Base {}')
  require.cache[base] = new Module(base)
  require(path)
  delete require.cache[base]
  expect((wholeOf({ Server: undefined }).Server as { readonly Base: unknown }).Base).toBeTypeOf('function')
})

it('names the package and the parts if they are nowhere', () => {
  packageOf('exports.Client = class Client {}')
  expect(() => wholeOf({ Server: undefined })).toThrow(
    `The package ${path} has no Server, imported or required.`,
  )
})
