import { describe, expect, it } from 'vitest'
import { addressBlock } from './address-block.ts'

describe('what an address is counted by', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:4411', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
  ])('%s: %s', (address, block) => expect(addressBlock(address)).toBe(block))

  it('is a /48 for a whole site', () => {
    const sites = ['2001:db8:1:2::9', '2001:db8:1:ffff::9', '2001:db8:2::9'].map((one) =>
      addressBlock(one, 3),
    )
    expect(sites).toStrictEqual(['2001:db8:1::/48', '2001:db8:1::/48', '2001:db8:2::/48'])
  })
})
