import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { type NativeBridge, nativeBridge } from './is-package.ts'
import { packageRoute } from './package-route.ts'

/** Session storage key of the link that was opened last: a page that is loaded again does not open it again. */
const OPENED = 'hailstone.link'

/** Opens a route in the running app, as a link does. */
function go(route: string): void {
  history.pushState(null, '', route)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Closes the open sheet, else goes back, else to the first view, else leaves the app, which ends no miner. */
function goBack(native: NativeBridge, canGoBack: boolean): void {
  const sheet = document.querySelector('[role="dialog"]')
  if (sheet !== null) sheet.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  else if (canGoBack && location.pathname !== '/') history.back()
  else if (location.pathname !== '/') go('/')
  else void native.nativePromise('App', 'minimizeApp')
}

/** Follows links and the back button of the device. Does nothing in a browser. */
export async function followPackage({ deepLink }: Pick<RuntimeBrand, 'deepLink'>): Promise<void> {
  const native = nativeBridge()
  if (native === undefined) return
  const open = (url: string): void => {
    sessionStorage.setItem(OPENED, url)
    go(packageRoute(url, deepLink))
  }
  native.addListener('App', 'appUrlOpen', ({ url }: { readonly url: string }) => open(url))
  native.addListener('App', 'backButton', ({ canGoBack }: { readonly canGoBack: boolean }) =>
    goBack(native, canGoBack),
  )
  const launch = (await native.nativePromise('App', 'getLaunchUrl')) as { readonly url?: string } | undefined
  if (launch?.url !== undefined && launch.url !== sessionStorage.getItem(OPENED)) open(launch.url)
}
