import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createContext, runInContext } from 'node:vm'
import { hostFiles } from '../src/hosts/host-files.ts'
import type { HostName } from '../src/hosts/host-rules.ts'
import type { ResolvedBrand } from '../src/layers/resolved-brand.ts'

type Files = ReadonlyMap<string, Uint8Array>

export type HostAnswer = {
  readonly status: number
  readonly type?: string
  readonly body: Uint8Array
  /** Where a redirection leads. */
  readonly location?: string
}

/** Files of the built app, and files beside it that configure the host. */
type Given = { readonly files: Files; readonly beside: Files }

/** Answers a path that begins with a slash and has no query. */
export type ImitatedHost = (path: string) => HostAnswer

const decoder = new TextDecoder()
const nothing = new Uint8Array()
const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
}

const textOf = (files: Files, name: string): string => {
  const bytes = files.get(name)
  if (bytes === undefined) throw new Error(`The build has no ${name}.`)
  return decoder.decode(bytes)
}

/** Answers with the file of this name; undefined if the build has no such file. */
function fileAnswer(files: Files, name: string, status = 200): HostAnswer | undefined {
  const body = files.get(name)
  const type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
  return body === undefined ? undefined : { status, type, body }
}

const missing: HostAnswer = { status: 404, type: 'text/plain', body: nothing }
const moved = (location: string): HostAnswer => ({ status: 308, location, body: nothing })

/** Finds the file of a path as servers of folders do. */
const inFolder = (files: Files, path: string): HostAnswer | undefined =>
  fileAnswer(files, path.endsWith('/') ? `${path.slice(1)}index.html` : path.slice(1))

/** The same on hosts where a page also has an address without its ending. */
const withoutEnding = (files: Files, path: string): HostAnswer | undefined =>
  inFolder(files, path) ?? (path.endsWith('/') ? undefined : fileAnswer(files, `${path.slice(1)}.html`))

type Rule = { readonly from: string; readonly to: string; readonly status: number }

const redirectsOf = (files: Files): readonly Rule[] =>
  textOf(files, '_redirects')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [from = '', to = '', status = '302'] = line.split(/\s+/)
      return { from, to, status: Number(status) }
    })

const ruleOf = (rules: readonly Rule[], path: string, slashIsOptional: boolean): Rule | undefined =>
  rules.find(({ from }) => {
    if (!from.endsWith('*')) return path === from
    const start = from.slice(0, -1)
    return path.startsWith(start) || (slashIsOptional && `${path}/` === start)
  })

/** A folder, and `404.html` for everything else: the rule that most static hosts have in common. */
const staticHost = ({ files }: Given): ImitatedHost => {
  return (path) => inFolder(files, path) ?? fileAnswer(files, '404.html', 404) ?? missing
}

const githubPages = ({ files }: Given): ImitatedHost => {
  return (path) => withoutEnding(files, path) ?? fileAnswer(files, '404.html', 404) ?? missing
}

/**
 * Rules come before files, a rule whose target is led back to it is ignored, pages lose their ending by a redirection,
 * the nearest `404.html` answers, and without one at the top every path is the app's.
 */
const cloudflarePages = ({ files }: Given): ImitatedHost => {
  const isLoop = ({ from, to }: Rule): boolean => /\/\*?$/.test(from) && /\/index(?:\.html)?$/.test(to)
  const rules = files.has('_redirects') ? redirectsOf(files).filter((rule) => !isLoop(rule)) : []
  const nearest = (path: string): HostAnswer | undefined => {
    const folder = path.slice(0, path.lastIndexOf('/'))
    const found = fileAnswer(files, `${folder}/404.html`.slice(1), 404)
    return found ?? (folder === '' ? undefined : nearest(folder))
  }
  const asset = (path: string): HostAnswer => {
    if (/(?:^|\/)index\.html$/.test(path)) return moved(path.replace(/index\.html$/, ''))
    if (path.endsWith('.html') && files.has(path.slice(1))) return moved(path.slice(0, -'.html'.length))
    if (['/_headers', '/_redirects'].includes(path)) return nearest(path) ?? missing
    const found = withoutEnding(files, path) ?? nearest(path)
    return found ?? (files.has('404.html') ? missing : asset('/'))
  }
  return (path) => {
    const rule = ruleOf(rules, path, false)
    if (rule === undefined) return asset(path)
    if (rule.status === 200) return asset(rule.to)
    if (![301, 302, 303, 307, 308].includes(rule.status)) throw new Error(`${rule.status} is not supported.`)
    return moved(rule.to)
  }
}

/** Files come before rules, the first rule that fits counts, and `404.html` answers the rest. */
const netlify = ({ files }: Given): ImitatedHost => {
  const rules = redirectsOf(files)
  return (path) => {
    const own = ['/_headers', '/_redirects'].includes(path) ? undefined : withoutEnding(files, path)
    const rule = ruleOf(rules, path, true)
    const ruled = rule === undefined ? undefined : fileAnswer(files, rule.to.slice(1), rule.status)
    return own ?? ruled ?? fileAnswer(files, '404.html', 404) ?? missing
  }
}

