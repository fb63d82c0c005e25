import type { ResolvedBrand } from '@hailstone/brand/check'

type Files = ReadonlyMap<string, Uint8Array>

/** A screen that the phones can show: its name and where it is in the app. */
export type PreviewScreen = { readonly name: string; readonly path: string }

/** The screens of the preview. For all but the first one the first run is done. */
export const previewScreens = [
  { name: 'welcome', path: '' },
  { name: 'mining', path: '' },
  { name: 'firstReward', path: '' },
  { name: 'rewards', path: 'rewards' },
  { name: 'wallet', path: 'wallet' },
  { name: 'empty', path: 'rewards' },
  { name: 'offline', path: '' },
] as const satisfies readonly PreviewScreen[]

export type PreviewScreenName = (typeof previewScreens)[number]['name']
/** Screens of somebody whose first run is done. */
export type PreparedScreenName = Exclude<PreviewScreenName, 'welcome'>

export const isPreviewScreen = (name: unknown): name is PreviewScreenName =>
  previewScreens.some((one) => one.name === name)

/** Scripts of the preview, which no build of a brand contains. */
export type PreviewScripts = { readonly engine: Uint8Array; readonly page: Uint8Array }

/** Account of the prepared screens. */
const ADDRESS = '029c5530e4385ebc41cdaf8257edf9a2baaf8506a4099103211e6ed7382103ed67'
/** Places of the scripts. They are not below `assets/`, where browsers keep files for ever. */
const ENGINE = 'preview/engine.js'
const PAGE = 'preview/page.js'
const WORKER = /^assets\/worker-[\w-]+\.js$/

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Allows the wizard to embed the app, which refuses every other frame. Removes the service worker. */
export function framedFiles(files: Files, ancestors: string, mark = ''): Files {
  const headers = decoder.decode(files.get('_headers'))
  const opened = headers.replace("frame-ancestors 'none'", () => `frame-ancestors ${ancestors}`)
  const page = decoder.decode(files.get('index.html'))
  const content = mark === '' ? '' : ` content="${escaped(mark)}"`
  const marked = page.replace('<head>', () => `<head><meta name="hailstone-preview"${content}>`)
  const made = new Map(files)
  made.set('_headers', encoder.encode(opened))
  made.set('index.html', encoder.encode(marked))
  made.delete('service-worker.js')
  return made
}

/**
 * Returns the files of the app with the engine of the preview in the place of its own, which shows one screen of an
 * account whose first run is done.
 *
 * @throws {Error} if the app has no worker of its engine
 */
export function preparedFiles(
  files: Files,
  given: {
    readonly screen: PreparedScreenName
    readonly brand: Pick<ResolvedBrand, 'id' | 'legal'>
    readonly scripts: PreviewScripts
    readonly ancestors: string
    readonly values?: object | undefined
  },
): Files {
  const { screen, brand, scripts, ancestors, values } = given
  const { id: brandId, legal } = brand
  const previewed = JSON.stringify({
    ...{ screen, address: ADDRESS, brandId, values },
    legal: { version: legal.version, minimumAge: legal.minimumAge },
  })
  const made = new Map(framedFiles(files, ancestors, previewed))
  const worker = [...made.keys()].find((path) => WORKER.test(path))
  if (worker === undefined) throw new Error('The app has no engine: build it anew.')
  made.set(worker, encoder.encode(`import '/${ENGINE}'\n`))
  made.set(ENGINE, encoder.encode(`self.previewed=${previewed};${decoder.decode(scripts.engine)}`))
  made.set(PAGE, scripts.page)
  const page = decoder.decode(made.get('index.html'))
  // Before the app's own script, which reads what this one has chosen.
  const begun = page.replace('</head>', () => `<script src="/${PAGE}"></script></head>`)
  made.set('index.html', encoder.encode(begun))
  return made
}
