/**
 * Opens the route that a hash names, such as `/#/wallet/send?to=…`: hosts that answer 404 for routes serve such a link.
 * Addresses of other origins are left alone.
 */
export function openHashRoute({ hash, origin }: Pick<Location, 'hash' | 'origin'>, history: History): void {
  if (!hash.startsWith('#/')) return
  const route = new URL(hash.slice(1), origin)
  if (route.origin === origin) history.replaceState(null, '', route)
}
