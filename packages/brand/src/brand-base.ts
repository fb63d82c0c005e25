// biome-ignore-all format: printed
// Printed from the schema by print-brand-types.ts; change the schema and run the tests with -u.

/** A brand as partners write it, without its environments. */
export type BrandBase = {
  /** Address of the JSON Schema, for editors. Ignored. */
  readonly $schema?: string | undefined
  /** Version of this schema. Always the first line. */
  readonly schema: 1
  /** Short name for files and storage: a lower-case letter, then letters, digits and hyphens. Below `brands/` it equals the name of the folder. */
  readonly id: string
  /** Name and publisher of the app. */
  readonly app: {
    /** Name of the app as people see it, 1 to 30 characters. Example: "Acme Mining". */
    readonly name: string
    /** Name under the icon, up to 12 characters, no emoji. Default: `app.name`, when that is short enough. */
    readonly shortName?: string | undefined
    /** One line below the name on the first screen, up to 80 characters. */
    readonly tagline?: string | undefined
    /** Legal name of the publisher. Shown under About. */
    readonly publisher?: string | undefined
    /** Website of the app, https. Its host is the default for deep links. */
    readonly homepage?: string | undefined
    /** Address for support requests. Example: "help@acme.example". */
    readonly supportEmail?: string | undefined
  }
  /** The token that is mined. */
  readonly token: {
    /** Identifier of the token on chain: 64 lower-case hex digits. */
    readonly hash: string
    /** Its ticker, 1 to 6 capital letters. Must equal the chain: an error in prod, a warning elsewhere. Default: from the chain. */
    readonly ticker?: string | undefined
    /** Its decimals, 0 to 10. Must equal the chain. Default: from the chain. */
    readonly decimals?: number | undefined
    /** Format of amounts. */
    readonly display?: {
      /** Symbol after amounts. Default: the ticker. */
      readonly symbol?: string | undefined
      /** Digits after the point in lists and headings; details always show all. Default: the smaller of decimals and 6. */
      readonly fractionMax?: number | undefined
    } | undefined
  }
  /** Addresses of the network. */
  readonly network?: {
    /** Network preset. `devnet` is the network that `hailstone-network` starts. In prod only mainnet and custom. Default: testnet. */
    readonly preset?: 'mainnet' | 'testnet' | 'devnet' | 'custom' | undefined
    /** Base of the HTTP API, https, usually ending in /api/v1. Default: from the preset. */
    readonly api?: string | undefined
    /** Gateways for mining, tried in this order. wss for web and pwa; ws only for android or this machine. Default: from the preset. */
    readonly poa?: readonly string[] | undefined
    /** Block explorer, https. Default: none, no links to blocks. */
    readonly explorer?: string | undefined
    /** Faucet for test coins, https. Default: from the preset, none on mainnet; that of an API on this machine. */
    readonly faucet?: string | undefined
    /** Identifier of the native coin. Default: from the preset. */
    readonly nativeToken?: string | undefined
  } | undefined
  /** Agents: who invited the user, and inviting others. */
  readonly referral?: {
    /** Referral rewards are part of the app. Default: true. */
    readonly enabled?: boolean | undefined
    /** Agent of users who come without an invite: an address or a code that begins with ref_. Shown to users before mining. Default: null, none. */
    readonly defaultAgent?: string | null | undefined
    /** Users may enter another agent. Default: true. */
    readonly userCanChange?: boolean | undefined
    /** Base of invite links, https, ending in a slash. Default: /i/ where the app was opened; in packages, on the host of app.homepage. */
    readonly linkBase?: string | undefined
  } | undefined
  /** Look of the app. At most sixteen inputs; everything else is derived from them. */
  readonly theme: {
    /** Colour of buttons and the ring, #rrggbb. Surfaces are tinted with it. */
    readonly primary: string
    /** Second colour, for charts and highlights. Default: derived from primary. */
    readonly accent?: string | undefined
    /** Colour of good news. Default: a green. */
    readonly success?: string | undefined
    /** Colour of warnings. Default: an amber. */
    readonly warning?: string | undefined
    /** Colour of failures. Default: a red. */
    readonly danger?: string | undefined
    /** Colours that differ in the dark mode. */
    readonly dark?: {
      /** Primary colour in the dark mode. Default: theme.primary. */
      readonly primary?: string | undefined
      /** Accent in the dark mode. Default: theme.accent. */
      readonly accent?: string | undefined
    } | undefined
    /** Initial colour mode. Default: system. */
    readonly mode?: 'system' | 'light' | 'dark' | undefined
    /** Roundness of corners. Default: md. */
    readonly radius?: 'none' | 'sm' | 'md' | 'lg' | 'full' | undefined
    /** Shape of buttons, whatever the corners of the rest. Default: soft, as theme.radius. */
    readonly shape?: 'soft' | 'square' | 'pill' | undefined
    /** Distances on all screens. Default: regular. */
    readonly density?: 'compact' | 'regular' | 'roomy' | undefined
    /** Sign around the figure of Mine; all four say the same states. Default: ring. */
    readonly hero?: 'ring' | 'orb' | 'tide' | 'bars' | undefined
    /** Ground of all screens: nearly grey, tinted with the main colour, or changing from its tint to that of the accent. Default: plain. */
    readonly ground?: 'plain' | 'tint' | 'gradient' | undefined
    /** Fonts of the device (system, rounded, serif, mono), or a family of your own with its files. Default: system. */
    readonly font?: 'system' | 'rounded' | 'serif' | 'mono' | {
      /** Name of the family: letters, digits, blanks and hyphens. */
      readonly family: string
      /** WOFF2 files in the folder of the brand, at most 150 kB each, lightest weight first. */
      readonly files: readonly string[]
      /** Licence that lets you ship the font. Example: "OFL-1.1". */
      readonly licence: string
    } | undefined
    /** Font of headings, the large figure and the state, as theme.font. Default: theme.font. */
    readonly headings?: 'system' | 'rounded' | 'serif' | 'mono' | {
      /** Name of the family: letters, digits, blanks and hyphens. */
      readonly family: string
      /** WOFF2 files in the folder of the brand, at most 150 kB each, lightest weight first. */
      readonly files: readonly string[]
      /** Licence that lets you ship the font. Example: "OFL-1.1". */
      readonly licence: string
    } | undefined
    /** Treatment of colours with too little contrast: refuse the brand, take the nearest colour that passes, or warn. Default: error. */
    readonly contrast?: 'error' | 'fix' | 'warn' | undefined
  }
  /** Pictures, as paths inside the folder of the brand. */
  readonly assets: {
    /** Logo with or without words: SVG, or PNG at least 1024 pixels wide. Up to 200 kB. */
    readonly logo: string
    /** Logo for dark grounds. Default: the logo. */
    readonly logoDark?: string | undefined
    /** Square icon: SVG, or PNG of at least 1024 pixels. Best drawn on a transparent ground; a filled one keeps its art inside the central circle of 80 %. */
    readonly icon: string
    /** One-colour sign for notifications: its outline is used. Default: the icon, when its ground is transparent, else the logo. */
    readonly mark?: string | undefined
    /** Ground of icon and splash screen. Default: theme.primary. */
    readonly splashBackground?: string | undefined
    /** Picture for link previews, 1200 × 630. Default: the logo on the ground of the splash screen. */
    readonly socialCard?: string | undefined
    /** Drawings of your own, about 160 × 120, without a word in them. Default: neutral ones in the colours of the brand. */
    readonly art?: {
      /** Above the welcome, in place of the logo: at most 30 kB, seen on the ground of both modes. */
      readonly welcome?: string | undefined
      /** Beside the first reward: at most 30 kB, seen on the ground of both modes. */
      readonly firstReward?: string | undefined
      /** Where rewards will be: at most 30 kB, seen on the ground of both modes. */
      readonly noRewards?: string | undefined
      /** Where payments will be: at most 30 kB, seen on the ground of both modes. */
      readonly noActivity?: string | undefined
    } | undefined
  }
  /** Pages the app links to, all https. */
  readonly links?: {
    /** Terms of use, https. Required in prod; accepted before the first run. */
    readonly terms?: string | undefined
    /** Privacy policy, https. Required in prod. */
    readonly privacy?: string | undefined
    /** Help page, https. */
    readonly support?: string | undefined
    /** Whitepaper, https. */
    readonly whitepaper?: string | undefined
    /** Feed of incidents, https, which pages of other hosts may read: summary.json of a status page, or { incidents: [{ id, title, impact, startedAt, url }] }. The app reads it every five minutes while it is seen. Default: none. */
    readonly statusFeed?: string | undefined
    /** Page of yours that gives new miners their first coins, https. The app offers it to people whose balance is below the minimum stake, and opens it with `address` in the query. Default: none. */
    readonly claim?: string | undefined
    /** Pages of yours, https without a query, where people may sign in with the key of their account. The app asks them first and hands its answer to exactly these pages. Default: none, nobody signs in. */
    readonly signIn?: readonly string[] | undefined
    /** Links to communities. Default: none. */
    readonly community?: readonly ({
      /** Service, which determines icon and name of the link. */
      readonly kind: 'telegram' | 'discord' | 'x' | 'facebook' | 'instagram' | 'youtube' | 'reddit' | 'medium' | 'github' | 'matrix' | 'mastodon' | 'forum' | 'blog' | 'other'
      /** Address, https. */
      readonly url: string
    })[] | undefined
    /** Places that sell the token. Needed for features.buy. */
    readonly buy?: readonly {
      /** Name of the place. Example: "Acme exchange". */
      readonly label: string
      /** Address, https. */
      readonly url: string
    }[] | undefined
  } | undefined
  /** Terms that change, terms in other languages, and an age. */
  readonly legal?: {
    /** Version of terms and privacy policy. After a change people are asked again; mining waits and goes on once they accept. An app that stays open or offline mines on under the version accepted last; it looks for a new build when it is opened and every six hours, and its notice of the update says that consent is asked anew. Example: "2026-03". Default: none, they are asked once. */
    readonly version?: string | undefined
    /** Age in years, which people confirm before they begin. Default: none, nobody is asked. */
    readonly minimumAge?: number | undefined
    /** Terms and privacy policy in other languages; people read those of their language. Default: none, everybody reads links.terms and links.privacy. */
    readonly translations?: readonly ({
      /** Language of the two texts, one of i18n.enabled. Example: "de". */
      readonly language: string
      /** Terms of use in this language, https. Default: links.terms. */
      readonly terms?: string | undefined
      /** Privacy policy in this language, https. Default: links.privacy. */
      readonly privacy?: string | undefined
    })[] | undefined
  } | undefined
  /** Parts of the app that can be switched off. */
  readonly features?: {
    /** Sending coins. Default: true. */
    readonly send?: boolean | undefined
    /** Receiving: QR code and request link. Default: true. */
    readonly receive?: boolean | undefined
    /** The Invite tab. Default: as referral.enabled. */
    readonly invite?: boolean | undefined
    /** Estimate of what mining may bring, from the own rewards of an account and the figures of the network. Default: false. */
    readonly roi?: boolean | undefined
    /** Statistics of the network. Default: true. */
    readonly stats?: boolean | undefined
    /** Links to places that sell the token. Needs links.buy. Default: false. */
    readonly buy?: boolean | undefined
    /** Worth in US dollars beside amounts, as the network reports it; people can switch it off. Default: false. */
    readonly fiat?: boolean | undefined
    /** Automatic payouts: people can let the app send everything above an amount to another address. Nothing is paid until they set it up. Needs send. Default: true. */
    readonly payout?: boolean | undefined
    /** Several accounts in one app, of which one is active and mines. Default: false. */
    readonly multiAccount?: boolean | undefined
    /** Export of a log without secrets. Default: true. */
    readonly diagnostics?: boolean | undefined
  } | undefined
  /** Conditions for mining. Users can make them stricter. */
  readonly mining?: {
    /** The app mines. False makes it a wallet and monitor, as some stores demand. Default: true. */
    readonly enabled?: boolean | undefined
    /** Mining starts with the app. Default: false. */
    readonly autoStart?: boolean | undefined
    /** Pause on mobile data. Default: false. */
    readonly wifiOnly?: boolean | undefined
    /** Pause on battery. Default: false. */
    readonly chargingOnly?: boolean | undefined
    /** Pause below this charge, 0 to 90 per cent. Default: 20. */
    readonly minBattery?: number | undefined
    /** Pause when the device runs hot. Only packages for Android that mine with the screen off can tell. Default: false. */
    readonly thermalPause?: boolean | undefined
    /** Keep the screen on while mining. Default: true. */
    readonly keepAwake?: boolean | undefined
    /** Mining with the screen off, in packages for Android alone: offered to people, or left out together with its permissions. Default: offer. */
    readonly screenOff?: 'offer' | 'off' | undefined
    /** Times without mining. Default: null, none. */
    readonly quietHours?: readonly {
      /** Local time the pause begins, HH:MM. */
      readonly from: string
      /** Local time the pause ends, HH:MM; may lie on the next day. */
      readonly to: string
    }[] | null | undefined
  } | undefined
  /** Protection of the key. */
  readonly security?: {
    /** When the passphrase is required: to open the app, to send and show keys, or as the user likes. Default: onSend. */
    readonly lock?: 'always' | 'onSend' | 'optional' | undefined
    /** Minutes without use until the app locks, 1 to 120. Default: 10. */
    readonly autoLockMin?: number | undefined
    /** Receiving and mining wait until the user has proved a backup. Default: true. */
    readonly requireBackup?: boolean | undefined
    /** People may set up a passkey, in packages for Android fingerprint or face, that unlocks and pays in place of the passphrase, which stays. Default: true. */
    readonly passkey?: boolean | undefined
  } | undefined
  /** Languages. Words of your own go to i18n/<language>.json. */
  readonly i18n?: {
    /** Language when that of the device is not enabled. Default: en. */
    readonly default?: string | undefined
    /** Languages to choose from, as BCP 47 tags. Default: all the app has. */
    readonly enabled?: readonly string[] | undefined
  } | undefined
  /** Behaviour of the installed web app. */
  readonly pwa?: {
    /** Display mode of the installed app. Default: standalone. */
    readonly display?: 'standalone' | 'fullscreen' | 'minimal-ui' | 'browser' | undefined
    /** Orientation. Default: any, as accessibility requires. */
    readonly orientation?: 'any' | 'natural' | 'portrait' | 'landscape' | undefined
    /** Categories for app lists. Default: finance. */
    readonly categories?: readonly string[] | undefined
  } | undefined
  /** Packages for phones. */
  readonly native?: {
    /** The Android package. */
    readonly android?: {
      /** Reverse-DNS name of the package. Example: "org.example.mining". */
      readonly applicationId: string
      /** Rises with each package. Default: 1. */
      readonly versionCode?: number | undefined
      /** Distribution channel. `play` is refused while mining is on. Default: sideload. */
      readonly channel?: 'sideload' | 'fdroid' | 'play' | undefined
      /** SHA-256 fingerprints of the signing certificates, for assetlinks.json. Default: none. */
      readonly signingFingerprints?: readonly string[] | undefined
    } | undefined
    /** The iOS app: a wallet and monitor without mining. */
    readonly ios?: {
      /** Reverse-DNS name of the app. */
      readonly bundleId: string
      /** Team of the developer account, for apple-app-site-association. */
      readonly teamId?: string | undefined
    } | undefined
  } | undefined
  /** Links that open the app. */
  readonly deepLink?: {
    /** Scheme of links that open the app. Default: the id. */
    readonly scheme?: string | undefined
    /** Hosts whose links open the app. Default: the host of app.homepage. */
    readonly hosts?: readonly string[] | undefined
  } | undefined
  /** Announcements of new versions. */
  readonly update?: {
    /** Source of version announcements: a JSON file of yours, or none. Changes nothing yet. Default: none. */
    readonly source?: 'url' | 'none' | undefined
    /** The JSON file for source "url", https. Changes nothing yet. */
    readonly url?: string | undefined
    /** Ask before updating, or update at the next start. Changes nothing yet: the app always asks. Default: prompt. */
    readonly mode?: 'prompt' | 'quiet' | undefined
  } | undefined
}
