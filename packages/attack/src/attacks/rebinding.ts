import { createConnection } from 'node:net'
import type { Attack } from '../attack.ts'
import { startChild } from '../child.ts'
import type { NetworkAccess } from '../flood/network-process.ts'

const TIME_MS = 10_000

/** Names that somebody else's DNS server may point at this machine, and such as look like ours. */
const foreignHosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example.',
  '10.0.0.1',
  '169.254.169.254',
  '[::ffff:10.0.0.1]',
  'localhost@evil.example',
  'xn--lcalhost-54a',
]
const foreignOrigins = [
  'https://evil.example',
  'http://127.0.0.1:1',
  'http://localhost.evil.example',
  'null',
  'file://',
  'chrome-extension://abcdefghijklmnop',
]

/** The status of the answer, 0 without one. Written by hand: no client sends a Host that it is not connected to. */
const statusOf = (port: number, head: string): Promise<number> =>
  new Promise((resolve) => {
    let heard = ''
    const socket = createConnection({ host: '127.0.0.1', port })
    const settle = () => {
      socket.destroy()
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1] ?? 0))
    }
    socket.setTimeout(TIME_MS, settle)
    socket.on('error', settle).on('close', settle)
    socket.on('data', (chunk) => {
      heard += chunk
      if (heard.includes('\r\n')) settle()
    })
    socket.write(head)
  })

const request = (method: string, path: string, headers: readonly string[]): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...headers,
    'Connection: close',
    ...(method === 'POST' ? ['Content-Type: application/json', 'Content-Length: 2', '', '{}'] : ['', '']),
  ].join('\r\n')

export const rebinding: Attack = {
  name: 'rebinding',
  row: 'A-16',
  what: 'asks API, reference, pages and control under names and from origins of web pages',
  async run({ onEnd, say }) {
    const network = startChild('flood/network-process')
    onEnd(network.end)
    const { apiUrl } = await network.ask<NetworkAccess>('start', { control: true })
    const port = Number(new URL(apiUrl).port)
    let [asked, answered, ordered] = [0, 0, 0]
    const own = `Host: 127.0.0.1:${port}`
    for (const path of [
      '/',
      '/docs',
      '/docs/json',
      '/health',
      '/metrics',
      '/api/v1/height',
      '/control/v1/state',
    ]) {
      for (const host of foreignHosts) {
        for (const header of [`Host: ${host}`, `Host: ${host}:${port}`]) {
          asked++
          const status = await statusOf(port, request('GET', path, [header]))
          if (status >= 400 || status === 0) continue
          answered++
          say(`${path} was answered under ${header}`)
        }
      }
    }
    for (const origin of foreignOrigins) {
      for (const [method, path] of [
        ['GET', '/control/v1/state'],
        ['POST', '/control/v1/mine'],
        ['POST', '/control/v1/faults'],
      ] as const) {
        asked++
        const status = await statusOf(port, request(method, path, [own, `Origin: ${origin}`]))
        if (status >= 400 || status === 0) continue
        ordered++
        say(`${path} was accepted from ${origin}`)
      }
    }
    const honest = await Promise.all(
      ['/api/v1/height', '/control/v1/state'].map((path) => statusOf(port, request('GET', path, [own]))),
    )
    return [
      { name: 'requests under foreign names and origins', value: asked, unit: '', atLeast: 100 },
      { name: 'answered under a foreign name', value: answered, unit: '', atMost: 0 },
      { name: 'orders taken from a foreign origin', value: ordered, unit: '', atMost: 0 },
      {
        name: 'honest requests answered',
        value: honest.filter((status) => status === 200).length,
        unit: '',
        atLeast: 2,
      },
    ]
  },
}
