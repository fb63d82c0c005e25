import { expect, it } from 'vitest'
import { answerAddress, type SignInRequest, signInFault, signInRequestOf } from './sign-in-request.ts'

const nowMs = Date.UTC(2026, 10, 29)
const pages = ['https://shop.example/signed-in', 'http://localhost:8080/signed-in']
const good: SignInRequest = { page: pages[0] ?? '', nonce: 'nonce-123', expiresAtMs: nowMs + 300_000 }

it.each<readonly [claim: string, change: Partial<SignInRequest>, fault: string | null]>([
  ['a page of the brand', {}, null],
  ['the same page in another spelling', { page: 'https://SHOP.example:443/signed-in' }, null],
  ['a page on this machine that the brand lists', { page: 'http://localhost:8080/signed-in' }, null],
  ['another host', { page: 'https://evil.example/signed-in' }, 'unknownPage'],
  ['a host that begins with the listed one', { page: 'https://shop.example.evil.example/' }, 'unknownPage'],
  ['the listed host as a name', { page: 'https://shop.example@evil.example/signed-in' }, 'unknownPage'],
  ['credentials', { page: 'https://a:b@shop.example/signed-in' }, 'unknownPage'],
  ['another port', { page: 'https://shop.example:8443/signed-in' }, 'unknownPage'],
  ['without encryption', { page: 'http://shop.example/signed-in' }, 'unknownPage'],
  ['another page of the host, which may redirect', { page: 'https://shop.example/go' }, 'unknownPage'],
  ['a query', { page: 'https://shop.example/signed-in?to=//evil.example' }, 'unknownPage'],
  ['a script', { page: 'javascript:alert(1)' }, 'unknownPage'],
  ['no address', { page: 'shop.example' }, 'malformed'],
  ['no nonce', { nonce: '' }, 'malformed'],
  ['a nonce with a line break', { nonce: 'nonce-123\n' }, 'malformed'],
  ['no end', { expiresAtMs: Number.NaN }, 'malformed'],
  ['an end in a day', { expiresAtMs: nowMs + 86_400_000 }, 'malformed'],
  ['an end that has come', { expiresAtMs: nowMs }, 'expired'],
])('a request with %s', (_, change, fault) => {
  expect(signInFault({ ...good, ...change }, { pages, nowMs })).toBe(fault)
})

it('answers no request where the brand lists no page', () => {
  expect(signInFault(good, { pages: [], nowMs })).toBe('unknownPage')
})

it('reads a link, and what is missing there is malformed', () => {
  const link = new URLSearchParams({ page: good.page, nonce: good.nonce, expires: String(good.expiresAtMs) })
  expect(signInRequestOf(link)).toEqual(good)
  expect(signInFault(signInRequestOf(new URLSearchParams()), { pages, nowMs })).toBe('malformed')
})

it('hands the answer over in the fragment', () => {
  const { origin, pathname, search, hash } = new URL(answerAddress(good.page, '{"a":"1 & 2"}'))
  expect(`${origin}${pathname}${search}`).toBe(good.page)
  expect(new URLSearchParams(hash.slice(1)).get('signIn')).toBe('{"a":"1 & 2"}')
})
