import * as z from 'zod'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'

export const features = z.strictObject({
  send: optional(leaf.flag(), 'Sending coins. Default: true.'),
  receive: optional(leaf.flag(), 'Receiving: QR code and request link. Default: true.'),
  invite: optional(leaf.flag(), 'The Invite tab. Default: as referral.enabled.'),
  roi: optional(
    leaf.flag(),
    'Estimate of what mining may bring, from the own rewards of an account and the figures of the network. Default: false.',
  ),
  stats: optional(leaf.flag(), 'Statistics of the network. Default: true.'),
  buy: optional(leaf.flag(), 'Links to places that sell the token. Needs links.buy. Default: false.'),
  fiat: optional(
    leaf.flag(),
    'Worth in US dollars beside amounts, as the network reports it; people can switch it off. Default: false.',
  ),
  payout: optional(
    leaf.flag(),
    'Automatic payouts: people can let the app send everything above an amount to another address. Nothing is paid until they set it up. Needs send. Default: true.',
  ),
  multiAccount: optional(
    leaf.flag(),
    'Several accounts in one app, of which one is active and mines. Default: false.',
  ),
  diagnostics: optional(leaf.flag(), 'Export of a log without secrets. Default: true.'),
})

const quietHours = z.strictObject({
  from: needed(leaf.time(), 'Local time the pause begins, HH:MM.'),
  to: needed(leaf.time(), 'Local time the pause ends, HH:MM; may lie on the next day.'),
})

export const mining = z.strictObject({
  enabled: optional(
    leaf.flag(),
    'The app mines. False makes it a wallet and monitor, as some stores demand. Default: true.',
  ),
  autoStart: optional(leaf.flag(), 'Mining starts with the app. Default: false.'),
  wifiOnly: optional(leaf.flag(), 'Pause on mobile data. Default: false.'),
  chargingOnly: optional(leaf.flag(), 'Pause on battery. Default: false.'),
  minBattery: optional(leaf.whole(0, 90), 'Pause below this charge, 0 to 90 per cent. Default: 20.'),
  thermalPause: optional(
    leaf.flag(),
    'Pause when the device runs hot. Only packages for Android that mine with the screen off can tell. Default: false.',
  ),
  keepAwake: optional(leaf.flag(), 'Keep the screen on while mining. Default: true.'),
  screenOff: optional(
    z.enum(['offer', 'off']),
    'Mining with the screen off, in packages for Android alone: offered to people, or left out together with its permissions. Default: offer.',
  ),
  quietHours: optional(
    z.array(quietHours).max(7, 'out-of-range').nullable(),
    'Times without mining. Default: null, none.',
  ),
})

export const security = z.strictObject({
  lock: optional(
    z.enum(['always', 'onSend', 'optional']),
    'When the passphrase is required: to open the app, to send and show keys, or as the user likes. Default: onSend.',
  ),
  autoLockMin: optional(
    leaf.whole(1, 120),
    'Minutes without use until the app locks, 1 to 120. Default: 10.',
  ),
  requireBackup: optional(
    leaf.flag(),
    'Receiving and mining wait until the user has proved a backup. Default: true.',
  ),
  passkey: optional(
    leaf.flag(),
    'People may set up a passkey, in packages for Android fingerprint or face, that unlocks and pays in place of the passphrase, which stays. Default: true.',
  ),
})

export const i18n = z.strictObject({
  default: optional(leaf.language(), 'Language when that of the device is not enabled. Default: en.'),
  enabled: optional(
    z.array(leaf.language()).min(1, 'out-of-range').max(40, 'out-of-range'),
    'Languages to choose from, as BCP 47 tags. Default: all the app has.',
  ),
})
