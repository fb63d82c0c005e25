import { type Finding, finding } from '../findings/finding.ts'
import { feedFault } from '../incidents/feed-fault.ts'
import { FEED_BYTES } from '../incidents/read-incidents.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { BrandProbe } from './brand-probe.ts'

const path = 'links.statusFeed'
/** Origin of the page in a package. */
const PACKAGE_ORIGIN = 'https://localhost'

/** Reads the feed of incidents as the app would, and says why the app would not get anything from it. */
export async function feedFindings(
  brand: ResolvedBrand,
  { probe, isPackage }: { readonly probe: BrandProbe; readonly isPackage: boolean },
): Promise<readonly Finding[]> {
  const url = brand.links.statusFeed
  if (url === null) return []
  const { homepage } = brand.app
  const origin = isPackage || homepage === null ? PACKAGE_ORIGIN : new URL(homepage).origin
  const answer = await probe.readFeed({ url, origin })
  const at = (found: string): string => `${url}: ${found}`
  if (answer.status !== 200 && !answer.isRedirected) {
    const found = at(answer.status === null ? 'no answer' : `status ${answer.status}`)
    return [finding('link-dead', { path, found })]
  }
  return [...originFindings(answer, origin, at), ...formFindings(answer, at)]
}

type Answer = Awaited<ReturnType<BrandProbe['readFeed']>>
type Place = (found: string) => string

function originFindings(
  { allowedOrigin, isRedirected }: Answer,
  origin: string,
  at: Place,
): readonly Finding[] {
  if (isRedirected) return [finding('feed-closed-to-pages', { path, found: at('a redirection') })]
  if (allowedOrigin === '*' || allowedOrigin === origin) return []
  const found = at(
    allowedOrigin === null
      ? 'no Access-Control-Allow-Origin'
      : `Access-Control-Allow-Origin: ${allowedOrigin}, asked from ${origin}`,
  )
  return [finding('feed-closed-to-pages', { path, found })]
}

function formFindings({ text, isRedirected }: Answer, at: Place): readonly Finding[] {
  if (isRedirected) return []
  const fault = text === null ? `more than ${FEED_BYTES} bytes, or not UTF-8` : feedFault(text)
  return fault === null ? [] : [finding('feed-malformed', { path, found: at(fault) })]
}
