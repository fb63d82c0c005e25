import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrandSetting } from '@hailstone/brand/check'
import { isLookName, type ShellRequest } from '@hailstone/brand/tools'
import { limitConnections, servingTimes } from '@hailstone/runtime/node'
import type { Change } from './brand-draft.ts'
import { wizardFields } from './brand-editor.ts'
import { type BrandEditors, openBrandEditors } from './brand-editors.ts'
import { readWizard, type Shell } from './build-brand.ts'
import type { ChosenFile } from './chosen-files.ts'
import { tokenAnswer } from './create-token.ts'
import { lookPictures } from './look-pictures.ts'
import { isPreviewScreen, type PreviewScreenName } from './preview-files.ts'
import type { Served } from './serve-files.ts'
import { openWizardPhones } from './wizard-phones.ts'

/** Limit of a request body in bytes: four fonts of the largest allowed size in base64, with some room. */
const MAX_BODY_BYTES = 1_000_000
/** Largest number of concurrent connections; a browser opens six. */
const MAX_CONNECTIONS = 256

const policyFor = (phones: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    `frame-src ${phones.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your brand</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <main id="wizard"></main>
    <script type="module" src="/wizard.js"></script>
  </body>
</html>
`

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('This is more than a brand may hold.')
    chunks.push(chunk)
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}')
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** Returns the setting of `wizardFields` that a request names. */
function knownSetting({ path }: Record<string, unknown>): BrandSetting {
  const known = wizardFields.find((one) => one.path === path)
  if (known === undefined) throw new Error('There is no such setting.')
  return known
}

/** Reads a change of a setting, in the form of the brand file. */
function changeOf(body: Record<string, unknown>): Change {
  const known = knownSetting(body)
  const { value } = body
  if (typeof value !== 'string') throw new Error('There is no such setting.')
  return { path: known.path, value: value.trim() === '' ? null : typed(value, known.kind) }
}

/** Reads what was typed: the entries of a list stand on lines of their own or after commas. What does not fit stays text, for the checks to refuse. */
export function typed(text: string, kind: BrandSetting['kind']): unknown {
  if (kind === 'count') return /^-?\d{1,12}$/.test(text) ? Number(text) : text
  if (kind === 'flag') return text === 'true' || (text === 'false' ? false : text)
  if (kind === 'list') return text.split(/[\n,]/).flatMap((one) => one.trim() || [])
  return (kind === 'data' || kind === 'font') && /^[[{]/.test(text.trim()) ? dataIn(text) : text
}

function dataIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** Reads the files that were chosen for a setting. */
function chosenFiles({ files }: Record<string, unknown>): readonly ChosenFile[] {
  if (!Array.isArray(files)) throw new Error('These are no files.')
  return files.map((one: unknown) => {
    const { name, base64 } = (one ?? {}) as Record<string, unknown>
    if (typeof name !== 'string' || typeof base64 !== 'string') throw new Error('This is no file.')
    return { name, bytes: new Uint8Array(Buffer.from(base64, 'base64')) }
  })
}

/** Returns the brand that a request means; the shown one if it names none. */
function brandOf({ brand }: Record<string, unknown>, editors: BrandEditors): number {
  if (brand === undefined) return editors.shown()
  if (typeof brand !== 'number') throw new Error('There is no such brand.')
  return brand
}

/** Reads the screen that the phones are to show. */
function screenOf({ screen }: Record<string, unknown>): PreviewScreenName {
  if (!isPreviewScreen(screen)) throw new Error('There is no such screen.')
  return screen
}

async function act(editors: BrandEditors, path: string, body: Record<string, unknown>): Promise<object> {
  const brand = brandOf(body, editors)
  if (path === '/show') await editors.show(brand)
  const editor = editors.editor(brand)
  if (path === '/change') editor.change(changeOf(body))
  if (path === '/files') editor.take(knownSetting(body), chosenFiles(body))
  if (path === '/look') {
    const { name } = body
    if (typeof name !== 'string' || !isLookName(name)) throw new Error('There is no such look.')
    editor.applyLook(name)
  }
  if (path === '/undo') editor.undo()
  const saved = path === '/save' ? await editor.save() : {}
  return { ...editors.view(brand), ...saved }
}

/** The served page. */
export type ServedWizard = Served & {
  /** Addresses of the app in local networks; empty unless it was asked for. */
  readonly phoneUrls: readonly string[]
  /** Returns the names of brands with unsaved changes. */
  readonly unsaved: () => readonly string[]
}

/** Serves the page on which partners edit and preview brands, on loopback. */
export async function serveWizard(
  request: ShellRequest,
  shell: Shell,
  {
    port = 0,
    phoneAddresses,
  }: {
    readonly port?: number | undefined
    /** Addresses that phones reach. @default those of this machine in local networks */
    readonly phoneAddresses?: readonly string[] | undefined
  } = {},
): Promise<ServedWizard> {
  const editors = await openBrandEditors(request, shell)
  const scripts = await readWizard()
  let own = ''
  const isForPhones = request.isForPhones === true
  const around = (): string => own
  const phones = await openWizardPhones({
    ...{ editors, around, isForPhones, phoneAddresses },
    scripts: scripts.preview,
  })
  const common = () => ({ ...phones.view(), fields: wizardFields, looks: lookPictures })
  const policy = policyFor(phones.origins)

  async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(asked.url ?? '/', own)
    const json = (status: number, value: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
    }
    // Only this page may change files. Other sites can reach loopback, too.
    if (asked.headers.host !== new URL(own).host) return json(403, { error: 'Not from here.' })
    if (asked.method === 'POST') {
      if (asked.headers.origin !== own) return json(403, { error: 'Not from here.' })
      const body = await bodyOf(asked)
      if (pathname === '/slot')
        return json(200, { slot: await editors.editor(brandOf(body, editors)).slot() })
      if (pathname === '/token')
        return json(200, await tokenAnswer(editors, brandOf(body, editors), body, common))
      if (pathname === '/screen') phones.showScreen(screenOf(body))
      return json(200, { ...(await act(editors, pathname, body)), ...common() })
    }
    if (pathname === '/view') return json(200, { ...editors.view(editors.shown()), ...common() })
    const files: Readonly<Record<string, readonly [type: string, body: string | Uint8Array]>> = {
      '/': ['text/html; charset=utf-8', page],
      '/wizard.js': ['text/javascript; charset=utf-8', scripts.wizard],
    }
    const [type, body] = files[pathname] ?? []
    if (type === undefined) return json(404, { error: 'There is nothing here.' })
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(body)
  }

  const server = createServer(servingTimes, (asked, response) => {
    answer(asked, response).catch((error: unknown) => {
      const sentence = error instanceof Error ? error.message : 'That failed.'
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: sentence }))
    })
  })
  const connections = limitConnections(server, { most: MAX_CONNECTIONS })
  await new Promise<void>((done, failed) => {
    // If the port is taken, use a free one.
    server.once('error', () => server.once('error', failed).listen(0, '127.0.0.1', done))
    server.listen(port, '127.0.0.1', done)
  })
  own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${own}/`,
    phoneUrls: phones.urls,
    unsaved: () =>
      editors
        .view(editors.shown())
        .brands.filter(({ isChanged }) => isChanged)
        .map(({ name }) => name),
    stop: async () => {
      await Promise.all([phones, connections].map(({ stop }) => stop()))
    },
  }
}
