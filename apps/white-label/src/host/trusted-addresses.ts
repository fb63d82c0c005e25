/** The app's Trusted Types policy: it admits the app's own worker and service worker only. */
type Policy = { readonly createScriptURL: (address: string) => unknown }
type PolicyFactory = {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (address: string) => string },
  ) => Policy
}

function ownAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) return url.href
  throw new TypeError('Only scripts of this app are run.')
}

const factory = (globalThis as { readonly trustedTypes?: PolicyFactory }).trustedTypes
const policy = factory?.createPolicy('hailstone', { createScriptURL: ownAddress })

/** Returns a script address of this origin, as a `TrustedScriptURL` where the browser supports it. */
export const scriptAddress = (address: string): string =>
  (policy === undefined ? ownAddress(address) : policy.createScriptURL(address)) as string
