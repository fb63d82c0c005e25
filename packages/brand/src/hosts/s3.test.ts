import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { cloudFrontFunction, cloudFrontSettings, s3Script } from './s3.ts'

const rules = { id: 'acme', hostName: 'app.acme.example', headers: [], bridgePath: null }

it('uploads what the page loads before the page, and the service worker last', () => {
  const script = s3Script(rules, '../dist')
  const copied = [...script.matchAll(/^aws s3 (?:sync|cp) '([^']+)'/gm)].map(([, from]) => from)
  expect(copied).toEqual([
    '../dist/assets',
    '../dist',
    '../dist/manifest.webmanifest',
    '../dist/index.html',
    '../dist/service-worker.js',
  ])
  const [rest] = /^aws s3 sync '..\/dist' .*/m.exec(script) ?? []
  for (const path of ['assets/*', '.git/*', 'index.html', 'service-worker.js'])
    expect(rest).toMatch(new RegExp(`--exclude '?${path.replaceAll('*', '\\*')}'? `))
})

it('gives the page to routes, and status 404 to files that are missing', () => {
  const sandbox = createContext({})
  runInContext(cloudFrontFunction(), sandbox)
  const asked = (uri: string): string => sandbox.handler({ request: { uri } }).uri
  for (const route of ['/', '/wallet', '/wallet/send', '/i/ref_1']) expect(asked(route)).toBe('/index.html')
  for (const file of [
    '/assets/main-1.js',
    '/terms',
    '/terms.pdf',
    '/wallet/none.png',
    '/.well-known/apple-app-site-association',
  ])
    expect(asked(file)).toBe(file)
  const { Items } = JSON.parse(cloudFrontSettings(rules)).CustomErrorResponses
  const answered = Items.map((one: Record<string, unknown>) => [
    one.ErrorCode,
    one.ResponseCode,
    one.ResponsePagePath,
  ])
  // A bucket that may not be listed answers a missing file with 403.
  expect(answered).toEqual([
    [403, '404', '/404.html'],
    [404, '404', '/404.html'],
  ])
})
