/** Returns the route that a hash names; undefined for a hash of another kind and for addresses of other origins. */
function routeOf({ hash, origin }: Pick<URL, 'hash' | 'origin'>): URL | undefined {
  if (!hash.startsWith('#/') || !URL.canParse(hash.slice(1), origin)) return undefined
  const route = new URL(hash.slice(1), origin)
  return route.origin === origin ? route : undefined
}

/**
 * Opens the route that a hash names, such as `/#/wallet/send?to=…`: hosts that answer 404 for routes serve such a link.
 * Addresses of other origins are left alone.
 */
export function openHashRoute(place: Pick<Location, 'hash' | 'origin'>, history: History): void {
  const route = routeOf(place)
  if (route !== undefined) history.replaceState(null, '', route)
}

type Launch = { readonly targetURL?: string | null | undefined }

/** Parts of a window. Browsers that install apps have a queue of the links that were opened with the app. */
export type LinkedWindow = Pick<Window, 'location' | 'history' | 'sessionStorage' | 'addEventListener'> & {
  readonly launchQueue?: { readonly setConsumer: (consumer: (launch: Launch) => void) => void }
}

/** Session storage key of the last link of the queue: a page that is loaded again is given it again. */
const OPENED = 'hailstone.launch'

/**
 * Opens the route of the page's hash, and those of links that come while the app is open, which is not loaded again:
 * the key in its memory would be lost.
 */
export function followLinks(page: LinkedWindow): void {
  const { location, history, sessionStorage } = page
  const open = (): void => openHashRoute(location, history)
  open()
  page.addEventListener('hashchange', open)
  let isFirst = true
  page.launchQueue?.setConsumer(({ targetURL }) => {
    const link = new URL(targetURL ?? '/', location.origin)
    const isAgain = isFirst && sessionStorage.getItem(OPENED) === link.href
    isFirst = false
    sessionStorage.setItem(OPENED, link.href)
    const route = routeOf(link) ?? link
    // The icon of the app leaves it where it is.
    const isElsewhere = route.pathname !== '/' && route.href !== location.href
    if (!isAgain && isElsewhere && route.origin === location.origin) history.pushState(null, '', route)
  })
}
