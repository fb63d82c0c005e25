import type { ResolvedBrand } from '../layers/resolved-brand.ts'

/** Paths of the app that links may open, on both systems, whatever the brand. */
const linkedPaths = ['/i/*', '/wallet/send', '/tx/*'] as const

/**
 * `.well-known/assetlinks.json`: lets the Android app open links of the host. Null unless the brand has an
 * application id and signing fingerprints.
 */
export function assetLinks({ native }: ResolvedBrand): readonly unknown[] | null {
  const { android } = native
  if (android === null || android.signingFingerprints.length === 0) return null
  const target = {
    namespace: 'android_app',
    package_name: android.applicationId,
    sha256_cert_fingerprints: android.signingFingerprints,
  }
  return [{ relation: ['delegate_permission/common.handle_all_urls'], target }]
}

/** `.well-known/apple-app-site-association`. Null unless the brand has a bundle id and team id. */
export function appleAppSiteAssociation({ native, links }: ResolvedBrand): unknown {
  const { ios } = native
  if (ios === null || ios.teamId === null) return null
  const paths = [...linkedPaths, ...(links.signIn.length > 0 ? ['/sign-in'] : [])]
  const components = paths.map((path) => ({ '/': path }))
  return { applinks: { details: [{ appIDs: [`${ios.teamId}.${ios.bundleId}`], components }] } }
}