/** A function of viewer requests before a bucket that may not be listed, and answers for its errors. */
const s3 = ({ files, beside }: Given): ImitatedHost => {
  const sandbox = createContext({})
  runInContext(textOf(beside, 'cloudfront-function.js'), sandbox)
  const { Items } = JSON.parse(textOf(beside, 'cloudfront.json')).CustomErrorResponses
  return (path) => {
    const { uri } = sandbox.handler({ request: { uri: path } })
    const found = fileAnswer(files, uri.slice(1))
    if (found !== undefined) return found
    const error = Items.find(({ ErrorCode }: { readonly ErrorCode: number }) => ErrorCode === 403)
    if (error === undefined) return { ...missing, status: 403 }
    return fileAnswer(files, error.ResponsePagePath.slice(1), Number(error.ResponseCode)) ?? missing
  }
}

/** `RewriteRule` in a folder compares the path without its first slash. */
const apache = ({ files }: Given): ImitatedHost => {
  const text = textOf(files, '.htaccess')
  if (/^\s*RewriteCond/m.test(text)) throw new Error('Conditions are not imitated.')
  const rules = [...text.matchAll(/^RewriteRule (\S+) (\S+) \[END\]$/gm)]
  return (path) => {
    if (/(?:^|\/)\.ht/.test(path)) return { ...missing, status: 403 }
    const [, , to = path] = rules.find(([, from = '']) => new RegExp(from).test(path.slice(1))) ?? []
    return inFolder(files, to) ?? missing
  }
}

/** An exact location, else the longest prefix with `^~`, else the first expression, else the longest prefix. */
const nginx = ({ files, beside }: Given): ImitatedHost => {
  const text = textOf(beside, 'nginx.conf')
  const locations = [
    ...text.matchAll(/^ {2}location (?:(=|~|\^~) )?(\S+) \{ (?:\S+ \S+; )?try_files (.+?); \}$/gm),
  ].map(([, kind = '', pattern = '', tried = '']) => ({ kind, pattern, tried: tried.split(' ') }))
  if (locations.length === 0) throw new Error('No location was found.')
  return (path) => {
    const prefixes = locations
      .filter(({ kind, pattern }) => ['', '^~'].includes(kind) && path.startsWith(pattern))
      .sort((one, other) => other.pattern.length - one.pattern.length)
    const exact = locations.find(({ kind, pattern }) => kind === '=' && path === pattern)
    const first = prefixes[0]?.kind === '^~' ? prefixes[0] : undefined
    const matching = locations.find(({ kind, pattern }) => kind === '~' && new RegExp(pattern).test(path))
    for (const tried of (exact ?? first ?? matching ?? prefixes[0])?.tried ?? []) {
      const found = fileAnswer(files, (tried === '$uri' ? path : tried).slice(1))
      if (found !== undefined) return found
    }
    return missing
  }
}

const caddy = ({ files, beside }: Given): ImitatedHost => {
  const text = textOf(beside, 'Caddyfile')
  const [, pattern] = /^\t@route path_regexp (\S+)$/m.exec(text) ?? []
  const [, to] = /^\t\trewrite @route (\S+)$/m.exec(text) ?? []
  if (pattern === undefined || to === undefined) throw new Error('No route was found.')
  return (path) => inFolder(files, new RegExp(pattern).test(path) ? to : path) ?? missing
}

const imitations: Readonly<Record<HostName, (given: Given) => ImitatedHost>> = {
  static: staticHost,
  'github-pages': githubPages,
  cloudflare: cloudflarePages,
  netlify,
  s3,
  apache,
  nginx,
  caddy,
}

/** Returns a host, as its documentation describes it, that serves these files of an app and reads what is written for it. */
export function imitatedHost(host: HostName, brand: ResolvedBrand, app: Files): ImitatedHost {
  const page = app.get('index.html')
  if (page === undefined) throw new Error('The app has no page.')
  const { served, beside } = hostFiles({ brand, host, page, out: 'dist' })
  return imitations[host]({ files: new Map([...app, ...served]), beside })
}

export type Serving = { readonly url: string; readonly stop: () => Promise<void> }

/** Serves what a function answers on loopback. It is called for each request; undefined breaks the connection off. */
export async function serveHost(answer: (path: string) => HostAnswer | undefined): Promise<Serving> {
  const server = createServer((request, response) => {
    const given = answer(decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname))
    if (given === undefined) return void request.socket.destroy()
    const { status, type, location, body } = given
    response.writeHead(status, {
      'Cache-Control': 'no-cache',
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(location === undefined ? {} : { Location: location }),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}
