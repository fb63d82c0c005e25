import { expect, it } from 'vitest'
import { createWallet } from './create-wallet.ts'
import { signIn, verifySignIn } from './sign-in.ts'

const wallet = createWallet()
const at = { host: 'shop.example', nonce: 'a-nonce-of-the-shop' }
const proof = signIn({ wallet, ...at, issuedAtMs: 1_000_000 })
const whyOf = (given: unknown, more: object = {}) => {
  const check = verifySignIn(given, { ...at, nowMs: 1_000_000, ...more })
  return check.ok ? check.address : check.why
}

it('is known to the host that it was meant for, as what came over JSON', () => {
  expect(whyOf(JSON.parse(JSON.stringify(proof)))).toBe(wallet.address)
})

it.each<[string, object, object, string]>([
  ['another host', {}, { host: 'other.example' }, 'anotherHost'],
  ['another host in it', { host: 'other.example' }, { host: 'other.example' }, 'notSigned'],
  ['another nonce', {}, { nonce: 'a-nonce-of-before' }, 'anotherNonce'],
  ['too old', {}, { nowMs: 1_300_001 }, 'expired'],
  ['of the future', {}, { nowMs: 939_999 }, 'expired'],
  ['a later time in it', { issuedAtMs: 1_000_001 }, {}, 'notSigned'],
  ['another account', { address: createWallet().address }, {}, 'notSigned'],
  ['a host with a line in it', { host: 'shop.example\nx' }, {}, 'malformed'],
  ['no signature', { signature: undefined }, {}, 'malformed'],
  ['a time as text', { issuedAtMs: '1000000' }, {}, 'malformed'],
])('is refused: %s', (_, changed, expected, why) => {
  expect(whyOf({ ...proof, ...changed }, expected)).toBe(why)
})

it('throws over nothing that came from elsewhere', () => {
  for (const given of [undefined, null, 5, 'x', [], {}, Object.create(null), { address: Symbol('x') }])
    expect(whyOf(given)).toBe('malformed')
})

it('signs no text that another message has: each of those is hex digits alone', () => {
  const { signature } = wallet.signHail({ host: at.host, tokenId: '0'.repeat(64) as never })
  expect(whyOf({ ...proof, signature })).toBe('notSigned')
  for (const host of ['ab'.repeat(32), 'a\nb', '', 'x'.repeat(254)])
    if (host.length !== 64) expect(() => signIn({ wallet, ...at, host })).toThrow('host should be')
})
