import { isDeepStrictEqual } from 'node:util'
import {
  type BrandFiles,
  type BrandSetting,
  brandSettings,
  checkBrand,
  type Finding,
  hasErrors,
  listedScreens,
  type ResolvedBrand,
} from '@hailstone/brand/check'
import {
  assertPlainFiles,
  folderNameOf,
  generateAssets,
  type LookName,
  loadBrandConfig,
  openPictureCheck,
  readBrandFiles,
  readTokenSlot,
  rebasedBrand,
  type ShellRequest,
  slotSentence,
  writeBrandFile,
  writeFiles,
} from '@hailstone/brand/tools'
import {
  type Change,
  type Draft,
  keepHistory,
  lookOf,
  namedFiles,
  type PlainObject,
  settingAt,
  withChange,
  withLook,
} from './brand-draft.ts'
import { appTexts, brandFiles, type Shell } from './build-brand.ts'
import { type ChosenFile, settingOfFiles } from './chosen-files.ts'
import { atSettings } from './missing-settings.ts'
import { framedFiles, type PreviewScreenName, type PreviewScripts, preparedFiles } from './preview-files.ts'
import { type Proposal, proposalFor } from './proposals.ts'

/** State of the wizard for one brand. */
export type WizardView = {
  readonly values: Readonly<Record<string, string>>
  readonly languages: readonly string[]
  readonly findings: readonly ProposedFinding[]
  /** Screens from Markdown, in the languages of the brand. */
  readonly screens: readonly { readonly path: string; readonly title: string; readonly language: string }[]
  readonly isReady: boolean
  /** True if there are unsaved changes. */
  readonly isChanged: boolean
  /** Settings that differ from the file, as text, and files that are not saved yet. */
  readonly changes: readonly SettingChange[]
  readonly canUndo: boolean
  /** Look whose settings all equal those of the theme, or null. */
  readonly look: LookName | null
}

/** A finding with the setting, as text, that ends it: empty to leave it out; null where nothing is proposed. */
type ProposedFinding = Omit<Finding, 'proposal'> & {
  readonly proposal: { readonly path: string; readonly value: string } | null
}

/** One setting before and after: empty where the brand leaves it out. Files have their path alone. */
type SettingChange = { readonly path: string; readonly before: string; readonly after: string }

/** Preview of the app in one colour mode and one language. */
export type Phone = { readonly mode: 'light' | 'dark'; readonly language: string }

/** Page around a phone, and the screen in it. */
type PhoneFrame = {
  /** Origin of the page. */
  readonly ancestors: string
  readonly screen: PreviewScreenName
  readonly scripts: PreviewScripts
}

export type BrandEditor = {
  readonly view: () => WizardView
  readonly change: (change: Change) => void
  /** Takes the files that were chosen for a setting. @throws {Error} if the setting takes no such files */
  readonly take: (setting: BrandSetting, chosen: readonly ChosenFile[]) => void
  /** Replaces colours, shapes and typeface with those of a look. */
  readonly applyLook: (name: LookName) => void
  /** Takes the last step back, also one that was saved. */
  readonly undo: () => void
  /** Returns the files of the app for a phone, made from the last state without errors. */
  readonly phone: (phone: Phone, frame: PhoneFrame) => Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Writes the brand into its folder and keeps the previous file beside it. What others changed in the folder meanwhile is
   * taken in and checked first.
   *
   * @throws {Error} if the brand has errors, or its file cannot be read any more or is changed elsewhere all the time
   */
  readonly save: () => Promise<SavedBrand>
  /** Returns the last state without errors; null if settings other than those of the token have changed since. */
  readonly withoutToken: () => ResolvedBrand | null
  /** Asks the network of the last state without errors if the token has a place of its own; resolves with a sentence. */
  readonly slot: () => Promise<string>
}

/** Result of saving. */
type SavedBrand = {
  /** Name of the file; null if nothing was saved, because what was changed elsewhere has errors. */
  readonly saved: string | null
  /** True if something was taken in that was changed elsewhere. */
  readonly isChangedElsewhere: boolean
}

