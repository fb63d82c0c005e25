import { basename } from 'node:path'
import type { ResolvedBrand } from '../layers/resolved-brand.ts'
import { htaccess } from './apache.ts'
import { caddyApp, caddyErrors, caddyfile } from './caddy.ts'
import { headersFile, missingPage, redirectsFile } from './header-files.ts'
import { type HostName, hostRules } from './host-rules.ts'
import { nginxConfiguration } from './nginx.ts'
import { cloudFrontFunction, cloudFrontSettings, s3Script } from './s3.ts'

type Files = ReadonlyMap<string, Uint8Array>

/** Files for a host. */
export type HostFiles = {
  /** Belong to the app's files: the host reads them there. */
  readonly served: Files
  /** Belong beside them, for whoever sets the host up. */
  readonly beside: Files
}

export type HostFilesParameters = {
  readonly brand: ResolvedBrand
  readonly host: HostName
  /** The page of the app. */
  readonly page: Uint8Array
  /** Folder of the build, as the files beside it name it. */
  readonly out: string
}

/** Returns what a host reads: headers, cache rules, and the page of the app for its routes. */
export function hostFiles({ brand, host, page, out }: HostFilesParameters): HostFiles {
  const rules = hostRules(brand)
  const headers = ['_headers', headersFile(rules)] as const
  const missing = ['404.html', missingPage()] as const
  switch (host) {
    case 'static':
      return { served: files([headers, ['404.html', page]]), beside: files([]) }
    case 'cloudflare':
      return { served: files([headers, missing, ['_redirects', redirectsFile('/')]]), beside: files([]) }
    case 'netlify':
      return {
        served: files([headers, missing, ['_redirects', redirectsFile('/index.html')]]),
        beside: files([]),
      }
    case 'github-pages':
      return {
        served: files([
          ['404.html', page],
          ['.nojekyll', ''],
        ]),
        beside: files([]),
      }
    case 'apache':
      return { served: files([['.htaccess', htaccess(rules)]]), beside: files([]) }
    case 'nginx':
      return { served: files([]), beside: files([['nginx.conf', nginxConfiguration(rules)]]) }
    case 'caddy':
      return {
        served: files([]),
        beside: files([
          ['Caddyfile', caddyfile(rules)],
          ['app.caddy', caddyApp(rules)],
          ['errors.caddy', caddyErrors()],
        ]),
      }
    case 's3': {
      const script = ['s3.sh', s3Script(rules, `../${basename(out)}`)] as const
      return {
        served: files([missing]),
        beside: files([
          script,
          ['cloudfront.json', cloudFrontSettings(rules)],
          ['cloudfront-function.js', cloudFrontFunction()],
        ]),
      }
    }
  }
}

const encoder = new TextEncoder()
const files = (entries: readonly (readonly [path: string, content: string | Uint8Array])[]): Files =>
  new Map(
    entries.map(([path, content]) => [path, typeof content === 'string' ? encoder.encode(content) : content]),
  )
