import type { RuntimeBrand } from '@hailstone/brand/runtime'
import { packageRoute } from './package-route.ts'

/** The parts of Capacitor's bridge that this app uses. In a package it is there before the first script runs. */
type NativeBridge = {
  readonly nativePromise: (plugin: string, method: string, options?: object) => Promise<unknown>
  readonly addListener: (plugin: string, event: string, listener: (given: never) => void) => unknown
}

/** Session storage key of the link that was opened last: a page that is loaded again does not open it again. */
const OPENED = 'hailstone.link'

const bridge = (): NativeBridge | undefined => (globalThis as { readonly Capacitor?: NativeBridge }).Capacitor

const isNative = (native: NativeBridge | undefined): native is NativeBridge =>
  typeof native?.nativePromise === 'function' && typeof native.addListener === 'function'

/** True in a package for Android or iOS. */
export const isPackage = (): boolean => isNative(bridge())

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
  const native = bridge()
  if (!isNative(native)) return
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
