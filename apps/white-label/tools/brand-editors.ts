import { basename } from 'node:path'
import type { ShellRequest } from '@hailstone/brand/tools'
import { type BrandEditor, openBrandEditor, type Phone, type WizardView } from './brand-editor.ts'
import type { Shell } from './build-brand.ts'

/** State of the page: one brand, and the others to choose from. */
type BrandEditorsView = WizardView & {
  /** Index of the brand in the list. */
  readonly brand: number
  readonly brands: readonly { readonly name: string; readonly isChanged: boolean }[]
}

export type BrandEditors = {
  /** Index of the brand on the phones. */
  readonly shown: () => number
  /** Returns the editor of an opened brand. @throws {Error} if it is not open */
  readonly editor: (brand: number) => BrandEditor
  /** Shows a brand on the phones; it is read the first time. @throws {Error} if its file cannot be read */
  readonly show: (brand: number) => Promise<void>
  readonly view: (brand: number) => BrandEditorsView
  /** The four phones of the shown brand. */
  readonly phones: () => readonly Phone[]
}

/** Opens several brands for editing. Unsaved changes of one stay while another is shown. */
export async function openBrandEditors(request: ShellRequest, shell: Shell): Promise<BrandEditors> {
  const folders = [request.brandFolder, ...(request.otherFolders ?? [])]
  const open = (brandFolder: string): Promise<BrandEditor> =>
    openBrandEditor({ ...request, brandFolder }, shell)
  const opened = new Map<number, BrandEditor>([[0, await open(request.brandFolder)]])
  let shown = 0

  function editor(brand: number): BrandEditor {
    const found = opened.get(brand)
    if (found === undefined) throw new Error('There is no such brand.')
    return found
  }

  return {
    shown: () => shown,
    editor,
    show: async (brand) => {
      const folder = folders[brand]
      if (folder === undefined) throw new Error('There is no such brand.')
      const fresh = opened.has(brand) ? undefined : await open(folder)
      // Two requests may have opened it at once. Keep the one that may have changes.
      if (fresh !== undefined && !opened.has(brand)) opened.set(brand, fresh)
      shown = brand
    },
    view: (brand) => ({
      ...editor(brand).view(),
      brand,
      brands: folders.map((folder, index) => ({
        name: basename(folder),
        isChanged: opened.get(index)?.view().isChanged ?? false,
      })),
    }),
    phones: () => {
      const [first = 'en', second = first] = editor(shown).view().languages
      return [first, second].flatMap((language) => [
        { mode: 'light', language },
        { mode: 'dark', language },
      ])
    },
  }
}
