import {
  type BrandFiles,
  brandSettings,
  checkBrand,
  type Finding,
  hasErrors,
  type ResolvedBrand,
} from '@hailstone/brand/check'
import {
  folderNameOf,
  generateAssets,
  loadBrandConfig,
  readBrandFiles,
  type ShellRequest,
  writeBrandFile,
  writeFiles,
} from '@hailstone/brand/tools'
import { brandFiles, type Shell } from './build-brand.ts'

type PlainObject = Record<string, unknown>

/** One setting by its path, such as `theme.primary`; null removes it. */
export type Change = { readonly path: string; readonly value: unknown }

/** A picture chosen in the wizard instead of the brand's own. */
type Drawing = { readonly kind: 'logo' | 'icon'; readonly name: string; readonly bytes: Uint8Array }

/** State of the wizard for one brand. */
export type WizardView = {
  readonly values: Readonly<Record<string, string>>
  readonly languages: readonly string[]
  readonly findings: readonly Finding[]
  readonly isReady: boolean
  /** True if there are unsaved changes. */
  readonly isChanged: boolean
}

/** Preview of the app in one colour mode and one language. */
export type Phone = { readonly mode: 'light' | 'dark'; readonly language: string }

export type BrandEditor = {
  readonly view: () => WizardView
  readonly change: (change: Change) => void
  readonly draw: (drawing: Drawing) => void
  /** Returns the files of the app for a phone, made from the last state without errors. */
  readonly phone: (phone: Phone, ancestors: string) => Promise<ReadonlyMap<string, Uint8Array>>
  /** Writes the brand into its folder and keeps the previous file beside it. Resolves with the file name. */
  readonly save: () => Promise<string>
}

/** Settings that the wizard can change: all of the schema. */
export const wizardFields = brandSettings()

const isObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null

function at(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), config)
}

/** Returns a copy with one setting changed. The path must be one of `wizardFields`. */
function withChange(config: PlainObject, { path, value }: Change): PlainObject {
  const [first = '', ...rest] = path.split('.')
  const copy = { ...config }
  if (rest.length > 0) {
    const inner = copy[first]
    if (value === null && !isObject(inner)) return config
    copy[first] = withChange(isObject(inner) ? inner : {}, { path: rest.join('.'), value })
  } else if (value === null) delete copy[first]
  else copy[first] = value
  return copy
}

/** Formats a value for its field: a list of texts one below the other, other data as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}

/** Opens the brand of a folder for editing. @throws {Error} if its file cannot be read */
export async function openBrandEditor(request: ShellRequest, shell: Shell): Promise<BrandEditor> {
  const { brandFolder, environment, flags } = request
  const loaded = await loadBrandConfig(brandFolder)
  const { fileName } = loaded
  if (!isObject(loaded.config) || fileName === null) throw new Error('The brand file cannot be read.')
  const file = fileName
  let config: PlainObject = JSON.parse(JSON.stringify(loaded.config))
  let written = config
  let files: BrandFiles = (await readBrandFiles(brandFolder)).files
  const drawn = new Map<string, Uint8Array>()
  let pictures: Promise<ReadonlyMap<string, Uint8Array>> | null = null
  let report = check()
  let shown: ResolvedBrand | null = report.brand
  let isChanged = false
  let saved: Promise<string> = Promise.resolve('')

  function check() {
    const source = { config, files, folderName: folderNameOf(brandFolder) }
    return checkBrand({ source, environment, flags })
  }

  function checkAgain(): void {
    report = check()
    if (report.brand !== null && !hasErrors(report.findings)) shown = report.brand
  }

  async function write(): Promise<string> {
    if (hasErrors(report.findings)) throw new Error('Fix the errors first.')
    // Saving again would replace the backup with what was just written.
    if (!isChanged) return file
    isChanged = false
    try {
      await writeFiles(brandFolder, drawn)
      const wanted = config
      await writeBrandFile({ folder: brandFolder, fileName: file, before: written, config: wanted })
      written = wanted
    } catch (error) {
      isChanged = true
      throw error
    }
    return file
  }

  return {
    view: () => ({
      values: Object.fromEntries(wizardFields.map(({ path }) => [path, textOf(at(config, path))])),
      languages: shown?.i18n.enabled ?? [],
      findings: report.findings,
      isReady: report.brand !== null && !hasErrors(report.findings),
      isChanged,
    }),
    change: (change) => {
      if (/^(?:assets|theme)\./.test(change.path)) pictures = null
      config = withChange(config, change)
      isChanged = true
      checkAgain()
    },
    draw: ({ kind, name, bytes }) => {
      const path = `assets/${kind}${name.toLowerCase().endsWith('.png') ? '.png' : '.svg'}`
      files = new Map([...files, [path, bytes]])
      drawn.set(path, bytes)
      config = withChange(config, { path: `assets.${kind}`, value: path })
      pictures = null
      isChanged = true
      checkAgain()
    },
    phone: async ({ mode, language }, ancestors) => {
      if (shown === null) throw new Error('There is nothing to show: fix the errors first.')
      pictures ??= generateAssets({ brand: shown, files, sets: ['web'] })
      const brand: ResolvedBrand = {
        ...shown,
        theme: { ...shown.theme, mode },
        i18n: { default: language, enabled: [language] },
      }
      const made = await brandFiles({ ...report, brand, files }, shell, await pictures)
      return framed(made, ancestors)
    },
    save: () => {
      saved = saved.then(write, write)
      return saved
    },
  }
}

/** Allows the wizard to embed the app, which refuses every other frame. Removes the service worker. */
function framed(files: ReadonlyMap<string, Uint8Array>, ancestors: string): ReadonlyMap<string, Uint8Array> {
  const headers = new TextDecoder().decode(files.get('_headers'))
  const opened = headers.replace("frame-ancestors 'none'", () => `frame-ancestors ${ancestors}`)
  const made = new Map(files)
  made.set('_headers', new TextEncoder().encode(opened))
  const page = new TextDecoder().decode(files.get('index.html'))
  const marked = page.replace('<head>', '<head><meta name="hailstone-preview">')
  made.set('index.html', new TextEncoder().encode(marked))
  made.delete('service-worker.js')
  return made
}