/** Attempts to save a brand that is changed elsewhere between its last check and the writing. */
const MAX_ATTEMPTS = 5

/** Settings that the wizard can change: all of the schema. */
export const wizardFields = brandSettings()

const isObject = (value: unknown): value is PlainObject => typeof value === 'object' && value !== null

const plainCopy = (config: PlainObject): PlainObject => JSON.parse(JSON.stringify(config)) as PlainObject

/** Formats a value for its field: a list of texts one below the other, other data as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}

type CheckedBrand = ReturnType<typeof checkBrand>

type Opened = {
  readonly request: ShellRequest
  readonly shell: Shell
  readonly fileName: NonNullable<Awaited<ReturnType<typeof loadBrandConfig>>['fileName']>
  readonly catalogue: Awaited<ReturnType<typeof appTexts>>
  readonly checkPictures: Awaited<ReturnType<typeof openPictureCheck>>
}

/** Editor of one brand: the draft with its history, and the findings and pictures derived from it. */
class Editor implements BrandEditor {
  readonly #given: Opened
  readonly #history: ReturnType<typeof keepHistory>
  #read: Awaited<ReturnType<typeof readBrandFiles>>
  #written: Draft
  #pictures: Promise<ReadonlyMap<string, Uint8Array>> | null = null
  /** Files of each phone since the last change: a page asks for dozens of them. */
  readonly #made = new Map<string, Promise<ReadonlyMap<string, Uint8Array>>>()
  #report: CheckedBrand
  #proposed: readonly ProposedFinding[]
  #shown: ResolvedBrand | null
  /** Settings that the shown brand was made from. */
  #shownConfig: PlainObject
  #saved: Promise<SavedBrand | undefined> = Promise.resolve(undefined)

  constructor(given: Opened, config: PlainObject, read: Awaited<ReturnType<typeof readBrandFiles>>) {
    this.#given = given
    this.#read = read
    this.#history = keepHistory({ config: plainCopy(config), files: read.files })
    this.#written = this.#history.draft()
    this.#report = this.#check()
    this.#proposed = this.#withProposals()
    this.#shown = this.#report.brand
    this.#shownConfig = this.#written.config
  }

