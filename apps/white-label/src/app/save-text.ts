import { nativeBridge } from '../host/is-package.ts'

/**
 * Offers a text to the person as a file: as a download, or in a package, whose view stores no downloads, by the system's
 * choice of a place. False if no place was chosen. @throws {Error} if the package cannot save files
 */
export async function saveText(name: string, text: string, type: string): Promise<boolean> {
  const native = nativeBridge()
  if (native !== undefined) {
    const answer = await native.nativePromise('AppDevice', 'saveText', { name, type, text })
    return (answer as { readonly isSaved: boolean }).isSaved
  }
  downloadBlob(name, new Blob([text], { type }))
  return true
}

/** Saves bytes as a download. A package has none. */
export function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1_000)
}
