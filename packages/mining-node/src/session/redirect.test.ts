import { describe, expect, it } from 'vitest'
import { redirectTarget } from './redirect.ts'

const from = (currentUrl: string, host: string, port = 3000) => redirectTarget({ currentUrl, host, port })
const PUBLIC = 'wss://gateway.example:443/'

describe('a redirect', () => {
  it('keeps the scheme, so that it is never a downgrade', () => {
    expect(from(PUBLIC, '203.0.113.9')).toEqual({ ok: true, url: 'wss://203.0.113.9:3000/' })
    expect(from('ws://203.0.113.1:3000', '203.0.113.9')).toEqual({ ok: true, url: 'ws://203.0.113.9:3000/' })
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'foo.localhost',
    'printer.local',
    'db.internal',
    'intranet',
    'gateway.home',
    'gateway.corp',
    'gateway.intranet',
    'gateway.home.arpa.',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.0.8',
    '0300.0250.0.1',
    'ｌｏｃａｌｈｏｓｔ',
    '10。0。0。1',
    '::1',
    '[::1]',
    '::ffff:10.0.0.1',
    '::',
    'fe80::1',
    'fd00::1',
    'fc12::1',
    'fec0::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('does not lead from a public gateway to %s', (host) => {
    expect(from(PUBLIC, host).ok).toBe(false)
  })

  it('may lead from this machine to this machine', () => {
    expect(from('ws://127.0.0.1:4411', '127.0.0.1', 4412)).toEqual({ ok: true, url: 'ws://127.0.0.1:4412/' })
    expect(from('ws://[::1]:4411', '::1', 4412)).toEqual({ ok: true, url: 'ws://[::1]:4412/' })
  })

  it('refuses a host that cannot be read', () => {
    expect(from(PUBLIC, '1.2.3.4.5').ok).toBe(false)
    expect(from(PUBLIC, ':::').ok).toBe(false)
  })
})
