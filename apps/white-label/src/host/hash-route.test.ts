import { expect, it } from 'vitest'
import { openHashRoute } from './hash-route.ts'

const origin = 'https://app.example'

function opened(hash: string): readonly string[] {
  const routes: string[] = []
  const history = { replaceState: (_: unknown, __: string, url: URL) => routes.push(url.href) }
  openHashRoute({ hash, origin }, history as unknown as History)
  return routes
}

it('a hash opens the route that it names, on this origin alone', () => {
  expect(opened('#/wallet/send?to=1&amount=2')).toEqual([`${origin}/wallet/send?to=1&amount=2`])
  expect(opened('#/i/ref_0')).toEqual([`${origin}/i/ref_0`])
  for (const other of ['', '#top', '#//elsewhere.example/', '#/\\elsewhere.example/'])
    expect(opened(other)).toEqual([])
})
