import { checkBrand } from '@hailstone/brand/check'
import type { HostName } from '@hailstone/brand/tools'
import { expect } from 'vitest'
import { bytesOf, goodSource } from '../../../packages/brand/test/good-brand.ts'
import {
  type HostAnswer,
  type ImitatedHost,
  imitatedHost,
  serveHost,
} from '../../../packages/brand/test/host-imitations.ts'
import { readShell } from '../tools/build-brand.ts'
import { offlineWorker } from '../tools/offline-files.ts'
import type { Device } from './worker-device.ts'

type Files = ReadonlyMap<string, Uint8Array>

const { brand } = checkBrand({ source: goodSource })

/** Files of a small app whose script says its version and installs the service worker. */
function filesOf(version: string): Map<string, Uint8Array> {
  const script = `globalThis.version = '${version}'; navigator.serviceWorker.register('/service-worker.js')`
  return new Map([
    [
      'index.html',
      bytesOf(`<!doctype html><script type="module" src="/assets/main-${version}.js"></script>`),
    ],
    [`assets/main-${version}.js`, bytesOf(script)],
    ['brand/brand.json', bytesOf(JSON.stringify({ version }))],
    ['brand/theme.css', bytesOf(`:root { --version: ${version} }`)],
    ['favicon.svg', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ])
}

const withWorker = (files: Files, text: string): Files =>
  new Map([...files, ['service-worker.js', bytesOf(text)]])

const shell = readShell()

/** A version with the app's service worker. */
export async function version(name: string): Promise<Files> {
  const files = filesOf(name)
  const source = new TextDecoder().decode((await shell).mining.get('service-worker.js'))
  return withWorker(files, offlineWorker(source, files, { id: 'acme', languages: ['en'] }))
}

/** A version with a worker that keeps whatever is answered with a status of 200, and the page by its name. */
export function olderVersion(name: string): Files {
  const files = filesOf(name)
  const kept = JSON.stringify([...files.keys()].map((path) => `/${path}`))
  const text = `
    const FILES = ${kept}, NAME = 'hailstone-acme-app-00000000000${name}'
    self.addEventListener('install', (event) => event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES))))
    self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
    self.addEventListener('fetch', (event) => {
      const { request } = event
      event.respondWith((async () => {
        const cache = await caches.open(NAME)
        return (await cache.match(request.mode === 'navigate' ? '/index.html' : request)) ?? fetch(request)
      })())
    })`
  return withWorker(files, text)
}

/** Changes the answer of a host to one of its requests. Undefined breaks the connection off. */
export type Fault = (path: string, answer: HostAnswer, host: ImitatedHost) => HostAnswer | undefined

const at =
  (wanted: string, fault: (answer: HostAnswer, host: ImitatedHost) => HostAnswer): Fault =>
  (path, answer, host) =>
    path === wanted ? fault(answer, host) : answer

/** Leads to a copy, or to the page. */
const ledTo =
  (target: string): ((answer: HostAnswer) => HostAnswer) =>
  () => ({ status: 302, location: target, body: new Uint8Array() })

const COPY = '/copy.js'

/** Breaks off every request after these, which are those of a visit and of the beginning of an update. */
function offlineAfter(count: number): Fault {
  let left = count
  return (_, answer) => (left-- > 0 ? answer : undefined)
}

/** Faults of the upload of version 2, and whether its worker refuses to be installed with each. */
export const faults: readonly (readonly [name: string, fault: () => Fault, isRefused: boolean])[] = [
  ['a script that is missing', () => at('/assets/main-2.js', (_, host) => host('/assets/none.js')), true],
  ['data that is missing', () => at('/brand/brand.json', (_, host) => host('/none.json')), true],
  ['the page in place of a script', () => at('/assets/main-2.js', (_, host) => host('/')), true],
  ['the page in place of a style', () => at('/brand/theme.css', (_, host) => host('/')), true],
  [
    'a script that is called a page',
    () => at('/assets/main-2.js', (answer) => ({ ...answer, type: 'text/html' })),
    true,
  ],
  [
    'half a script',
    () => at('/assets/main-2.js', (answer) => ({ ...answer, body: answer.body.slice(0, 20) })),
    true,
  ],
  [
    'data of another version',
    () => at('/brand/brand.json', (answer) => ({ ...answer, body: bytesOf('{"version":"1"}') })),
    true,
  ],
  ['a script that leads to the page', () => at('/assets/main-2.js', ledTo('/')), true],
  ['a page that leads to a script', () => at('/', ledTo('/assets/main-2.js')), true],
  [
    'a script that leads to a copy of it',
    () => (path, answer, host) => {
      if (path === COPY) return host('/assets/main-2.js')
      return path === '/assets/main-2.js' ? ledTo(COPY)(answer) : answer
    },
    false,
  ],
  ['an end of the connection in the middle', () => offlineAfter(3), true],
  ['an end of the connection at once', () => offlineAfter(0), true],
]

/** A host that serves what was put on it last. */
async function openHost(name: HostName) {
  if (brand === null) throw new Error('The brand is good.')
  let host: ImitatedHost = () => ({ status: 404, body: new Uint8Array() })
  let fault: Fault = (_, answer) => answer
  const serving = await serveHost((path) => fault(path, host(path), host))
  return {
    ...serving,
    put: (files: Files, given: Fault = (_, answer) => answer) => {
      host = imitatedHost(name, brand, files)
      fault = given
    },
  }
}

const goOffline: Fault = () => undefined

type Walk = { readonly name: HostName; readonly openDevice: (url: string) => Device | Promise<Device> }

/** Visits until a version opens. Every visit on the way has to open one. */
async function expectAtLast(device: Device, wanted: string): Promise<void> {
  for (let visits = 0; visits < 50; visits++) {
    const opened = await device.visit()
    expect(opened).not.toBe(null)
    if (opened === wanted) return
  }
  throw new Error(`Version ${wanted} does not open.`)
}

/** Goes from version 1 to 2 with a fault on the way: the app opens at every visit, and without a network. */
export async function walkUpdate(
  { name, openDevice }: Walk,
  fault: Fault,
  isRefused: boolean,
): Promise<void> {
  const host = await openHost(name)
  const [first, second] = await Promise.all([version('1'), version('2')])
  try {
    const device = await openDevice(host.url)
    host.put(first)
    expect(await device.visit()).toBe('1')
    await device.update()
    expect(await device.visit()).toBe('1')
    host.put(first, goOffline)
    expect(await device.visit()).toBe('1')
    host.put(second, fault)
    expect(await device.visit()).toBe('1')
    await device.update()
    await expectAtLast(device, isRefused ? '1' : '2')
    host.put(second, goOffline)
    expect(await device.visit()).toBe(isRefused ? '1' : '2')
    host.put(second)
    await device.update()
    await expectAtLast(device, '2')
    host.put(second, goOffline)
    for (const path of ['/', '/wallet/receive', '/index.html']) expect(await device.visit(path)).toBe('2')
    expect(await device.visit('/terms')).toBe(null)
  } finally {
    await host.stop()
  }
}

/**
 * Goes on from a version whose worker keeps answers that browsers refuse.
 *
 * @param fault of the host while that worker was installed
 */
export async function walkFromOlder({ name, openDevice }: Walk, fault?: Fault): Promise<void> {
  const host = await openHost(name)
  try {
    const device = await openDevice(host.url)
    host.put(olderVersion('1'))
    expect(await device.visit()).toBe('1')
    host.put(olderVersion('1'), fault)
    await device.update()
    expect(await device.visit()).toBe(null)
    host.put(await version('2'))
    await device.update()
    // A window that shows nothing asks for no update. The browser looks for one by itself, a second after the last visit.
    await expect.poll(() => device.visit(), { interval: 3_000, timeout: 100_000 }).toBe('2')
    host.put(await version('2'), goOffline)
    expect(await device.visit()).toBe('2')
  } finally {
    await host.stop()
  }
}

/** The page in place of the script of version 1. */
export const scriptIsPage: Fault = at('/assets/main-1.js', (_, host) => host('/'))
