import type { RuntimeBrand } from '@hailstone/brand/runtime'

/** Routes that a link may open. A link fills a form: it sends and signs nothing. */
const ROUTES = [
  /^\/i\/ref_[0-9a-zA-Z]{1,80}$/,
  /^\/wallet\/send$/,
  /^\/sign-in$/,
  /^\/tx\/[0-9a-fA-F]{64}$/,
  /^\/rewards$/,
]

/**
 * Returns the route of a link that opened the package: an https link to one of the brand's hosts, or one with its
 * scheme, such as `scheme://wallet/send?to=…`. All others open the first view.
 */
export function packageRoute(link: string, { scheme, hosts }: RuntimeBrand['deepLink']): string {
  if (!URL.canParse(link)) return '/'
  const { protocol, host, pathname, search, hash } = new URL(link)
  const isOwnScheme = protocol === `${scheme}:`
  if (!isOwnScheme && !(protocol === 'https:' && hosts.includes(host))) return '/'
  // After `scheme://` the first part of the route is where other addresses have their host.
  const parts = `${isOwnScheme ? host : ''}/${pathname}`.split('/').filter((part) => part !== '')
  const path = `/${parts.join('/')}`
  if (!ROUTES.some((route) => route.test(path))) return '/'
  if (path.startsWith('/i/')) return path + hash
  return path === '/wallet/send' || path === '/sign-in' ? path + search : path
}
