import { afterEach, expect, it, vi } from 'vitest'
import { paymentRequestOf } from '../text/payment-request.ts'
import { requestLink } from '../text/request-link.ts'
import { appPlace } from './app-place.ts'
import { packageRoute } from './package-route.ts'

afterEach(() => vi.unstubAllGlobals())

const brandOf = (homepage: string | null, hosts: readonly string[]) =>
  ({ app: { homepage }, deepLink: { scheme: 'jamr-wallet', hosts } }) as never
const to = `02${'ab'.repeat(32)}`

it('a link from a browser leads to the place where the app was opened', () => {
  vi.stubGlobal('location', { origin: 'https://mine.example' })
  expect(appPlace(brandOf('https://elsewhere.example/app', []))).toBe('https://mine.example/')
})

it('a link from a package never leads to the address that exists on its device alone', () => {
  vi.stubGlobal('location', { origin: 'https://localhost' })
  vi.stubGlobal('Capacitor', { nativePromise: () => undefined, addListener: () => undefined })
  const hosts = ['open.jamr.example', 'jamr.example']
  const links = [brandOf('https://jamr.example/home', hosts), brandOf(null, hosts), brandOf(null, [])].map(
    (brand) => requestLink(appPlace(brand), to, '1.5'),
  )
  expect(links).toEqual(
    ['https://jamr.example/', 'https://open.jamr.example/', 'jamr-wallet://'].map(
      (place) => `${place}wallet/send?to=${to}&amount=1.5`,
    ),
  )
  for (const link of links) {
    expect(paymentRequestOf(link)).toEqual({ to, amount: '1.5' })
    expect(packageRoute(link, { scheme: 'jamr-wallet', hosts })).toBe(`/wallet/send?to=${to}&amount=1.5`)
  }
})
