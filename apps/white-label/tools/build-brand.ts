import { readdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ResolvedBrand, Target } from '@hailstone/brand/check'
import {
  type FolderReport,
  generateAssets,
  type HostName,
  hostFiles,
  shellCatalogue,
  textFiles,
} from '@hailstone/brand/tools'
import { brandPage } from './brand-page.ts'
import { minesWithScreenOff } from './mines-with-screen-off.ts'
import { type NativeTarget, nativeProject } from './native-project.ts'
import { offlineWorker } from './offline-files.ts'
import type { PreviewScripts } from './preview-files.ts'

/** Returns the folder of this app, from its sources and from its build. */
export const appFolder = (): string => {
  const here = fileURLToPath(new URL('.', import.meta.url))
  return basename(here) === 'dist' ? resolve(here, '..', '..') : resolve(here, '..')
}

/** Returns the English texts of this app, for the check of a brand's words. */
export const appTexts = () => shellCatalogue({ folder: appFolder() })

async function readFolder(folder: string): Promise<Map<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, Uint8Array>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(path.slice(folder.length + 1).replaceAll('\\', '/'), new Uint8Array(await readFile(path)))
  }
  return files
}

type Files = ReadonlyMap<string, Uint8Array>

/** The built app without a brand: with mining, without its code, and for packages that mine with the screen off. */
export type Shell = { readonly mining: Files; readonly wallet: Files; readonly android: Files }

async function readBuilt(name: keyof Shell | 'wizard'): Promise<Files> {
  const files = await readFolder(join(appFolder(), 'dist', name)).catch(() => null)
  if (files === null) throw new Error('The app was not built yet: run `npm run build` first.')
  return files
}

/** Scripts of the wizard: its page, and those of the preview's phones. */
export type WizardScripts = { readonly wizard: Uint8Array; readonly preview: PreviewScripts }

/** @throws {Error} if the app was not built */
export async function readWizard(): Promise<WizardScripts> {
  const built = await readBuilt('wizard')
  const [wizard, engine, page] = ['wizard', 'preview-engine', 'preview-page'].map((name) =>
    built.get(`${name}.js`),
  )
  if (wizard === undefined || engine === undefined || page === undefined)
    throw new Error('The wizard was not built: run `npm run build`.')
  return { wizard, preview: { engine, page } }
}

/** @throws {Error} if the app was not built */
export async function readShell(): Promise<Shell> {
  const [mining, wallet, android] = await Promise.all([
    readBuilt('mining'),
    readBuilt('wallet'),
    readBuilt('android'),
  ])
  return { mining, wallet, android }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Chooses the build that a brand uses. */
function shellFor(brand: ResolvedBrand, shell: Shell, target: Target): Files {
  if (!brand.mining.enabled) return shell.wallet
  return minesWithScreenOff(brand, target) ? shell.android : shell.mining
}

/** Version of this app. */
export async function appVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(appFolder(), 'package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}

/**
 * Returns every file of a brand's app: the matching shell and the brand's data.
 *
 * @param drawn its pictures, if they were generated before
 * @param target kind of build that it is for
 */
export async function brandFiles(
  report: Pick<FolderReport, 'brand' | 'files'>,
  shell: Shell,
  drawn?: Files,
  target: Target = 'web',
): Promise<Files> {
  const { brand } = report
  if (brand === null) throw new Error('This brand cannot be read.')
  const pictures = drawn ?? (await generateAssets({ brand, files: report.files, sets: ['web'] }))
  const built = shellFor(brand, shell, target)
  const files = new Map([...built, ...textFiles(brand, report.files), ...pictures])
  // The second page is that of the service.
  for (const name of ['index.html', 'miner.html'].filter((one) => built.has(one)))
    files.set(name, encoder.encode(brandPage(decoder.decode(built.get(name)), brand)))
  const worker = decoder.decode(built.get('service-worker.js'))
  const named = { id: brand.id, languages: brand.i18n.enabled }
  files.set('service-worker.js', encoder.encode(offlineWorker(worker, files, named)))
  return files
}

/** The variant for Apple's store: a wallet and monitor, without mining and rewards for invitations. */
const withoutMining = (brand: ResolvedBrand): ResolvedBrand => ({
  ...brand,
  mining: { ...brand.mining, enabled: false, autoStart: false },
  referral: { ...brand.referral, enabled: false },
})

/** Adapts a brand to a target. */
const brandFor = (brand: ResolvedBrand, target: Target): ResolvedBrand =>
  target === 'ios' ? withoutMining(brand) : brand

/** Returns every file of a brand's Capacitor project. @throws {Error} if the brand has no such package */
export async function nativeFiles(report: FolderReport, target: NativeTarget, shell: Shell): Promise<Files> {
  const { files } = report
  if (report.brand === null) throw new Error('This brand cannot be read.')
  const brand = brandFor(report.brand, target)
  const pictures = await generateAssets({ brand, files, sets: [target] })
  return nativeProject({
    brand,
    target,
    version: await appVersion(),
    web: await brandFiles({ ...report, brand }, shell, undefined, target),
    pictures,
    device: await readFolder(join(appFolder(), 'native', 'device')),
    miner: await readFolder(join(appFolder(), 'native', 'miner')),
    unlock: await readFolder(join(appFolder(), 'native', 'unlock')),
  })
}

/** Files of a build, those of the shell it was made from, and those that set its host up. */
export type Built = { readonly shell: Files; readonly files: Files; readonly beside: Files }

export type BuildOptions = {
  /** @default 'web' */
  readonly target?: Target | undefined
  /** @default 'static' */
  readonly host?: HostName | undefined
}

/** Hosts that read `_headers`. */
const withHeadersFile: readonly HostName[] = ['static', 'cloudflare', 'netlify']

/** Adds what a host reads. The service worker's list is made before: hosts do not serve these files. */
async function hostedFiles(report: FolderReport, shell: Shell, host: HostName, out: string) {
  const { brand } = report
  const app = new Map(await brandFiles(report, shell))
  const page = app.get('index.html')
  if (brand === null || page === undefined) throw new Error('This brand cannot be read.')
  if (!withHeadersFile.includes(host)) app.delete('_headers')
  const { served, beside } = hostFiles({ brand, host, page, out })
  return { files: new Map([...app, ...served]), beside }
}

/** Returns the files of a brand's app, or of its Capacitor project. */
export async function buildBrand(
  report: FolderReport,
  out: string,
  { target = 'web', host = 'static' }: BuildOptions = {},
): Promise<Built> {
  const { brand } = report
  if (brand === null) throw new Error('This brand cannot be read.')
  const shell = await readShell()
  const isNative = target === 'android' || target === 'ios'
  const { files, beside } = isNative
    ? { files: await nativeFiles(report, target, shell), beside: new Map() }
    : await hostedFiles(report, shell, host, out)
  return { shell: shellFor(brandFor(brand, target), shell, target), files, beside }
}
