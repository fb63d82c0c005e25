import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { canParseUrl, isLoopbackHost, isPrivateHost } from './hosts.ts'

const hostOf = (spelled: string): string => new URL(`wss://${spelled}/`).hostname

/** Ranges of the library that the internet routes, and those that only documents use. */
const PUBLIC = new Set(['unicast', 'as112', 'amt', 'as112v6'])
const isDocumentation = (host: string): boolean =>
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^\[?(?:2001:db8|3fff):/.test(host)

describe('isPrivateHost', () => {
  it.each([
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'nas', 'printer.local', 'x.localdomain'],
    ...['db.internal', 'x.intranet', 'x.lan', 'x.home', 'x.corp', 'x.mail', 'x.private', 'x.home.arpa.'],
    ...['x.test', 'x.invalid', 'x.alt', 'ｌｏｃａｌｈｏｓｔ', 'router。local', 'Ｘ.Ｌａｎ'],
    ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.1', '169.254.169.254', '172.16.0.1'],
    ...[
      '172.31.255.255',
      '192.0.0.1',
      '192.0.0.8',
      '192.88.99.1',
      '192.168.0.1',
      '198.18.0.1',
      '198.19.255.255',
    ],
    ...[
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0300.0250.1',
    ],
    ...['10。0。0。1', '１０.0.0.1', '127.0.0.1.'],
    ...['[::]', '[::1]', '[::ffff:10.0.0.1]', '[::ffff:8.8.8.8]', '[::7f00:1]', '[64:ff9b::7f00:1]'],
    ...[
      '[64:ff9b:1::1]',
      '[100::1]',
      '[2001::1]',
      '[2001:2::1]',
      '[2001:20::1]',
      '[2002:7f00:1::]',
      '[fc00::1]',
    ],
    ...['[fd12::1]', '[fe80::1]', '[fec0::1]', '[ff02::1]', '[5f00::1]', '[200::1]'],
  ])('knows %s', (spelled) => expect(isPrivateHost(hostOf(spelled))).toBe(true))

  it.each([
    ...['gateway.example', 'example.com.', 'localhost.example.com', 'homes.example.com', 'xn--mnchen-3ya.de'],
    ...[
      '8.8.8.8',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
    ],
    ...['169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.1', '192.167.255.255', '192.169.0.0'],
    ...[
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '[2606:4700::1]',
      '[2a01:4f8::1]',
      '[2001:4860::8888]',
    ],
  ])('lets %s pass', (spelled) => expect(isPrivateHost(hostOf(spelled))).toBe(false))

  it('takes numbers that are no address for private', () => {
    expect(['1.2.3', '1.2.3.4.5', '127'].map(isPrivateHost)).toStrictEqual([true, true, true])
  })

  it('judges 20,000 IPv4 addresses as ipaddr.js does, at the edges of its ranges as well', () => {
    const edge = fc.constantFrom(
      0,
      1,
      2,
      9,
      10,
      11,
      63,
      64,
      88,
      99,
      100,
      127,
      128,
      168,
      169,
      172,
      192,
      198,
      223,
      224,
      255,
    )
    const octet = fc.oneof(edge, fc.nat(255))
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const host = octets.join('.')
        if (isDocumentation(host)) return
        expect(isPrivateHost(host), host).toBe(!PUBLIC.has(ipaddr.IPv4.parse(host).range()))
      }),
      { numRuns: 20_000 },
    )
  })

  it('lets no IPv6 address pass that ipaddr.js does not call public', () => {
    const first = fc.constantFrom(
      0,
      0x64,
      0x100,
      0x2001,
      0x2002,
      0x2606,
      0x3fff,
      0x5f00,
      0xfc00,
      0xfe80,
      0xff02,
    )
    const group = fc.oneof(
      fc.nat(0xffff),
      fc.constantFrom(0, 1, 2, 0x10, 0x1ff, 0x200, 0xffff, 0xff9b, 0x7f00),
    )
    fc.assert(
      fc.property(
        fc.tuple(fc.oneof(first, fc.nat(0xffff)), fc.array(group, { minLength: 7, maxLength: 7 })),
        ([one, rest]) => {
          const host = hostOf(`[${[one, ...rest].map((part) => part.toString(16)).join(':')}]`)
          const range = ipaddr.IPv6.parse(host.slice(1, -1)).range()
          if (isDocumentation(host)) return
          if (!PUBLIC.has(range)) expect(isPrivateHost(host), `${host} ${range}`).toBe(true)
          // 2001::/23 is for protocols, whatever it is used for now.
          else if (one >= 0x2002 && one < 0x4000) expect(isPrivateHost(host), `${host} ${range}`).toBe(false)
        },
      ),
      { numRuns: 20_000 },
    )
  })
})

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'a.localhost',
    'localhost.',
    '127.0.0.1',
    '127.1',
    '[::1]',
    '2130706433',
    'LocalHost',
  ])('knows %s', (spelled) => expect(isLoopbackHost(hostOf(spelled))).toBe(true))

  it.each([
    'localhost.example.com',
    'notlocalhost',
    '128.0.0.1',
    '10.0.0.1',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.example.com',
  ])('does not take %s for this machine', (spelled) => expect(isLoopbackHost(hostOf(spelled))).toBe(false))

  it('takes an address without brackets as sockets name it', () => {
    expect(isLoopbackHost('::1')).toBe(true)
  })
})

describe('canParseUrl', () => {
  it('takes letters outside of ASCII also after it was compiled', () => {
    const given = ['https://b\u00fccher.example', 'https://example.com/', 'wss://10.0.0.1:1']
    let refused = 0
    for (let call = 0; call < 30_000; call++) if (!canParseUrl(given[call % 3] ?? '')) refused++
    expect(refused).toBe(0)
  })

  it.each(['', 'example.com', '/path', 'https://', 'https://a b'])('refuses %j', (text) =>
    expect(canParseUrl(text)).toBe(false),
  )
})
