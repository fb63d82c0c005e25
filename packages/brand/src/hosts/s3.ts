import { type HostRules, IMMUTABLE } from './host-rules.ts'

/** Prints the two commands that copy a build to S3 with its cache rules. */
export const s3Script = ({ id }: HostRules, folder: string): string => `#!/bin/sh
# Copies the app to a bucket that CloudFront serves: sh s3.sh BUCKET DISTRIBUTION
set -eu
aws s3 sync '${folder}' "s3://$1" --exclude 'assets/*' --exclude manifest.webmanifest --cache-control no-cache
aws s3 cp '${folder}/manifest.webmanifest' "s3://$1/" --content-type application/manifest+json --cache-control no-cache
# Old files stay: pages that are open still load them.
aws s3 sync '${folder}/assets' "s3://$1/assets" --cache-control '${IMMUTABLE}'
aws cloudfront create-invalidation --distribution-id "$2" --paths '/*'
# ${id}: the distribution needs what cloudfront.json holds.
`

/** Prints the parts of a CloudFront distribution that the app needs: its headers, and its page for routes. */
export function cloudFrontSettings({ id, headers }: HostRules): string {
  const [policy, ...rest] = headers
  const asPage = (code: number) => ({
    ErrorCode: code,
    ResponsePagePath: '/index.html',
    ResponseCode: '200',
    ErrorCachingMinTTL: 0,
  })
  const custom = rest
    .filter(([name]) => ['Cross-Origin-Opener-Policy', 'Permissions-Policy'].includes(name))
    .map(([Header, Value]) => ({ Header, Value, Override: true }))
  const settings = {
    CustomErrorResponses: { Quantity: 2, Items: [asPage(403), asPage(404)] },
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
