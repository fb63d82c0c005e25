import * as z from 'zod'
import type { FindingName } from '../findings/codes.ts'

/** Names the finding of a leaf's mismatch; `findings-of-issues.ts` reads it. */
const names = (name: FindingName): FindingName => name

export const patterns = {
  id: /^[a-z][a-z0-9-]{1,30}$/,
  tokenId: /^[0-9a-f]{64}$/,
  ticker: /^[A-Z]{1,6}$/,
  colour: /^#[0-9a-fA-F]{6}$/,
  time: /^([01][0-9]|2[0-3]):[0-5][0-9]$/,
  fontFamily: /^[A-Za-z0-9][A-Za-z0-9 -]{0,39}$/,
  picture: /^(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.(?:svg|png)$/,
  fontFile: /^(?:[A-Za-z0-9][A-Za-z0-9_-]*\/)+[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.woff2$/,
  email:
    /^[A-Za-z0-9.!$*+^_~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+$/,
  applicationId: /^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$/i,
  fingerprint: /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/,
  teamId: /^[A-Z0-9]{10}$/,
  scheme: /^[a-z][a-z0-9+.-]{1,30}$/,
  hostName: /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/,
  language: /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/,
} as const

const formatted = (pattern: RegExp, name: FindingName) => z.string().regex(pattern, names(name))

/** Text for people. All texts of a brand are also checked for control characters, markup and the like. */
export const text = (maximum: number) =>
  z.string().min(1, names('text-empty')).max(maximum, names('text-too-long'))

export const flag = () => z.boolean()

export const whole = (minimum: number, maximum: number) =>
  z.int(names('wrong-type')).min(minimum, names('out-of-range')).max(maximum, names('out-of-range'))

/** A URL. Allowed schemes and hosts depend on environment and target, see `url-rules.ts`. */
export const url = () => z.string().min(1, names('text-empty')).max(2048, names('text-too-long'))

export const id = () => formatted(patterns.id, 'id-malformed')
export const tokenId = () => formatted(patterns.tokenId, 'token-hash-malformed')
export const ticker = () => formatted(patterns.ticker, 'ticker-malformed')
export const colour = () => formatted(patterns.colour, 'colour-malformed')
export const time = () => formatted(patterns.time, 'time-malformed')
export const fontFamily = () => formatted(patterns.fontFamily, 'font-malformed')
export const fontFile = () => formatted(patterns.fontFile, 'font-not-woff2')
export const picture = () => formatted(patterns.picture, 'asset-path-malformed')
export const email = () =>
  z.string().max(254, names('text-too-long')).regex(patterns.email, names('email-malformed'))
export const applicationId = () =>
  z.string().max(255, names('text-too-long')).regex(patterns.applicationId, names('application-id-malformed'))
export const fingerprint = () => formatted(patterns.fingerprint, 'fingerprint-malformed')
export const teamId = () => formatted(patterns.teamId, 'team-id-malformed')
export const scheme = () => formatted(patterns.scheme, 'deep-link-scheme-malformed')
export const hostName = () => formatted(patterns.hostName, 'deep-link-host-malformed')
export const language = () => formatted(patterns.language, 'language-unknown')

/** A documented member with a default in the shell or the network. */
export const optional = <S extends z.ZodType>(schema: S, description: string) =>
  schema.optional().describe(description)

/** A member that the merged brand must have. */
export const needed = <S extends z.ZodType>(schema: S, description: string) => schema.describe(description)
