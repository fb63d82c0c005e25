import { type Address, isAddress } from '@hailstone/protocol'
import * as z from 'zod/mini'
import { colourTokens } from '../theme/theme-tokens.ts'

const strict = z.strictObject
const matching = (pattern: RegExp) => z.string().check(z.regex(pattern))
// Texts are always rendered as text. Markup and direction-changing characters are refused all the same.
const harmless = /^(?!.*(?:<[a-z!/?]|\b(?:javascript|vbscript)\s*:))[^{}\p{Cc}\u202a-\u202e\u2066-\u2069]+$/iu
const limited = (most: number) => z.string().check(z.maxLength(most), z.regex(harmless))
const orNull = <S extends z.ZodMiniType>(schema: S) => z.nullable(schema)

/** Avoids `URL.canParse`, which on Node 20 refuses letters outside of ASCII once it is compiled. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** An address to open or request: web schemes only, no credentials. */
const address = (schemes: readonly string[]) =>
  z.string().check(
    z.maxLength(2048),
    z.refine((text) => {
      // The URL parser tolerates blanks, line ends, backslashes and missing slashes.
      if (!/^\w+:\/\/[^\s"'<>\\^`{|}]+$/.test(text)) return false
      const url = parseUrl(text)
      return url !== null && schemes.includes(url.protocol) && url.username === '' && url.password === ''
    }),
  )
const page = () => address(['https:', 'http:'])
const socket = () => address(['wss:', 'ws:'])
const tokenId = () => matching(/^[0-9a-f]{64}$/)
const colour = () => matching(/^#[0-9a-fA-F]{6}$/)
const whole = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most))
const file = () => matching(/^(?:[A-Za-z0-9][\w-]*\/)*[A-Za-z0-9][\w-]*(?:\.[\w-]+)+$/)
const time = () => matching(/^([01]\d|2[0-3]):[0-5]\d$/)
const language = () => matching(/^[A-Za-z-]{2,12}$/)
const account = () => z.custom<Address>((value) => isAddress(value))
const flags = <const N extends readonly string[]>(names: N) =>
  strict(
    Object.fromEntries(names.map((name) => [name, z.boolean()])) as { [K in N[number]]: z.ZodMiniBoolean },
  )

const palette = strict(
  Object.fromEntries(colourTokens.map((token) => [token, colour()])) as {
    [K in (typeof colourTokens)[number]]: ReturnType<typeof colour>
  },
)

const font = strict({
  kind: z.enum(['system', 'rounded', 'serif', 'mono', 'own']),
  family: orNull(matching(/^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$/)),
  files: z.array(file()),
})

const theme = strict({
  mode: z.enum(['system', 'light', 'dark']),
  light: palette,
  dark: palette,
  radius: strict({ small: whole(0, 999), medium: whole(0, 999), large: whole(0, 999) }),
  buttonRadius: whole(0, 999),
  densityPercent: whole(50, 200),
  hero: z.enum(['ring', 'orb', 'tide', 'bars']),
  ground: z.enum(['plain', 'tint', 'gradient']),
  font,
  headings: font,
})

const art = orNull(file())

const community = strict({ kind: limited(20), url: page() })
const buy = strict({ label: limited(40), url: page() })

const network = strict({
  preset: z.enum(['mainnet', 'testnet', 'devnet', 'custom']),
  api: page(),
  poa: z.array(socket()),
  explorer: orNull(page()),
  faucet: orNull(page()),
  nativeToken: orNull(tokenId()),
})

/** The data that the app shell loads at start. Not secret. */
export const runtimeBrandSchema = strict({
  schema: z.literal(1),
  id: matching(/^[a-z][a-z0-9-]{1,30}$/),
  environment: z.enum(['dev', 'staging', 'prod']),
  /** SHA-256 of the configuration, shown under About. */
  configHash: tokenId(),
  app: strict({
    name: limited(30),
    shortName: limited(12),
    tagline: orNull(limited(80)),
    publisher: orNull(limited(60)),
    homepage: orNull(page()),
    supportEmail: orNull(matching(/^[\w.!$*+^~-]{1,64}@[\w.-]{1,189}$/)),
  }),
  token: strict({
    hash: tokenId(),
    ticker: orNull(matching(/^[A-Z]{1,6}$/)),
    decimals: orNull(whole(0, 10)),
    display: strict({ symbol: orNull(limited(12)), fractionMax: orNull(whole(0, 10)) }),
  }),
  network,
  referral: strict({
    enabled: z.boolean(),
    defaultAgent: orNull(account()),
    userCanChange: z.boolean(),
    linkBase: orNull(page()),
  }),
  theme,
  assets: strict({
    logo: file(),
    logoDark: orNull(file()),
    icon: file(),
    art: strict({ welcome: art, firstReward: art, noRewards: art, noActivity: art }),
  }),
  links: strict({
    terms: orNull(page()),
    privacy: orNull(page()),
    support: orNull(page()),
    whitepaper: orNull(page()),
    statusFeed: orNull(page()),
    claim: orNull(page()),
    signIn: z.array(page()),
    community: z.array(community),
    buy: z.array(buy),
  }),
  legal: strict({
    version: orNull(limited(30)),
    minimumAge: orNull(whole(1, 99)),
    translations: z.array(strict({ language: language(), terms: orNull(page()), privacy: orNull(page()) })),
  }),
  features: flags([
    'send',
    'receive',
    'invite',
    'roi',
    'stats',
    'buy',
    'fiat',
    'payout',
    'multiAccount',
    'diagnostics',
  ]),
  mining: strict({
    ...flags(['enabled', 'autoStart', 'wifiOnly', 'chargingOnly', 'thermalPause', 'keepAwake']).shape,
    minBattery: whole(0, 90),
    quietHours: orNull(z.array(strict({ from: time(), to: time() }))),
  }),
  security: strict({
    lock: z.enum(['always', 'onSend', 'optional']),
    autoLockMin: whole(1, 120),
    ...flags(['requireBackup', 'passkey']).shape,
  }),
  i18n: strict({
    default: language(),
    enabled: z.array(language()),
    /** Languages with texts of the brand, at `i18n/<language>.json`. */
    overridden: z.array(language()),
  }),
  deepLink: strict({
    scheme: matching(/^[a-z][a-z0-9+.-]{1,30}$/),
    hosts: z.array(matching(/^[\w.-]{1,253}$/)),
  }),
  update: strict({
    source: z.enum(['url', 'none']),
    url: orNull(page()),
    mode: z.enum(['prompt', 'quiet']),
  }),
  /** Screens of the brand, at `screens/<name>.<language>.json`. */
  screens: z.array(
    strict({
      name: matching(/^[a-z0-9-]{1,31}$/),
      titles: z.array(strict({ language: language(), title: limited(40) })),
    }),
  ),
  /** Settings that users cannot change, shown before the first mining. */
  locked: z.array(z.enum(['token', 'network', 'agent'])),
})

type DeepReadonly<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly (infer Item)[]
    ? readonly DeepReadonly<Item>[]
    : { readonly [K in keyof T]: DeepReadonly<T[K]> }

/** A brand as the built app carries it. */
export type RuntimeBrand = DeepReadonly<z.output<typeof runtimeBrandSchema>>
