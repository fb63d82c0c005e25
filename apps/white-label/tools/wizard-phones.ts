import type { BrandEditors } from './brand-editors.ts'
import { servePhones } from './phone-preview.ts'
import {
  type PreparedScreenName,
  type PreviewScreenName,
  type PreviewScripts,
  previewScreens,
} from './preview-files.ts'
import { type Served, serveFiles } from './serve-files.ts'

/** The phones beside the settings, and those in the local network. */
export type WizardPhones = {
  /** Facts about the phones for the page. */
  readonly view: () => object
  readonly showScreen: (name: PreviewScreenName) => void
  /** Origins of the phones on the page. */
  readonly origins: readonly string[]
  /** Addresses of the app in local networks; empty unless it was asked for. */
  readonly urls: readonly string[]
  readonly stop: () => Promise<void>
}

const pathOf = (screen: PreviewScreenName): string =>
  previewScreens.find(({ name }) => name === screen)?.path ?? ''

/**
 * Serves the phones. Each one on the page has two origins: one in which the app begins, with a wallet of its own, and one
 * for screens of an account whose first run is done. Phones in the local network show the latter.
 *
 * @throws {Error} if `isForPhones` is true and this machine is in no local network
 */
export async function openWizardPhones(parameters: {
  readonly editors: BrandEditors
  readonly scripts: PreviewScripts
  /** Returns the origin of the page around the phones. */
  readonly around: () => string
  readonly isForPhones: boolean
  /** @default those of this machine in local networks */
  readonly phoneAddresses?: readonly string[] | undefined
}): Promise<WizardPhones> {
  const { editors, scripts, around, isForPhones, phoneAddresses } = parameters
  let screen: PreviewScreenName = 'welcome'
  let prepared: PreparedScreenName = 'mining'
  const filesOf = (index: number, shown: PreviewScreenName) => {
    const phone = editors.phones()[index]
    if (phone === undefined) throw new Error('There is no such phone.')
    return editors.editor(editors.shown()).phone(phone, { ancestors: around(), screen: shown, scripts })
  }
  const serveAll = (screenNow: () => PreviewScreenName): Promise<readonly Served[]> =>
    Promise.all(editors.phones().map((_, index) => serveFiles(() => filesOf(index, screenNow()))))
  // Only the app can be reached from other machines, never the editor. Opened first, so that a failure leaves nothing open.
  const own = isForPhones ? await servePhones(async () => filesOf(0, prepared), phoneAddresses) : null
  const begun = await serveAll(() => 'welcome')
  const done = await serveAll(() => prepared)
  const frames = () =>
    editors.phones().map((phone, index) => {
      const { url = '' } = (screen === 'welcome' ? begun : done)[index] ?? {}
      return { ...phone, url: `${url}${pathOf(screen)}` }
    })
  const urls = own?.urls ?? []
  return {
    view: () => ({
      frames: frames(),
      screen,
      onPhones: urls.map((url) => `${url}${pathOf(prepared)}`),
    }),
    showScreen: (name) => {
      screen = name
      if (name !== 'welcome') prepared = name
    },
    origins: [...begun, ...done].map(({ url }) => new URL(url).origin),
    urls,
    stop: async () => {
      await Promise.all([...begun, ...done, ...(own === null ? [] : [own])].map(({ stop }) => stop()))
    },
  }
}
