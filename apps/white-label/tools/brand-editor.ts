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

/** Opens the brand of a folder for editing. @throws {Error} if its file cannot be read */
export async function openBrandEditor(request: ShellRequest, shell: Shell): Promise<BrandEditor> {
  const { brandFolder, environment, flags } = request
  const loaded = await loadBrandConfig(brandFolder)
  const { fileName } = loaded
  if (!isObject(loaded.config) || fileName === null) throw new Error('The brand file cannot be read.')
  const file = fileName
  let read = await readBrandFiles(brandFolder)
  const history = keepHistory({ config: plainCopy(loaded.config), files: read.files })
  const catalogue = await appTexts()
  const checkPictures = await openPictureCheck()
  let written: Draft = history.draft()
  let pictures: Promise<ReadonlyMap<string, Uint8Array>> | null = null
  /** Files of each phone since the last change: a page asks for dozens of them. */
  const made = new Map<string, Promise<ReadonlyMap<string, Uint8Array>>>()
  let report = check()
  let proposed = withProposals()
  let shown: ResolvedBrand | null = report.brand
  let saved: Promise<SavedBrand | undefined> = Promise.resolve(undefined)

  function check({ config, files } = history.draft()) {
    const source = { config, files, folderName: folderNameOf(brandFolder) }
    const found = checkBrand({ source, environment, flags, catalogue })
    // Such as a link out of the folder, until another file takes its place.
    const unread = read.findings.filter(({ path }) => !files.has(path))
    return { ...found, findings: [...unread, ...found.findings, ...checkPictures(found, files)] }
  }

  function withProposals(): readonly ProposedFinding[] {
    const draft = history.draft()
    const findingsWith = (change: Proposal) =>
      check({ ...draft, config: withChange(draft.config, change) }).findings
    return atSettings(report.findings, wizardFields).map((one) => {
      const proposal = proposalFor(one, draft.config, findingsWith)
      return { ...one, proposal: proposal && { path: proposal.path, value: textOf(proposal.value) } }
    })
  }

  /** Makes a step of the history, without files that its settings no longer name. */
  function edit(name: string, change: Partial<Draft>): void {
    const files = namedFiles({ ...history.draft(), ...change }, written.files)
    history.edit(name, { ...change, files })
  }

  function alter(step: () => void): void {
    const before = history.draft()
    step()
    made.clear()
    const { config, files } = history.draft()
    const { theme, assets } = before.config
    if (files !== before.files || config.theme !== theme || config.assets !== assets) pictures = null
    report = check()
    proposed = withProposals()
    if (report.brand !== null && !hasErrors(report.findings)) shown = report.brand
  }

  /** Files whose bytes differ from the saved ones. */
  const unsavedFiles = (): ReadonlyMap<string, Uint8Array> =>
    new Map([...history.draft().files].filter(([path, bytes]) => written.files.get(path) !== bytes))

  function changes(): readonly SettingChange[] {
    const { config } = history.draft()
    const settings = wizardFields
      .map(({ path }) => ({ path, before: settingAt(written.config, path), after: settingAt(config, path) }))
      .filter(({ before, after }) => !isDeepStrictEqual(before, after))
      .map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }))
    const files = [...unsavedFiles().keys()].map((path) => ({ path, before: '', after: '' }))
    return [...settings, ...files]
  }

  /** Takes in what others changed in the folder since it was read or written. */
  async function takeIn(): Promise<boolean> {
    const { config } = await loadBrandConfig(brandFolder)
    if (!isObject(config))
      throw new Error(`${file} was changed elsewhere and cannot be read: nothing was saved.`)
    const current = plainCopy(config)
    read = await readBrandFiles(brandFolder)
    // Files that are as they were stay the same objects.
    const files = new Map(
      [...read.files].map(([path, bytes]) => {
        const known = written.files.get(path)
        return [path, known !== undefined && isDeepStrictEqual(known, bytes) ? known : bytes] as const
      }),
    )
    const isSame =
      isDeepStrictEqual(current, written.config) &&
      files.size === written.files.size &&
      [...files].every(([path, bytes]) => written.files.get(path) === bytes)
    if (isSame) return false
    const before = written
    written = { config: current, files }
    history.endStep()
    // In the earlier steps as well: a step back must not take back what others did.
    const takeInto = ({ config: edited, files: own }: Draft): Draft => {
      const unsaved = [...own].filter(([path, bytes]) => before.files.get(path) !== bytes)
      const merged = {
        config: rebasedBrand(current, before.config, edited) as PlainObject,
        files: new Map([...files, ...unsaved]),
      }
      return { ...merged, files: namedFiles(merged, files) }
    }
    alter(() => history.changeAll(takeInto))
    return true
  }

  async function write(): Promise<SavedBrand> {
    let isChangedElsewhere = false
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (await takeIn()) isChangedElsewhere = true
      if (hasErrors(report.findings)) {
        if (isChangedElsewhere) return { saved: null, isChangedElsewhere }
        throw new Error('Fix the errors first.')
      }
      // Saving again would replace the backup with what was just written.
      if (changes().length === 0) return { saved: file, isChangedElsewhere }
      const wanted = history.draft()
      history.endStep()
      await assertPlainFiles(brandFolder, [file, `${file}.before`])
      await writeFiles(brandFolder, unsavedFiles())
      written = { ...written, files: new Map([...written.files, ...wanted.files]) }
      const before = written.config
      const isWritten = await writeBrandFile({
        folder: brandFolder,
        fileName: file,
        before,
        config: wanted.config,
      })
      written = isWritten ? { ...written, config: wanted.config } : written
      // Changed elsewhere since it was taken in: that has to be checked first.
      if (isWritten) return { saved: file, isChangedElsewhere }
    }
    throw new Error(`${file} is changed elsewhere again and again: nothing was saved.`)
  }

  async function phoneFiles({ mode, language }: Phone, { ancestors, screen, scripts }: PhoneFrame) {
    if (shown === null) throw new Error('There is nothing to show: fix the errors first.')
    const { files } = history.draft()
    pictures ??= generateAssets({ brand: shown, files, sets: ['web'] })
    const brand: ResolvedBrand = {
      ...shown,
      theme: { ...shown.theme, mode },
      i18n: { default: language, enabled: [language] },
    }
    const app = await brandFiles({ ...report, brand, files }, shell, await pictures)
    return screen === 'welcome'
      ? framedFiles(app, ancestors)
      : preparedFiles(app, { screen, brand, scripts, ancestors })
  }

  return {
    view: () => {
      const { config } = history.draft()
      const changed = changes()
      return {
        values: Object.fromEntries(wizardFields.map(({ path }) => [path, textOf(settingAt(config, path))])),
        languages: shown?.i18n.enabled ?? [],
        findings: proposed,
        screens: shown === null ? [] : screensOf(shown, history.draft().files),
        isReady: report.brand !== null && !hasErrors(report.findings),
        isChanged: changed.length > 0,
        changes: changed,
        canUndo: history.canUndo(),
        look: lookOf(config),
      }
    },
    change: (change) => {
      const { config } = history.draft()
      const changed = withChange(config, change)
      // A letter that was typed and deleted is no step.
      if (isDeepStrictEqual(changed, config)) return
      alter(() => edit(change.path, { config: changed }))
    },
    applyLook: (name) => alter(() => edit('look', { config: withLook(history.draft().config, name) })),
    take: (setting, chosen) => {
      const { path } = setting
      const { config, files } = history.draft()
      const taken = settingOfFiles(setting, chosen, settingAt(config, path))
      const change = {
        config: withChange(config, { path, value: taken.value }),
        files: new Map([...files, ...taken.files]),
      }
      history.endStep()
      alter(() => edit(`files of ${path}`, change))
    },
    undo: () => alter(history.undo),
    phone: (phone, frame) => {
      const key = [phone.mode, phone.language, frame.ancestors, frame.screen].join(' ')
      const files = made.get(key) ?? phoneFiles(phone, frame)
      made.set(key, files)
      return files
    },
    save: () => {
      const saving = saved.then(write, write)
      saved = saving
      return saving
    },
    slot: async () => {
      if (shown === null) throw new Error('There is nothing to ask for: fix the errors first.')
      return slotSentence(await readTokenSlot(shown), shown.token.ticker ?? 'the token')
    },
  }
}

/** Returns each text of each screen with its file. */
const screensOf = (brand: ResolvedBrand, files: BrandFiles): WizardView['screens'] =>
  listedScreens(brand, files).flatMap(({ name, titles }) =>
    titles.map((title) => ({ ...title, path: `screens/${name}.${title.language}.md` })),
  )
