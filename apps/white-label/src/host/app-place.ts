import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { isPackage } from './is-package.ts'

/**
 * Returns what links into this app begin with, up to the slash before the route: the place where it was opened, and for a
 * package, whose own address exists on this device alone, the origin of the brand's homepage, else a host whose links open
 * the package, else its scheme.
 */
export function appPlace({ app, deepLink }: Pick<RuntimeBrand, 'app' | 'deepLink'>): string {
  if (!isPackage()) return `${location.origin}/`
  if (app.homepage !== null) return `${new URL(app.homepage).origin}/`
  const [host] = deepLink.hosts
  return host === undefined ? `${deepLink.scheme}://` : `https://${host}/`
}
