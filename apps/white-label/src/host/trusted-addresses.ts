/** The one policy of this app: addresses of its own worker and service worker, and nothing else. */
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

/** An address that may be run, in browsers with Trusted Types and in others. */
export const scriptAddress = (address: string): string =>
  (policy === undefined ? ownAddress(address) : policy.createScriptURL(address)) as string
