import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { contentSecurityPolicy, type ResolvedBrand } from '@hailstone/brand/check'
import { checkBrandFolder } from '@hailstone/brand/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { appFolder, brandFiles, readShell } from './build-brand.ts'

let brand: ResolvedBrand
let files: ReadonlyMap<string, Uint8Array>
beforeAll(async () => {
  const report = await checkBrandFolder({ folder: join(appFolder(), 'brands', 'jamr') })
  if (report.brand === null) throw new Error('the example is a brand')
  brand = report.brand
  // Without pictures, which contain no scripts and take longest to draw.
  files = await brandFiles(report, await readShell(), new Map())
})

const textOf = (path: string): string => new TextDecoder().decode(files.get(path))
const scripts = (): readonly string[] => [...files.keys()].filter((path) => path.endsWith('.js'))

describe('S-9: the app that a brand is built into', () => {
  it('has the promised policy as header and in the page, which cannot say who may frame it', () => {
    const { origin } = new URL(brand.network.api)
    const promised = [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      `connect-src 'self' ${[origin, ...brand.network.poa.map((url) => new URL(url).origin)].join(' ')}`,
      "worker-src 'self'",
      "manifest-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types hailstone',
    ]
    const [, header = ''] = /^ *Content-Security-Policy: (.*)$/m.exec(textOf('_headers')) ?? []
    expect(header).toBe(contentSecurityPolicy(brand))
    expect(header.split('; ').filter((one) => !one.startsWith('connect-src'))).toEqual(
      promised.filter((one) => !one.startsWith('connect-src')),
    )
    const sources = /connect-src ([^;]*)/.exec(header)?.[1]?.split(' ') ?? []
    for (const source of promised[5]?.split(' ').slice(1) ?? []) expect(sources).toContain(source)
    for (const source of sources.slice(1)) expect(source).toMatch(/^(?:https?|wss?):\/\/[\w.:[\]-]+$/)
    const [, meta = ''] =
      /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(textOf('index.html')) ?? []
    const written = promised.filter((one) => !one.startsWith('frame-ancestors')).length
    expect(meta.split('; ')).toHaveLength(written)
    expect(header.split('; ').filter((one) => !meta.includes(one))).toEqual(["frame-ancestors 'none'"])
    // A policy applies only to what follows it.
    const page = textOf('index.html')
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.search(/<script|<link/))
  })

  it('has no inline script, handler or style, and takes nothing from elsewhere', () => {
    const page = textOf('index.html')
    const tags = page.match(/<[a-z][^>]*>/g) ?? []
    expect(tags.length).toBeGreaterThan(10)
    for (const tag of tags) expect(tag).not.toMatch(/\s(?:on\w+|style|srcdoc)\s*=/i)
    expect(page).not.toMatch(/<style|<base|<iframe|<object/i)
    for (const [, attributes = '', inside = ''] of page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)) {
      expect(attributes).toMatch(/ src="\/[^/"]/)
      expect(inside).toBe('')
    }
    for (const [, url = ''] of page.matchAll(/ (?:src|href)="([^"]*)"/g)) expect(url).toMatch(/^\/(?!\/)/)
  })

  it('makes code of no text, in any script', () => {
    expect(scripts().length).toBeGreaterThan(3)
    for (const path of scripts())
      expect(textOf(path), path).not.toMatch(
        /\beval\(|\bnew Function\(|setTimeout\(["'`]|importScripts\(["'`]https?:/,
      )
  })
})

it('X7: no page listens to messages of another window, and links give nobody a hold of ours', async () => {
  const folder = join(appFolder(), 'src')
  const names = (await readdir(folder, { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const sources = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })),
  )
  expect(sources.length).toBeGreaterThan(100)
  const listening = sources.filter(({ text }) =>
    /(?<!worker\.)addEventListener\(\s*['"]message['"]|window\.onmessage/.test(text),
  )
  // Only the service worker listens, and only pages of the same origin can write to it.
  expect(listening.map(({ name }) => name)).toEqual([join('pwa', 'service-worker.ts')])
  for (const { name, text } of sources)
    for (const [tag] of text.matchAll(/<a\b[^>]*target="_blank"[^>]*>/g))
      expect(tag, name).toContain('noopener')
})
