import { parseTokenId } from '@hailstone/protocol'
import { MANIFEST_NAME, readBuildManifest } from '../build/build-manifest.ts'
import { type Finding, finding, shown } from '../findings/finding.ts'
import { type HostName, responseHeaders } from '../hosts/host-rules.ts'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import type { BrandProbe } from '../online/brand-probe.ts'
import { certificateFindings } from './certificate.ts'
import { cachingFindings, compressionFindings, missingFindings, typeFindings } from './file-answers.ts'
import { type Answer, ask, isAnswer } from './site.ts'

export type CheckDeploymentParameters = {
  readonly brand: ResolvedBrand
  /** Hash of the brand's settings, as its build names it. */
  readonly configHash: string | null
  /** Address of the app's page. */
  readonly base: URL
  /** Hosts that cannot send headers are only warned of. */
  readonly host: HostName
  readonly probe: Pick<BrandProbe, 'hail'>
}

/** Compares what a host serves with a brand: files, routes, headers, caching, types, gateways and invitations. */
export async function checkDeployment(parameters: CheckDeploymentParameters): Promise<readonly Finding[]> {
  const { base } = parameters
  const page = await ask(base)
  if (!isAnswer(page)) {
    const name = page.isCertificate ? 'deployment-insecure' : 'deployment-unreachable'
    return [finding(name, { path: base.href, found: page.code })]
  }
  const files = await fileFindings(base)
  const parts = await Promise.all([
    certificateFindings(base),
    brandFindings(parameters),
    headerFindings(parameters, page),
    linkFindings(base, page),
    cachingFindings(base, files.paths),
    missingFindings(base),
    typeFindings(base),
    compressionFindings(base, files.paths),
    gatewayFindings(parameters),
  ])
  return [...files.findings, ...parts.flat()]
}

async function brandFindings({
  brand,
  configHash,
  base,
}: CheckDeploymentParameters): Promise<readonly Finding[]> {
  const path = 'brand/brand.json'
  const served = parsed(await ask(new URL(path, base)))
  const differs = (expected: string, found: string): Finding =>
    finding('deployment-differs', { path, expected, found, isPublic: true })
  if (served === null) return [differs(brand.id, 'no brand')]
  if (served.id !== brand.id) return [differs(brand.id, shown(served.id))]
  if (served.environment !== brand.environment) return [differs(brand.environment, shown(served.environment))]
  const isSame = configHash === null || served.configHash === configHash
  return isSame ? [] : [differs(`settings ${configHash}`, `settings ${String(served.configHash)}`)]
}

function parsed(answer: Awaited<ReturnType<typeof ask>>): Readonly<Record<string, unknown>> | null {
  if (!isAnswer(answer) || answer.status !== 200) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(answer.body))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Files that hosts read and do not serve, or serve only with another status. */
const isForHost = (path: string): boolean =>
  /^(?:_headers|_redirects|\.htaccess|\.nojekyll|(?:assets\/)?404\.html)$/.test(path)

const AT_ONCE = 6
const PAGE = 'index.html'

/** Returns the paths, without their first slash, that the deployed service worker asks for; empty without a service worker. */
async function workerPaths(base: URL): Promise<readonly string[]> {
  const worker = await ask(new URL('service-worker.js', base))
  const text = isAnswer(worker) ? new TextDecoder().decode(worker.body) : ''
  const [, list = ''] = /\bBUILD_FILES=\[([^\]]*)\]/.exec(text) ?? []
  return [...list.matchAll(/"\/([^"]*)"/g)].map(([, path = '']) => path)
}

/**
 * Compares every served file with the list of the build, which the host serves, too. The page is asked for at `/`, and at
 * its own name if the service worker asks for that.
 */
async function fileFindings(base: URL) {
  const list = await ask(new URL(MANIFEST_NAME, base))
  const manifest = isAnswer(list) && list.status === 200 ? readBuildManifest(list.body) : null
  if (manifest === null) {
    const found = isAnswer(list) ? `status ${list.status}` : list.code
    return { paths: [], findings: [finding('deployed-file-differs', { path: MANIFEST_NAME, found })] }
  }
  const wanted = manifest.outputs.filter(({ path }) => !isForHost(path))
  const isPageAsked = (await workerPaths(base)).includes(PAGE)
  const asked = wanted.flatMap((file) => {
    if (file.path !== PAGE) return { ...file, address: file.path }
    return (isPageAsked ? ['', PAGE] : ['']).map((address) => ({ ...file, address }))
  })
  const findings: Finding[] = []
  for (let at = 0; at < asked.length; at += AT_ONCE) {
    const answers = asked.slice(at, at + AT_ONCE).map(async ({ path, sha256, address }) => {
      const answer = await ask(new URL(address, base))
      if (!isAnswer(answer)) return finding('deployed-file-differs', { path, found: answer.code })
      const isSame = answer.status === 200 && answer.sha256 === sha256
      const found = answer.status === 200 ? `SHA-256 ${answer.sha256}` : `status ${answer.status}`
      const expected = `SHA-256 ${sha256}`
      return isSame ? null : finding('deployed-file-differs', { path, expected, found, isPublic: true })
    })
    findings.push(...(await Promise.all(answers)).filter((one) => one !== null))
  }
  return { paths: wanted.map(({ path }) => path), findings }
}

function headerFindings({ brand, base, host }: CheckDeploymentParameters, page: Answer): readonly Finding[] {
  return responseHeaders(brand).flatMap(([name, value]) => {
    const found = page.header(name)
    if (found === value) return []
    const severity = found === null && host === 'github-pages' ? 'warning' : 'error'
    const facts = { path: `${base.href} ${name}`, expected: value, found: found ?? 'none', severity } as const
    return [finding('response-header-differs', facts)]
  })
}

const CODE = `ref_${'0'.repeat(66)}`
/** Links that people send each other, with and without a query. */
const LINKS = [`i/${CODE}`, 'wallet/send?to=&amount=1', 'rewards', 'more/settings'] as const

async function linkFindings(base: URL, page: Answer): Promise<readonly Finding[]> {
  const each = LINKS.map(async (link): Promise<readonly Finding[]> => {
    const answer = await ask(new URL(link, base))
    const path = `/${link}`
    if (!isAnswer(answer)) return [finding('deep-link-broken', { path, found: answer.code })]
    const isPage = answer.sha256 === page.sha256
    if (isPage && answer.status === 200) return []
    const found = `status ${answer.status}${isPage ? ' with the page' : ''}`
    return [finding(isPage ? 'deep-link-status' : 'deep-link-broken', { path, found })]
  })
  return (await Promise.all(each)).flat()
}

async function gatewayFindings({
  brand,
  base,
  probe,
}: CheckDeploymentParameters): Promise<readonly Finding[]> {
  const { linkBase } = brand.referral
  const isElsewhere = linkBase !== null && new URL(linkBase).origin !== base.origin
  const invitations =
    brand.features.invite && isElsewhere
      ? [finding('invitation-elsewhere', { path: 'referral.linkBase', found: linkBase })]
      : []
  if (!brand.mining.enabled) return invitations
  const tokenId = parseTokenId(brand.token.hash)
  const each = brand.network.poa.map(async (url, index): Promise<readonly Finding[]> => {
    const outcome = await probe.hail({ url, tokenId, origin: base.origin })
    if (outcome.kind === 'accepted') return []
    const name = outcome.kind === 'refused' ? 'gateway-refused' : 'gateway-unreachable'
    return [finding(name, { path: `network.poa[${index}]`, found: `${url}: ${outcome.reason}` })]
  })
  return [...invitations, ...(await Promise.all(each)).flat()]
}
