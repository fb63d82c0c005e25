import type { Edit, Setting } from './ask.ts'
import { make } from './make.ts'
import { inEnglish } from './verdicts.ts'
import { word } from './words.ts'

/** Bytes in base64. */
const encoded = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

const inKilobytes = (bytes: number): string => String(Math.ceil(bytes / 1000))

/** Returns the sentence that refuses one of the files; undefined if all may be sent. */
async function refusalOf(files: readonly File[], { kind, maxBytes }: Setting): Promise<string | undefined> {
  const large = files.find(({ size }) => size > (maxBytes ?? 0))
  if (large !== undefined)
    return word('file.large', {
      name: large.name,
      size: inKilobytes(large.size),
      limit: inKilobytes(maxBytes ?? 0),
    })
  if (kind !== 'font') return undefined
  for (const file of files)
    if ((await file.slice(0, 4).text()) !== 'wOF2') return word('file.noFont', { name: file.name })
  return undefined
}

/**
 * Creates the input that takes files for a setting, and the line that says why some were refused. What is refused here
 * is not sent: the brand stays as it was.
 */
export function fileInput(
  setting: Setting,
  edit: Edit,
  facts: Partial<HTMLInputElement>,
): { readonly input: HTMLInputElement; readonly refusal: HTMLElement } {
  const refusal = make('small', { className: 'fault error', role: 'status' })
  const input = make('input', { type: 'file', ...facts })
  const refuse = (sentence: string, marks: Partial<HTMLElement> = {}): void =>
    refusal.replaceChildren(make('span', { ...marks, textContent: sentence }))
  // The same file can be chosen again, after it was taken back or drawn anew.
  input.addEventListener('click', () => {
    input.value = ''
  })
  input.addEventListener('change', async () => {
    const chosen = [...(input.files ?? [])]
    if (chosen.length === 0) return
    refusal.replaceChildren()
    const sentence = await refusalOf(chosen, setting)
    if (sentence !== undefined) return refuse(sentence)
    const files = await Promise.all(
      chosen.map(async (file) => ({
        name: file.name,
        base64: encoded(new Uint8Array(await file.arrayBuffer())),
      })),
    )
    const answer = await edit('/files', { path: setting.path, files }, input)
    if ('error' in answer && answer.error !== null) refuse(answer.error, inEnglish)
  })
  return { input, refusal }
}