  #check({ config, files } = this.#history.draft()): CheckedBrand {
    const { brandFolder, environment, flags } = this.#given.request
    const { catalogue, checkPictures } = this.#given
    const source = { config, files, folderName: folderNameOf(brandFolder) }
    const found = checkBrand({ source, environment, flags, catalogue })
    // Such as a link out of the folder, until another file takes its place.
    const unread = this.#read.findings.filter(({ path }) => !files.has(path))
    return { ...found, findings: [...unread, ...found.findings, ...checkPictures(found, files)] }
  }

  #withProposals(): readonly ProposedFinding[] {
    const draft = this.#history.draft()
    const findingsWith = (change: Proposal) =>
      this.#check({ ...draft, config: withChange(draft.config, change) }).findings
    return atSettings(this.#report.findings, wizardFields).map((one) => {
      const proposal = proposalFor(one, draft.config, findingsWith)
      return { ...one, proposal: proposal && { path: proposal.path, value: textOf(proposal.value) } }
    })
  }

  /** Makes a step of the history, without files that its settings no longer name. */
  #edit(name: string, change: Partial<Draft>): void {
    const files = namedFiles({ ...this.#history.draft(), ...change }, this.#written.files)
    this.#history.edit(name, { ...change, files })
  }

  #alter(step: () => void): void {
    const before = this.#history.draft()
    step()
    this.#made.clear()
    const { config, files } = this.#history.draft()
    const { theme, assets } = before.config
    if (files !== before.files || config.theme !== theme || config.assets !== assets) this.#pictures = null
    this.#report = this.#check()
    this.#proposed = this.#withProposals()
    if (this.#report.brand === null || hasErrors(this.#report.findings)) return
    this.#shown = this.#report.brand
    this.#shownConfig = config
  }

  /** Files whose bytes differ from the saved ones. */
  #unsavedFiles(): ReadonlyMap<string, Uint8Array> {
    const { files } = this.#history.draft()
    return new Map([...files].filter(([path, bytes]) => this.#written.files.get(path) !== bytes))
  }

  #changes(): readonly SettingChange[] {
    const { config } = this.#history.draft()
    const settings = wizardFields
      .map(({ path }) => ({
        path,
        before: settingAt(this.#written.config, path),
        after: settingAt(config, path),
      }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after))
      .map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }))
    const files = [...this.#unsavedFiles().keys()].map((path) => ({ path, before: '', after: '' }))
    return [...settings, ...files]
  }

  /** Takes in what others changed in the folder since it was read or written. */
  async #takeIn(): Promise<boolean> {
    const { fileName: file, request } = this.#given
    const { brandFolder } = request
    const { config } = await loadBrandConfig(brandFolder)
    if (!isObject(config))
      throw new Error(`${file} was changed elsewhere and cannot be read: nothing was saved.`)
    const current = plainCopy(config)
    this.#read = await readBrandFiles(brandFolder)
    // Files that are as they were stay the same objects.
    const files = new Map(
      [...this.#read.files].map(([path, bytes]) => {
        const known = this.#written.files.get(path)
        return [path, known !== undefined && isDeepStrictEqual(known, bytes) ? known : bytes] as const
      }),
    )
    const isSame =
      isDeepStrictEqual(current, this.#written.config) &&
      files.size === this.#written.files.size &&
      [...files].every(([path, bytes]) => this.#written.files.get(path) === bytes)
    if (isSame) return false
    const before = this.#written
    this.#written = { config: current, files }
    this.#history.endStep()
    // In the earlier steps as well: a step back must not take back what others did.
    const takeInto = ({ config: edited, files: own }: Draft): Draft => {
      const unsaved = [...own].filter(([path, bytes]) => before.files.get(path) !== bytes)
      const merged = {
        config: rebasedBrand(current, before.config, edited) as PlainObject,
        files: new Map([...files, ...unsaved]),
      }
      return { ...merged, files: namedFiles(merged, files) }
    }
    this.#alter(() => this.#history.changeAll(takeInto))
    return true
  }

  async #write(): Promise<SavedBrand> {
    const { fileName: file, request } = this.#given
    const { brandFolder } = request
    let isChangedElsewhere = false
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await this.#takeIn()) isChangedElsewhere = true
      if (hasErrors(this.#report.findings)) {
        if (isChangedElsewhere) return { saved: null, isChangedElsewhere }
        throw new Error('Fix the errors first.')
      }
      // Saving again would replace the backup with what was just written.
      if (this.#changes().length === 0) return { saved: file, isChangedElsewhere }
      const wanted = this.#history.draft()
      this.#history.endStep()
      await assertPlainFiles(brandFolder, [file, `${file}.before`])
      await writeFiles(brandFolder, this.#unsavedFiles())
      this.#written = { ...this.#written, files: new Map([...this.#written.files, ...wanted.files]) }
      const before = this.#written.config
      const isWritten = await writeBrandFile({
        folder: brandFolder,
        fileName: file,
        before,
        config: wanted.config,
      })
      this.#written = isWritten ? { ...this.#written, config: wanted.config } : this.#written
      // Changed elsewhere since it was taken in: that has to be checked first.
      if (isWritten) return { saved: file, isChangedElsewhere }
    }
    throw new Error(`${file} is changed elsewhere again and again: nothing was saved.`)
  }

  async #phoneFiles({ mode, language }: Phone, { ancestors, screen, scripts }: PhoneFrame) {
    if (this.#shown === null) throw new Error('There is nothing to show: fix the errors first.')
    const { files } = this.#history.draft()
    this.#pictures ??= generateAssets({ brand: this.#shown, files, sets: ['web'] })
    const brand: ResolvedBrand = {
      ...this.#shown,
      theme: { ...this.#shown.theme, mode },
      i18n: { default: language, enabled: [language] },
    }
    const app = await brandFiles({ ...this.#report, brand, files }, this.#given.shell, await this.#pictures)
    return screen === 'welcome'
      ? framedFiles(app, ancestors)
      : preparedFiles(app, { screen, brand, scripts, ancestors })
  }

  readonly view = (): WizardView => {
    const { config } = this.#history.draft()
    const changed = this.#changes()
    return {
      values: Object.fromEntries(wizardFields.map(({ path }) => [path, textOf(settingAt(config, path))])),
      languages: this.#shown?.i18n.enabled ?? [],
      findings: this.#proposed,
      screens: this.#shown === null ? [] : screensOf(this.#shown, this.#history.draft().files),
      isReady: this.#report.brand !== null && !hasErrors(this.#report.findings),
      isChanged: changed.length > 0,
      changes: changed,
      canUndo: this.#history.canUndo(),
      look: lookOf(config),
    }
  }

  readonly change = (change: Change): void => {
    const { config } = this.#history.draft()
    const changed = withChange(config, change)
    // A letter that was typed and deleted is no step.
    if (isDeepStrictEqual(changed, config)) return
    this.#alter(() => this.#edit(change.path, { config: changed }))
  }

  readonly applyLook = (name: LookName): void =>
    this.#alter(() => this.#edit('look', { config: withLook(this.#history.draft().config, name) }))

  readonly take = (setting: BrandSetting, chosen: readonly ChosenFile[]): void => {
    const { path } = setting
    const { config, files } = this.#history.draft()
    const taken = settingOfFiles(setting, chosen, settingAt(config, path))
    const change = {
      config: withChange(config, { path, value: taken.value }),
      files: new Map([...files, ...taken.files]),
    }
    this.#history.endStep()
    this.#alter(() => this.#edit(`files of ${path}`, change))
  }

  readonly undo = (): void => this.#alter(this.#history.undo)

  readonly phone = (phone: Phone, frame: PhoneFrame): Promise<ReadonlyMap<string, Uint8Array>> => {
    const key = [phone.mode, phone.language, frame.ancestors, frame.screen].join(' ')
    const files = this.#made.get(key) ?? this.#phoneFiles(phone, frame)
    this.#made.set(key, files)
    return files
  }

  readonly save = (): Promise<SavedBrand> => {
    const saving = this.#saved.then(
      () => this.#write(),
      () => this.#write(),
    )
    this.#saved = saving
    return saving
  }

  readonly withoutToken = (): ResolvedBrand | null => {
    const { token: _, ...shown } = this.#shownConfig
    const { token, ...edited } = this.#history.draft().config
    return isDeepStrictEqual(shown, edited) ? this.#shown : null
  }

  readonly slot = async (): Promise<string> => {
    if (this.#shown === null) throw new Error('There is nothing to ask for: fix the errors first.')
    return slotSentence(await readTokenSlot(this.#shown), this.#shown.token.ticker ?? 'the token')
  }
}

/** Opens the brand of a folder for editing. @throws {Error} if its file cannot be read */
export async function openBrandEditor(request: ShellRequest, shell: Shell): Promise<BrandEditor> {
  const { config, fileName } = await loadBrandConfig(request.brandFolder)
  if (!isObject(config) || fileName === null) throw new Error('The brand file cannot be read.')
  const read = await readBrandFiles(request.brandFolder)
  const catalogue = await appTexts()
  const checkPictures = await openPictureCheck()
  return new Editor({ request, shell, fileName, catalogue, checkPictures }, config, read)
}

/** Returns each text of each screen with its file. */
const screensOf = (brand: ResolvedBrand, files: BrandFiles): WizardView['screens'] =>
  listedScreens(brand, files).flatMap(({ name, titles }) =>
    titles.map((title) => ({ ...title, path: `screens/${name}.${title.language}.md` })),
  )
