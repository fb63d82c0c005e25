import { expect, it } from 'vitest'
import { followLinks, type LinkedWindow, openHashRoute } from './hash-route.ts'

const origin = 'https://app.example'

/** A window whose address follows its history, with a session that outlives it. */
function windowAt(address: string, session = new Map<string, string>()) {
  let url = new URL(address, origin)
  const listeners: (() => void)[] = []
  let consumer: Parameters<NonNullable<LinkedWindow['launchQueue']>['setConsumer']>[0] = () => undefined
  const steps: string[] = []
  const step = (kind: string) => (_: unknown, __: string, to: URL) => {
    url = to
    steps.push(`${kind} ${to.href.slice(origin.length)}`)
  }
  const page = {
    location: {
      origin,
      get href() {
        return url.href
      },
      get hash() {
        return url.hash
      },
    },
    history: { pushState: step('push'), replaceState: step('replace') },
    sessionStorage: {
      getItem: (key: string) => session.get(key) ?? null,
      setItem: (key: string, value: string) => void session.set(key, value),
    },
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
    launchQueue: {
      setConsumer: (given: typeof consumer) => {
        consumer = given
      },
    },
  }
  followLinks(page as unknown as LinkedWindow)
  return {
    steps,
    session,
    changeHash: (hash: string) => {
      url = new URL(hash, url)
      for (const listener of listeners) listener()
    },
    launch: (targetURL?: string) => consumer({ targetURL }),
  }
}

it('a hash opens the route that it names, on this origin alone', () => {
  const send = '/wallet/send?to=1&amount=2'
  expect(windowAt(`/#${send}`).steps).toEqual([`replace ${send}`])
  expect(windowAt('/#/i/ref_0').steps).toEqual(['replace /i/ref_0'])
  for (const other of ['', '#top', '#//elsewhere.example/', '#/\\elsewhere.example/', '#//[', '#//x:y/'])
    expect(windowAt(`/${other}`).steps).toEqual([])
})

it('a hash is opened without a window of its own', () => {
  const routes: string[] = []
  const history = { replaceState: (_: unknown, __: string, url: URL) => routes.push(url.href) }
  openHashRoute({ hash: '#/i/ref_0', origin }, history as unknown as History)
  expect(routes).toEqual([`${origin}/i/ref_0`])
})

it('a link with a hash opens its route in an app that is open', () => {
  const page = windowAt('/')
  page.changeHash('#/wallet/send?to=1')
  page.changeHash('#top')
  page.changeHash('#/i/ref_0')
  expect(page.steps).toEqual(['replace /wallet/send?to=1', 'replace /i/ref_0'])
})

it('a link opened with the installed app opens its route once, and the icon leaves it where it is', () => {
  const page = windowAt('/#/wallet/send?to=1')
  page.launch(`${origin}/#/wallet/send?to=1`)
  page.launch(`${origin}/`)
  page.launch()
  page.launch('https://elsewhere.example/rewards')
  expect(page.steps).toEqual(['replace /wallet/send?to=1'])
  page.launch(`${origin}/#/wallet/send?to=2`)
  page.launch(`${origin}/i/ref_0`)
  page.launch(`${origin}/#/wallet/send?to=2`)
  const later = ['push /wallet/send?to=2', 'push /i/ref_0', 'push /wallet/send?to=2']
  expect(page.steps.slice(1)).toEqual(later)
  // A page that is loaded again is given the last link again.
  const again = windowAt('/rewards', page.session)
  again.launch(`${origin}/#/wallet/send?to=2`)
  expect(again.steps).toEqual([])
  again.launch(`${origin}/#/wallet/send?to=2`)
  expect(again.steps).toEqual(['push /wallet/send?to=2'])
})
