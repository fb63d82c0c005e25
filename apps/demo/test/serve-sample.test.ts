import { afterEach, expect, it } from 'vitest'
import { serveSample } from '../src/serve-sample.ts'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

async function rootOf(ports: { readonly api: number; readonly gateway: number }): Promise<Response> {
  const apiUrl = `http://127.0.0.1:${ports.api}/api/v1`
  const gatewayUrl = `ws://127.0.0.1:${ports.gateway}`
  const { url, stop } = await serveSample({ port: 0, network: { apiUrl, gatewayUrl } })
  stops.push(stop)
  // A terminal of 60 columns shows all of it.
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  return fetch(url, { redirect: 'manual' })
}

it('is told of other ports than the usual ones by its server, and of those by nobody', async () => {
  const { status, headers } = await rootOf({ api: 5410, gateway: 5411 })
  expect(status).toBe(302)
  const { searchParams } = new URL(String(headers.get('location')), 'http://127.0.0.1')
  expect([...searchParams]).toEqual([
    ['api', 'http://127.0.0.1:5410/api/v1'],
    ['gateway', 'ws://127.0.0.1:5411'],
  ])
  expect((await rootOf({ api: 4410, gateway: 4411 })).status).not.toBe(302)
})
