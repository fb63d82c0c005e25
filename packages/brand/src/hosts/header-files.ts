import { appRoutes } from './app-routes.ts'
import { type HostRules, IMMUTABLE, IMMUTABLE_FOLDER } from './host-rules.ts'

/**
 * Prints `_headers` as static hosts read it. Everything else keeps their default, which asks again each time: a second
 * `Cache-Control` would be joined to the first.
 */
export const headersFile = ({ headers }: Pick<HostRules, 'headers'>): string =>
  [
    '/*',
    ...headers.map(([name, value]) => `  ${name}: ${value}`),
    '',
    `${IMMUTABLE_FOLDER}*`,
    `  Cache-Control: ${IMMUTABLE}`,
    '',
  ].join('\n')

/**
 * Prints `_redirects`: routes of the app get its page, under their own address. A `404.html` beside it answers everything
 * else that is missing.
 *
 * @param page address at which the host has the page; a host that leads `/index.html` to `/` takes that for a loop
 */
export const redirectsFile = (page: '/' | '/index.html'): string =>
  // Cloudflare reads rules without `*` first.
  [...appRoutes.map((name) => `/${name}`), ...appRoutes.map((name) => `/${name}/*`)]
    .map((route) => `${route} ${page} 200\n`)
    .join('')

export const missingPage = (): string =>
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>404</title><p>There is no such file.</p></html>\n'
