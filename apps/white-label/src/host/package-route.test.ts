import { expect, it } from 'vitest'
import { packageRoute } from './package-route.ts'

const brand = { scheme: 'tidewater', hosts: ['tidewater.example'] }
const routeOf = (link: string): string => packageRoute(link, brand)
const CODE = `ref_${'0a'.repeat(33)}`
const HASH = 'ab'.repeat(32)

it('check 28: opens the routes that a link may name, by https and by the scheme of the brand', () => {
  for (const base of ['https://tidewater.example/', 'tidewater://', 'tidewater:///', 'tidewater:/']) {
    expect(routeOf(`${base}i/${CODE}`)).toBe(`/i/${CODE}`)
    expect(routeOf(`${base}i/${CODE}#c=spring`)).toBe(`/i/${CODE}#c=spring`)
    expect(routeOf(`${base}wallet/send?to=${'02'.repeat(33)}&amount=1.5`)).toBe(
      `/wallet/send?to=${'02'.repeat(33)}&amount=1.5`,
    )
    expect(routeOf(`${base}tx/${HASH}`)).toBe(`/tx/${HASH}`)
    expect(routeOf(`${base}sign-in?nonce=12345678`)).toBe('/sign-in?nonce=12345678')
    expect(routeOf(`${base}rewards`)).toBe('/rewards')
  }
})

it('check 28: opens the first view for all other links', () => {
  for (const link of [
    'https://tidewater.example/terms',
    'https://tidewater.example/more/backup',
    `https://elsewhere.example/i/${CODE}`,
    `http://tidewater.example/i/${CODE}`,
    `https://tidewater.example/i/${CODE}/../../more/security`,
    'tidewater://more/security',
    'tidewater://i/ref_<script>',
    'javascript:alert(1)',
    'no link',
    '',
  ])
    expect(routeOf(link)).toBe('/')
})
