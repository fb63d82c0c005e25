import * as z from 'zod'
import { features, i18n, mining, security } from './behaviour-schema.ts'
import { network, referral, token } from './chain-schema.ts'
import { deepLink, native, pwa, update } from './delivery-schema.ts'
import * as leaf from './leaves.ts'
import { needed, optional } from './leaves.ts'
import { legal } from './legal-schema.ts'
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
  publisher: optional(leaf.text(60), 'Legal name of the publisher. Shown under About.'),
  homepage: optional(leaf.url(), 'Website of the app, https. Its host is the default for deep links.'),
  supportEmail: optional(leaf.email(), 'Address for support requests. Example: "help@acme.example".'),
})

/** Settings that may differ between environments. */
export const layerShape = {
  app: needed(app, 'Name and publisher of the app.'),
  token: needed(token, 'The token that is mined.'),
  network: optional(network, 'Addresses of the network.'),
  referral: optional(referral, 'Agents: who invited the user, and inviting others.'),
  theme: needed(theme, 'Look of the app. At most sixteen inputs; everything else is derived from them.'),
  assets: needed(assets, 'Pictures, as paths inside the folder of the brand.'),
  links: optional(links, 'Pages the app links to, all https.'),
  legal: optional(legal, 'Terms that change, terms in other languages, and an age.'),
  features: optional(features, 'Parts of the app that can be switched off.'),
  mining: optional(mining, 'Conditions for mining. Users can make them stricter.'),
  security: optional(security, 'Protection of the key.'),
  i18n: optional(i18n, 'Languages. Words of your own go to i18n/<language>.json.'),
  pwa: optional(pwa, 'Behaviour of the installed web app.'),
  native: optional(native, 'Packages for phones.'),
  deepLink: optional(deepLink, 'Links that open the app.'),
  update: optional(update, 'Announcements of new versions.'),
}

/** A brand after its layers were merged. */
export const mergedSchema = z.strictObject({
  $schema: optional(z.string().max(300), 'Address of the JSON Schema, for editors. Ignored.'),
  schema: needed(z.literal(SCHEMA_VERSION), 'Version of this schema. Always the first line.'),
  id: needed(
    leaf.id(),
    'Short name for files and storage: a lower-case letter, then letters, digits and hyphens. Below `brands/` it equals the name of the folder.',
  ),
  ...layerShape,
})
