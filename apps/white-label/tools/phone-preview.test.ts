import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { BrandEditors } from './brand-editors.ts'
import { localAddresses, servePhones } from './phone-preview.ts'
import { openWizardPhones } from './wizard-phones.ts'

const at = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) => [
  { address, family, internal },
]

it('names the addresses in local networks: no loopback, no public address, none of containers', () => {
  const interfaces = {
    lo: at('127.0.0.1', 'IPv4', true),
    wlan0: [...at('192.168.1.7'), ...at('fe80::1', 'IPv6')],
    eth0: at('10.0.0.4'),
    eth1: at('93.184.215.14'),
    docker0: at('172.17.0.1'),
  }
  expect(localAddresses(interfaces)).toEqual(['192.168.1.7', '10.0.0.4'])
})

it('refuses to begin where no phone can reach this machine', async () => {
  await expect(servePhones(async () => new Map(), [])).rejects.toThrow('in no local network')
})

it('leaves nothing open that keeps the command alive where phones cannot be served', async () => {
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  const before = listening()
  const editors = { phones: () => [{ mode: 'light', language: 'en' }] } as unknown as BrandEditors
  const scripts = { engine: new Uint8Array(), page: new Uint8Array() }
  const given = { editors, scripts, around: () => '', isForPhones: true, phoneAddresses: [] }
  await expect(openWizardPhones(given)).rejects.toThrow('in no local network')
  expect(listening()).toBe(before)
})

const reaches = (host: string, port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ host, port })
    socket
      .once('connect', () => {
        done(true)
        socket.destroy()
      })
      .once('error', () => done(false))
  })

it('listens on the addresses of local networks alone, and serves the files and nothing else', async () => {
  const files = new Map([['index.html', new TextEncoder().encode('<p>hello</p>')]])
  const phones = await servePhones(async () => files, ['127.0.0.2'])
  const [url = ''] = phones.urls
  expect(url).toMatch(/^http:\/\/127\.0\.0\.2:\d+\/$/)
  expect(await (await fetch(url)).text()).toBe('<p>hello</p>')
  expect((await fetch(`${url}wizard.js`)).status).toBe(404)
  expect(await reaches('127.0.0.1', Number(new URL(url).port))).toBe(false)
  await phones.stop()
  expect(await reaches('127.0.0.2', Number(new URL(url).port))).toBe(false)
})

it('does not tell other machines why it fails', async () => {
  const failing = async () => {
    throw new Error('/home/partner/brand is gone')
  }
  const phones = await servePhones(failing, ['127.0.0.2'])
  const answer = await fetch(phones.urls[0] ?? '')
  expect([answer.status, await answer.text()]).toEqual([500, 'The app cannot be served.'])
  await phones.stop()
})
