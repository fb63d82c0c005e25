import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

export const pwa = z.strictObject({
  display: optional(
    z.enum(['standalone', 'fullscreen', 'minimal-ui', 'browser']),
    'Display mode of the installed app. Default: standalone.',
  ),
  orientation: optional(
    z.enum(['any', 'natural', 'portrait', 'landscape']),
    'Orientation. Default: any, as accessibility requires.',
  ),
  categories: optional(
    z.array(leaf.text(30)).max(6, 'out-of-range'),
    'Categories for app lists. Default: finance.',
  ),
})

const android = z.strictObject({
  applicationId: needed(
    leaf.applicationId(),
    'Reverse-DNS name of the package. Example: "org.example.mining".',
  ),
  versionCode: optional(leaf.whole(1, 2_100_000_000), 'Rises with each package. Default: 1.'),
  channel: optional(
    z.enum(['sideload', 'fdroid', 'play']),
    'Distribution channel. `play` is refused while mining is on. Default: sideload.',
  ),
  signingFingerprints: optional(
    z.array(leaf.fingerprint()).max(8, 'out-of-range'),
    'SHA-256 fingerprints of the signing certificates, for assetlinks.json. Default: none.',
  ),
})

const ios = z.strictObject({
  bundleId: needed(leaf.applicationId(), 'Reverse-DNS name of the app.'),
  teamId: optional(leaf.teamId(), 'Team of the developer account, for apple-app-site-association.'),
})

export const native = z.strictObject({
  android: optional(android, 'The Android package.'),
  ios: optional(ios, 'The iOS app: a wallet and monitor without mining.'),
})

export const deepLink = z.strictObject({
  scheme: optional(leaf.scheme(), 'Scheme of links that open the app. Default: the id.'),
  hosts: optional(
    z.array(leaf.hostName()).max(8, 'out-of-range'),
    'Hosts whose links open the app. Default: the host of app.homepage.',
  ),
})

export const update = z.strictObject({
  source: optional(
    z.enum(['url', 'none']),
    'Source of version announcements: a JSON file of yours, or none. Changes nothing yet. Default: none.',
  ),
  url: optional(leaf.url(), 'The JSON file for source "url", https. Changes nothing yet.'),
  mode: optional(
    z.enum(['prompt', 'quiet']),
    'Ask before updating, or update at the next start. Changes nothing yet: the app always asks. Default: prompt.',
  ),
})
