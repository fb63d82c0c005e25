import * as z from 'zod'
import { features, i18n, mining, security } from './behaviour-schema.ts'
import { network, referral, token } from './chain-schema.ts'
import { deepLink, native, pwa, telemetry, update } from './delivery-schema.ts'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'
import { links } from './links-schema.ts'
import { assets, theme } from './look-schema.ts'

/** The newest version of the schema. */
export const SCHEMA_VERSION = 1

const app = z.strictObject({
  name: needed(
    leaf.text(30),
    'Name of the app as people see it, 1 to 30 characters. Example: "Acme Mining".',
  ),
  shortName: optional(
    leaf.text(12),
    'Name under the icon, up to 12 characters, no emoji. Default: `app.name`, when that is short enough.',
  ),
  tagline: optional(leaf.text(80), 'One line below the name on the first screen, up to 80 characters.'),
  publisher: optional(leaf.text(60), 'Who publishes the app: the legal name. Shown under About.'),
  homepage: optional(leaf.url(), 'Website of the app, https. Its host is the default for deep links.'),
  supportEmail: optional(leaf.email(), 'Where users write to. Example: "help@acme.example".'),
})

/** Settings that may differ between environments. */
export const layerShape = {
  app: needed(app, 'How the app names itself.'),
  token: needed(token, 'The token that is mined.'),
  network: optional(network, 'Where the app finds the network.'),
  referral: optional(referral, 'Agents: who invited the user, and inviting others.'),
  theme: needed(theme, 'How the app looks. At most eleven inputs; everything else is derived from them.'),
  assets: needed(assets, 'Pictures, as paths inside the folder of the brand.'),
  links: optional(links, 'Pages the app links to, all https.'),
  features: optional(features, 'Parts of the app that can be switched off.'),
  mining: optional(mining, 'When the app mines. Users can make it stricter.'),
  security: optional(security, 'How the key is guarded.'),
  i18n: optional(i18n, 'Languages. Words of your own go to i18n/<language>.json.'),
  pwa: optional(pwa, 'How the installed web app behaves.'),
  native: optional(native, 'Packages for phones.'),
  deepLink: optional(deepLink, 'Links that open the app.'),
  update: optional(update, 'How the app learns of new versions.'),
  telemetry: optional(telemetry, 'Error reports to an endpoint of your own. Off unless you switch it on.'),
}

/** A brand after its layers were merged. */
export const mergedSchema = z.strictObject({
  $schema: optional(z.string().max(300), 'Address of the JSON Schema, for editors. Ignored.'),
  schema: needed(z.literal(SCHEMA_VERSION), 'Version of this schema. Always the first line.'),
  id: needed(
    leaf.id(),
    'Short name for files and storage: a lower-case letter, then letters, digits and hyphens. Equals the name of the folder.',
  ),
  ...layerShape,
})
