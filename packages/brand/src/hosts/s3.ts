import { ROUTE_PATTERN } from './app-routes.ts'
import { type HostRules, IMMUTABLE } from './host-rules.ts'

/** Prints the commands that copy a build to S3 with its cache rules, in an order that suits open pages. */
export const s3Script = ({ id }: HostRules, folder: string): string => `#!/bin/sh
# Copies the app to a bucket that CloudFront serves: sh s3.sh BUCKET DISTRIBUTION
set -eu
# First what the page and the service worker load, then those. Old files stay: pages that are open still load them.
aws s3 sync '${folder}/assets' "s3://$1/assets" --cache-control '${IMMUTABLE}'
aws s3 sync '${folder}' "s3://$1" --exclude 'assets/*' --exclude '.git/*' --exclude manifest.webmanifest --exclude index.html --exclude service-worker.js --cache-control no-cache
aws s3 cp '${folder}/manifest.webmanifest' "s3://$1/" --content-type application/manifest+json --cache-control no-cache
aws s3 cp '${folder}/index.html' "s3://$1/" --cache-control no-cache
aws s3 cp '${folder}/service-worker.js' "s3://$1/" --cache-control no-cache
aws cloudfront create-invalidation --distribution-id "$2" --paths '/*'
# ${id}: the distribution needs what cloudfront.json holds, and cloudfront-function.js as a function of viewer requests.
`

/** Prints a CloudFront function for viewer requests, which gives the page to the app's routes. */
export const cloudFrontFunction = (): string => `// Runtime cloudfront-js-2.0, event viewer-request.
// Routes of the app get its page. Everything else is a file, or missing.
function handler(event) {
  const { request } = event
  if (/^\\/(?:${ROUTE_PATTERN.replaceAll('/', '\\/')})?$/.test(request.uri)) request.uri = '/index.html'
  return request
}
`

/** Prints the parts of a CloudFront distribution that the app needs: its headers, and 404 for missing files. */
export function cloudFrontSettings({ id, headers }: HostRules): string {
  const [policy, ...rest] = headers
  // A bucket that may not be listed answers a missing file with 403.
  const asMissing = (code: number) => ({
    ErrorCode: code,
    ResponsePagePath: '/404.html',
    ResponseCode: '404',
    ErrorCachingMinTTL: 0,
  })
  const custom = rest
    .filter(([name]) => ['Cross-Origin-Opener-Policy', 'Permissions-Policy'].includes(name))
    .map(([Header, Value]) => ({ Header, Value, Override: true }))
  const settings = {
    CustomErrorResponses: { Quantity: 2, Items: [asMissing(403), asMissing(404)] },
    ResponseHeadersPolicyConfig: {
      Name: `${id}-app`,
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: policy?.[1], Override: true },
        ContentTypeOptions: { Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
      },
      CustomHeadersConfig: { Quantity: custom.length, Items: custom },
    },
  }
  return `${JSON.stringify(settings, null, 2)}\n`
}
