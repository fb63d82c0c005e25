import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appFolder } from './build-brand.ts'

type Line = { readonly file: string; readonly line: string }

const sources = join(appFolder(), 'src')

/** Sources of the app without tests and comments. */
const lines: readonly Line[] = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .flatMap((file) =>
    readFileSync(join(sources, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
      .map((line) => ({ file: file.replaceAll('\\', '/'), line })),
  )

const filesWith = (pattern: RegExp): readonly string[] => [
  ...new Set(lines.filter(({ line }) => pattern.test(line)).map(({ file }) => file)),
]

describe('S-13: the sources of the app, which holds keys,', () => {
  it('are there to be looked at', () => {
    expect(lines.length).toBeGreaterThan(3_000)
  })

  it.each([
    ['HTML from text', /innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySetInnerHTML/],
    ['code from text', /\beval\(|\bnew Function\b|[^.\w]Function\(|setTimeout\(\s*['"`]/],
    ['messages to any origin', /postMessage\([^)]*['"]\*['"]/],
    ['randomness that can be foreseen', /Math\.random/],
    ['anything printed', /\bconsole\b/],
    ['keys of the browser that could be stored', /generateKey|unwrapKey|extractable: true/],
    ['code of others in a worker', /importScripts|new SharedWorker/],
  ])('have no %s', (_, pattern) => {
    expect(lines.filter(({ line }) => pattern.test(line))).toStrictEqual([])
  })

  it('take the private key out of a wallet in the worker, in places that are known', () => {
    expect(filesWith(/exportPrivateKey\(\)/)).toStrictEqual([
      'engine/account-store.ts',
      'engine/derived-key.ts',
      'engine/passkey-box.ts',
    ])
  })

  it('keep things in the browser in places that are known', () => {
    expect(
      [...filesWith(/localStorage|sessionStorage|document\.cookie|indexedDB\.open|caches\.open/)].sort(),
    ).toStrictEqual([
      'app/use-auto-lock.ts',
      'engine/storage.ts',
      // A link that opened the app is followed once, although a page that is loaded again is given it again.
      'host/hash-route.ts',
      // The newest transfers of an account, for when the network does not answer.
      'host/kept-activity.ts',
      'host/package-bridge.ts',
      'host/preferences.ts',
      'host/update-watch.ts',
      // The last reading of a feed, for an hour, and what was put away of it.
      'incidents/incident-feed.ts',
      // The choices of somebody after the first run, in a phone of the partner's preview.
      'preview/page.ts',
      'pwa/service-worker.ts',
      // The chosen language of the wizard's page, its step, and whether it shows one list.
      'wizard/stored.ts',
    ])
  })

  it('speak to other tabs in one place, and start a worker in the two pages', () => {
    expect(filesWith(/new BroadcastChannel/)).toStrictEqual(['engine/engine.ts'])
    expect(filesWith(/new Worker\(/)).toStrictEqual(['main.tsx', 'miner-page.ts'])
  })
})

describe('the built worker', () => {
  it.each(['mining', 'wallet', 'android'])(
    'is imported by none of its chunks in %s: WebKit would run it twice',
    (kind) => {
      const folder = join(appFolder(), 'dist', kind, 'assets')
      const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
      const entry = scripts.find((name) => /^worker-/.test(name))
      expect(entry).toBeDefined()
      const importing = scripts.filter((name) =>
        new RegExp(`(?:from|import)\\s*["'\`]\\./${entry}`).test(readFileSync(join(folder, name), 'utf8')),
      )
      expect(importing).toStrictEqual([])
    },
  )
})
